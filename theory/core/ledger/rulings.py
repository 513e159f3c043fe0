"""The possible rulings about a printed statement, and the numbers on which a ruling is based."""

import enum
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, is_dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import sympy as sp
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
    FOLLOWS = "follows"
    """It holds under an assumption that the paper states elsewhere, which is quoted."""
    REMARK = "remark"
    """It holds as printed, and what one might conclude from it does not."""
    INCONSISTENT = "inconsistent"
    """Two printed places disagree, and nothing printed decides between them."""
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
    """A point at which the printed statement is wrong, and the number there.

    Args:
        at: name -> value, or a function without arguments that returns such a case.
        independent: function that computes the number to a relative ``tolerance`` without code of the derivation.
        value: function of a statement that returns its number. Default: the first relation is solved for the symbol
            without a value, or evaluated.
        tolerance: relative error of ``independent``. Default: 1e-8.
        quantity: what the number is, in words. Default: none.

    Both functions take the values of the point that they name among their arguments; an argument ``case`` is all of
    them. So what is shown as the point is what the numbers are computed from.

    Raises:
        ValueError: if neither function takes a value of the point.

    >>> import sympy as sp
    >>> y, x = sp.symbols("y x")
    >>> Witness({"x": 2}, independent=lambda x: x**2).number(sp.Eq(y, x**3))
    8
    """

    at: Mapping[Any, Any] | Callable[[], Mapping[str, Any]]
    independent: Callable[..., Any]
    value: Callable[..., Any] | None = None
    tolerance: float = 1e-8
    quantity: str = ""

    def __post_init__(self) -> None:
        if not callable(self.at):
            checks.instance("at", self.at, Mapping, "a mapping from names to values")  # type: ignore[type-abstract]
        checks.function("independent", self.independent, "a function of values of the point")
        if self.value is not None:
            checks.function("value", self.value, "a function of a statement")
        checks.positive_number("tolerance", self.tolerance)
        if self.value is not None and not callable(self.at):
            taken = {**_taken(self.independent, self.at), **_taken(self.value, self.at)}
            unread = [str(name) for name in self.at if str(name) not in taken]
            if unread and "case" not in taken:
                raise ValueError(
                    f"at: got {', '.join(unread)}, which no function takes; needs values that they read"
                )

    @cached_property
    def point(self) -> Mapping[Any, Any]:
        """Name -> value at the point, as it is computed or given."""
        return self.at() if callable(self.at) else self.at

    def shown(self, printed: Statement) -> dict[str, Any]:
        """Return the values of the point that are shown: of a computed case those of letters in a printed formula.

        The value of a letter that is alone on the left-hand side is the number, and no part of the point.
        """
        if not callable(self.at):
            return {str(name): value for name, value in self.at.items()}
        values = {
            str(name): value
            for name, value in self.point.items()
            if value is not None and (is_dataclass(value) or not callable(value))
        }
        if not isinstance(printed, sp.Basic):
            return values
        named = printed.atoms(sp.Symbol, sp.MatrixSymbol, AppliedUndef)
        alone = {part.lhs for part in relations(printed) if hasattr(part, "lhs")}
        names = {str(getattr(node, "name", node)) for node in named - alone}
        names |= {node.func.__name__ for node in named - alone if isinstance(node, AppliedUndef)}
        return {name: value for name, value in values.items() if name in names} or values

    def number(self, statement: Statement) -> Any:
        """Return the number that ``statement`` gives at the point."""
        if self.value is not None:
            return self.value(statement, **_taken(self.value, self.point))
        values = {str(name): value for name, value in self.point.items()}
        relation = relations(statement)[0]
        letters = relation.lhs.free_symbols | relation.lhs.atoms(AppliedUndef)
        unknown = [letter for letter in letters if str(letter) not in values]
        if len(unknown) != 1:
            return evaluate(relation.rhs, values)
        # the number at which an inequality turns, too
        equation = sp.Eq(relation.lhs, relation.rhs, evaluate=False)
        return evaluate(solved(equation, unknown[0]), values)

    def reading(self, printed: Statement, corrected: Statement | None) -> Reading:
        """Return the three numbers; the corrected one is NaN if there is no corrected statement."""
        right = float("nan") if corrected is None else self.number(corrected)
        independent = self.independent(**_taken(self.independent, self.point))
        return Reading(self.number(printed), right, independent, self.tolerance)


def _taken(function: Callable[..., Any], point: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the values of a point that a function names among its arguments; ``case`` is the whole point."""
    parameters = inspect.signature(function).parameters
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return dict(point)
    taken = {str(name): value for name, value in point.items() if str(name) in parameters}
    return {**taken, "case": point} if "case" in parameters else taken


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
