"""The possible rulings about a printed statement, and the numbers on which a ruling is based."""

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sympy.core.function import AppliedUndef

from closedform import checks
from theory.core.ledger.printed import Statement, relations, solved
from theory.core.numbers.evaluation import evaluate
from theory.core.proof.verdict import Verdict


class Ruling(enum.Enum):
    """The ruling about a printed statement.

    >>> Ruling.MISPRINT.value
    'misprint'
    """

    CONFIRMED = "confirmed"
    """It holds as printed."""
    MISPRINT = "misprint"
    """It fails as printed, a corrected form holds, and an independent computation sides with the corrected one."""
    CONDITIONAL = "conditional"
    """It holds under a condition that is not printed, and fails without it."""
    SUPPORTED = "supported"
    """A measurement that could have contradicted it agrees with it."""
    CONTRADICTED = "contradicted"
    """A measurement disagrees with it."""
    UNRESOLVED = "unresolved"
    """It was measured, and the measurement is too blunt to say."""
    ILLEGIBLE = "illegible"
    """The text that was read is damaged there; what is shown is inferred. Never counted as a misprint."""
    DEFINITION = "definition"
    """It introduces a symbol; there is nothing to be right or wrong."""
    ASSUMPTION = "assumption"
    """A premise of the theory, to be tested by measurement and not by algebra."""
    NOTE = "note"
    """A setting, a count or a remark; outside the statistics."""
    OPEN = "open"
    """Neither confirmed nor refuted here."""


# These rulings need a reason, but no program.
UNCHECKED = (Ruling.DEFINITION, Ruling.ASSUMPTION, Ruling.NOTE, Ruling.OPEN)
MEASURED = (Ruling.SUPPORTED, Ruling.CONTRADICTED, Ruling.UNRESOLVED)


class Reading(NamedTuple):
    """Three values of one quantity at a witness point, numbers or arrays of one shape.

    >>> Reading(printed=3.0, corrected=1.0, independent=1.0).sides_with_corrected
    True
    """

    printed: Any
    corrected: Any
    """NaN where nothing is corrected, because a condition is missing."""
    independent: Any
    tolerance: float = 1e-8
    """Relative error that the independent computation is good for."""

    @property
    def contradicts_printed(self) -> bool:
        """Return whether the printed value is at least ten tolerances away from the independent one."""
        return bool(self._error(self.printed) > 10 * self.tolerance)

    @property
    def sides_with_corrected(self) -> bool:
        """Return whether the corrected value agrees with the independent one and the printed value contradicts it."""
        return bool(self._error(self.corrected) <= self.tolerance) and self.contradicts_printed

    def _error(self, value: Any) -> Any:
        try:
            independent = np.asarray(self.independent, dtype=float)
            difference = np.asarray(value, dtype=float) - independent
        except (TypeError, ValueError):
            got = f"{checks.shown(value)} and independent {checks.shown(self.independent)}"
            raise TypeError(f"reading: got {got}, needs numbers or arrays of one shape") from None
        scale = np.max(np.abs(independent)) or 1.0
        return np.max(np.abs(difference)) / scale


@dataclass(frozen=True)
class Witness:
    """A point, name -> value or tuple of values, at which the printed statement is wrong, and the number there.

    ``independent`` computes the number to a relative ``tolerance`` without code of the derivation, and ``value`` that
    of a statement; by default the first relation is solved for the symbol without a value, or evaluated.

    >>> import sympy as sp
    >>> y, x = sp.symbols("y x")
    >>> Witness({"x": 2}, independent=lambda: 4.0).number(sp.Eq(y, x**3))
    8
    """

    at: Mapping[Any, Any]
    independent: Callable[[], Any]
    value: Callable[[Any], Any] | None = None
    tolerance: float = 1e-8

    def __post_init__(self) -> None:
        checks.instance("at", self.at, Mapping, "a mapping from names to values")  # type: ignore[type-abstract]
        checks.function("independent", self.independent, "a function without arguments")
        if self.value is not None:
            checks.function("value", self.value, "a function of a statement")
        checks.positive_number("tolerance", self.tolerance)

    def number(self, statement: Statement) -> Any:
        """Return the number that ``statement`` gives at the point."""
        if self.value is not None:
            return self.value(statement)
        values = {str(name): value for name, value in self.at.items()}
        relation = relations(statement)[0]
        letters = relation.lhs.free_symbols | relation.lhs.atoms(AppliedUndef)
        unknown = [letter for letter in letters if str(letter) not in values]
        return evaluate(
            solved(relation, unknown[0]) if len(unknown) == 1 else relation.rhs, values
        )

    def reading(self, printed: Statement, corrected: Statement | None) -> Reading:
        """Return the three numbers; the corrected one is NaN if there is no corrected statement."""
        right = float("nan") if corrected is None else self.number(corrected)
        return Reading(self.number(printed), right, self.independent(), self.tolerance)


@dataclass(frozen=True)
class Outcome:
    """The ruling, the claim and verdict of each step of the printed and the corrected form, and the three numbers.

    ``causes`` says in words what left each step UNDECIDED that is, with its claim.

    >>> Outcome(Ruling.CONFIRMED).ruling.value
    'confirmed'
    """

    ruling: Ruling
    verdicts: tuple[tuple[str, str, Verdict], ...] = ()
    reading: Reading | None = None
    causes: tuple[str, ...] = ()

    def differs_from(self, other: "Outcome") -> bool:
        """Return whether the ruling, a verdict or the printed number differs from that of ``other``."""
        if (self.ruling, [v for *_, v in self.verdicts]) != (
            other.ruling,
            [v for *_, v in other.verdicts],
        ):
            return True
        mine, others = (
            o.reading.printed if o.reading is not None else None for o in (self, other)
        )
        return not np.array_equal(np.asarray(mine, dtype=object), np.asarray(others, dtype=object))
