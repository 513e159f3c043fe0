"""The arguments of a closed form, each with a domain, and conditions that relate several arguments."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from keyword import iskeyword
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from closedform import checks
from theory.core.formula.allowed import Domain, domain
from theory.core.formula.sampling import satisfies

# Tolerance of a condition, relative to the sum of the magnitudes of its terms, so that a state on the boundary that
# was computed in double precision counts as on the boundary.
SLACK = 1e-12


@dataclass(frozen=True)
class Argument:
    """An argument of a closed form.

    Args:
        symbol: a sympy symbol; its assumptions (real, positive, nonnegative, integer ...) are the domain, which every
            call enforces. Its name is the keyword.
        meaning: meaning of the argument in words.
        unit: unit of the argument.
        sample: range from which tests and examples draw values; by default a range inside the domain.
        example: value at which a page or a picture begins, the paper's own where it has one; by default a number in the
            middle of ``range``.
        latex: LaTeX of the argument, if it differs from the symbol's name.

    Raises:
        TypeError, ValueError: if the symbol is not a real scalar, or its name cannot be a keyword.

    >>> Argument(sp.Symbol("tau", positive=True), "time constant", unit="time").needs
    'a positive, finite number'
    """

    symbol: sp.Symbol
    meaning: str
    unit: str = "dimensionless"
    sample: tuple[float, float] | None = None
    example: float | None = None
    latex: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.symbol, sp.Symbol):
            raise TypeError(f"symbol: got {type(self.symbol).__name__}, needs a sympy Symbol")
        if not self.name.isidentifier() or iskeyword(self.name):
            raise ValueError(f"symbol: got {self.name!r}, needs a name that can be a keyword")
        if not self.symbol.is_real:
            raise ValueError(
                f"symbol: got {self.name!r}, needs a real domain, such as real=True or positive=True"
            )
        checks.text(f"meaning of {self.name!r}", self.meaning)
        for part in ("unit", "latex"):
            checks.text(f"{part} of {self.name!r}", getattr(self, part), or_empty=True)
        ends = checks.sequence(f"sample of {self.name!r}", self.range)
        low, high = (checks.real_number(f"sample of {self.name!r}", end) for end in ends)
        if not (math.isfinite(low) and math.isfinite(high) and low <= high):
            raise ValueError(
                f"sample of {self.name!r}: got {self.sample}, needs a finite range (low, high)"
            )
        if not all(
            satisfies(self.symbol, sp.sympify(end))
            for end in (low, high)
            if not self.allowed.is_integer
        ):
            raise ValueError(
                f"sample of {self.name!r}: got {self.sample}, needs a range in its domain ({self.domain})"
            )

        if self.example is not None:
            what, needs = f"example of {self.name!r}", f"a number in its domain ({self.domain})"
            is_inside = satisfies(self.symbol, sp.sympify(checks.real_number(what, self.example)))
            checks.require(is_inside, what, self.example, needs)

    @property
    def range(self) -> tuple[float, float]:
        """Return ``sample``, or a range inside the domain."""
        if self.sample is not None:
            return self.sample
        allowed = self.allowed
        step = 1.0 if allowed.is_integer else 0.1
        low = -3.0 if allowed.low < 0 else 0.0 if allowed.has_low else step
        high = 3.0 if allowed.high > 0 else 0.0 if allowed.has_high else -step
        return low, high

    @property
    def name(self) -> str:
        """Return the keyword, which is the symbol's name."""
        return self.symbol.name

    @property
    def domain(self) -> str:
        """Return the domain in words: "positive", "nonnegative integer", "real"."""
        return self.allowed.words

    @property
    def needs(self) -> str:
        """Return what a value has to be, in words: "a positive, finite number", "a nonnegative integer"."""
        return f"a {self.domain}" if self.allowed.is_integer else f"a {self.domain}, finite number"

    @cached_property
    def allowed(self) -> Domain:
        """The table of the numbers that the argument may be."""
        return domain(self.symbol)

    def require(self, value: Any, backend: Any) -> None:
        """Raise ValueError unless every entry of ``value`` is finite and in the domain.

        Args:
            value: array of the backend.
            backend: module with ``extremes``, ``whole`` and ``nonzero``.
        """
        low, high = backend.extremes(value)
        allowed = self.allowed
        if not allowed.spans(low, high):
            self._refuse(high if allowed.spans(low, low) else low)
        if allowed.is_integer and not backend.whole(value):
            self._refuse(next(entry for entry in _as_array(value).ravel() if entry % 1 != 0))
        if allowed.is_nonzero and low <= 0 <= high and not backend.nonzero(value):
            self._refuse(0)

    def _refuse(self, got: Any) -> None:
        raise ValueError(f"{self.name} ({self.meaning}): got {got}, needs {self.needs}")


@dataclass(frozen=True)
class Condition:
    """A condition on several arguments together.

    Args:
        relation: a sympy expression that must be >= 0, or a relation (``>=``, ``>``, ``<=``, ``<``).
        sentence: the same in words.
        slack: rounding that is forgiven, relative to the sum of the magnitudes of the terms; float32 input is forgiven
            its own rounding. Strict relations forgive nothing.

    >>> x, y = sp.symbols("x y", real=True)
    >>> Condition(x - y, "x is at least y").strict
    False
    """

    relation: sp.Basic
    sentence: str
    slack: float = SLACK

    def __post_init__(self) -> None:
        if not isinstance(self.relation, (sp.Expr, sp.Ge, sp.Gt, sp.Le, sp.Lt)):
            raise TypeError(
                f"relation: got {checks.shown(self.relation)}, needs a sympy expression or an inequality"
            )
        checks.text(f"sentence of the condition {self.relation}", self.sentence)
        checks.nonnegative_number(f"slack of the condition {self.relation}", self.slack)

    @cached_property
    def _sides(self) -> tuple[sp.Expr, sp.Expr]:
        if isinstance(self.relation, Relational):
            return self.relation.gts, self.relation.lts
        return self.relation, sp.S.Zero

    @property
    def strict(self) -> bool:
        """Whether equality is refused."""
        return isinstance(self.relation, (sp.Gt, sp.Lt))

    @cached_property
    def gap(self) -> sp.Expr:
        """Must be >= 0 (> 0 where strict)."""
        greater, less = self._sides
        return greater - less

    @cached_property
    def scale(self) -> sp.Expr:
        """Sum of the magnitudes of the terms of both sides: what rounding errors are relative to."""
        terms = [abs(term) for side in self._sides for term in sp.Add.make_args(side)]
        return sp.Add(*terms)


def violation(
    condition: Condition, arguments: Sequence[Argument], values: Sequence[Any], gaps: Any
) -> str:
    """Return the condition in words, and the values of its arguments where ``gaps``, those of its gap, are smallest."""
    import numpy as np

    worst = int(np.argmin(_as_array(gaps)))
    points = [column.ravel()[worst] for column in np.broadcast_arrays(*map(_as_array, values))]
    involved = condition.gap.free_symbols
    at = [
        f"{a.name} = {float(x):.15g}"
        for a, x in zip(arguments, points, strict=True)
        if a.symbol in involved
    ]
    return f"{condition.sentence}; got {', '.join(at)}"


def _as_array(values: Any) -> Any:
    import numpy as np

    return np.asarray(values.detach().cpu() if hasattr(values, "detach") else values)
