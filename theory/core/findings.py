"""What can be found about a printed statement, and the numbers that a finding rests on."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sympy.core.function import AppliedUndef

from theory.core.derivation import Verdict
from theory.core.evaluation import evaluate
from theory.core.printed import Statement, relations, solved


class Finding(enum.Enum):
    """What is found about a printed statement."""

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


# Findings that need no program, only a reason.
UNCHECKED = (Finding.DEFINITION, Finding.ASSUMPTION, Finding.NOTE, Finding.OPEN)
MEASURED = (Finding.SUPPORTED, Finding.CONTRADICTED, Finding.UNRESOLVED)


class Reading(NamedTuple):
    """Three values of one quantity at a witness point, numbers or arrays of one shape."""

    printed: Any
    corrected: Any
    """NaN where nothing is corrected, because a condition is missing."""
    independent: Any
    tolerance: float = 1e-8
    """Relative error that the independent computation is good for."""

    @property
    def contradicts_printed(self) -> bool:
        """The printed value is ten tolerances away from the independent one."""
        return bool(self._error(self.printed) > 10 * self.tolerance)

    @property
    def sides_with_corrected(self) -> bool:
        """The corrected value agrees with the independent one, and the printed one is ten tolerances away from it."""
        return bool(self._error(self.corrected) <= self.tolerance) and self.contradicts_printed

    def _error(self, value: Any) -> Any:
        independent = np.asarray(self.independent, dtype=float)
        scale = np.max(np.abs(independent)) or 1.0
        return np.max(np.abs(np.asarray(value, dtype=float) - independent)) / scale


@dataclass(frozen=True)
class Witness:
    """A point at which the printed statement is wrong, and how the number there is known.

    Args:
        at: the point, symbol (or a name) -> value, or several points, symbol -> tuple of values; shown to the reader.
        independent: takes nothing, computes the number at the point without any code of the derivation.
        value: takes a statement, printed or corrected, and gives its number at the point. Default: its first
            relation, solved for the one letter on the left that has no value in ``at``; else its right-hand side.
        tolerance: relative error that the independent computation is good for.
    """

    at: Mapping[Any, Any]
    independent: Callable[[], Any]
    value: Callable[[Any], Any] | None = None
    tolerance: float = 1e-8

    def number(self, statement: Statement) -> Any:
        """The number that ``statement`` gives at the point."""
        if self.value is not None:
            return self.value(statement)
        values = {str(name): value for name, value in self.at.items()}
        relation = relations(statement)[0]
        letters = relation.lhs.free_symbols | relation.lhs.atoms(AppliedUndef)
        unknown = [letter for letter in letters if str(letter) not in values]
        return evaluate(solved(relation, unknown[0]) if len(unknown) == 1 else relation.rhs, values)

    def reading(self, printed: Statement, corrected: Statement | None) -> Reading:
        """The three numbers; that of ``corrected`` is NaN where there is none."""
        right = float("nan") if corrected is None else self.number(corrected)
        return Reading(self.number(printed), right, self.independent(), self.tolerance)


@dataclass(frozen=True)
class Outcome:
    """What the programs of an entry found: plain data, which a store of verdicts can keep.

    Args:
        finding: the verdict that was computed.
        verdicts: of each step and check: "printed" or "corrected", its claim, its verdict.
        reading: the three numbers at the witness.
    """

    finding: Finding
    verdicts: tuple[tuple[str, str, Verdict], ...] = ()
    reading: Reading | None = None

    def differs_from(self, other: Outcome) -> bool:
        """Whether finding, a verdict or the printed number is another one."""
        if (self.finding, [v for *_, v in self.verdicts]) != (other.finding, [v for *_, v in other.verdicts]):
            return True
        mine, others = (o.reading.printed if o.reading is not None else None for o in (self, other))
        return not np.array_equal(np.asarray(mine, dtype=object), np.asarray(others, dtype=object))
