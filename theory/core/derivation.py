"""Steps of a derivation, and what a program finds when it checks one."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import sympy as sp

from theory.core.budget import OutOfTime, budget
from theory.core.normal_form import vanishes
from theory.core.refutation import Comparison, compare
from theory.core.special import opened

# Safety nets only; a step that needs them is UNDECIDED.
_SECONDS_TO_PREPARE = 30.0
_SECONDS_TO_COMPARE = 30.0
_SECONDS_TO_PROVE = 60.0
_LARGEST_TO_SIMPLIFY = 150


class Verdict(enum.Enum):
    """What checking a statement found."""

    HOLDS = "holds"
    """Proved; or, for a :class:`Check`, its program says so."""
    UNDECIDED = "undecided"
    """Neither proved nor refuted. Never a pass."""
    FAILS = "fails"
    """Refuted by a point at which the two sides clearly differ."""

    @classmethod
    def all(cls, verdicts: Iterable[Verdict]) -> Verdict:
        """The verdict on a conjunction."""
        found = set(verdicts)
        return cls.FAILS if cls.FAILS in found else cls.UNDECIDED if cls.UNDECIDED in found else cls.HOLDS


@dataclass(frozen=True)
class Step:
    """One identity of a derivation.

    It claims ``left = right`` for all values that the symbols' assumptions allow, and for all functions where undefined
    functions stand in it.

    Args:
        claim: what is claimed, in words or formulas; unique within a derivation.
        left: sympy expression or matrix; Derivative, Integral and Limit may stand unevaluated.
        right: the same shape.
        because: why: the rule that is used.
        where: a parametrisation of the domain, symbol -> expression in new symbols, in which the identity is rational.
            It must reach every point of the domain. Both the search for a counterexample and the proof use it.
    """

    claim: str
    left: Any
    right: Any
    because: str = ""
    where: Mapping[sp.Symbol, sp.Expr] | None = None

    def __post_init__(self) -> None:
        if not self.claim.strip():
            raise ValueError("a step needs a claim")
        for side in ("left", "right"):
            value = sp.sympify(getattr(self, side), strict=True)
            value = value.as_immutable() if isinstance(value, sp.MatrixBase) else value
            if not isinstance(value, (sp.Expr, sp.MatrixBase)):
                raise TypeError(
                    f"{side} of step {self.claim!r} must be an expression or a matrix, got {type(value).__name__}"
                )
            object.__setattr__(self, side, value)
        if getattr(self.left, "shape", ()) != getattr(self.right, "shape", ()):
            raise ValueError(f"both sides of step {self.claim!r} must have one shape, got {self.left} and {self.right}")
        object.__setattr__(self, "where", sp.Dict(self.where or {}))

    def check(self) -> Verdict:
        """Looks for a counterexample, then for a proof."""
        return _decide(self.left, self.right, self.where)

    def counterexample(self) -> Mapping[sp.Symbol, sp.Expr] | None:
        """A point at which the two sides clearly differ, if one is found (in the symbols of ``where``)."""
        return next((c.witness for c in _compare(self.left, self.right, self.where) if c.witness is not None), None)

    def mentions(self, expression: sp.Expr) -> bool:
        """Whether ``expression`` itself, not something equal to it, is part of either side."""
        return any(side == expression or side.has(expression) for side in (self.left, self.right))

    @cached_property
    def latex(self) -> str:
        """The identity in LaTeX."""
        return f"{sp.latex(self.left)} = {sp.latex(self.right)}"


@dataclass(frozen=True)
class Check:
    """A statement that a program decides: a limit, a simulation, a number of a paper.

    Args:
        claim: what is claimed.
        run: takes nothing; True if the claim holds, False if it does not.
        because: how it is decided.
    """

    claim: str
    run: Callable[[], bool]
    because: str = ""

    def check(self) -> Verdict:
        """Runs the program; TypeError unless it answers True or False."""
        found = self.run()
        if found not in (True, False):
            raise TypeError(f"the check of {self.claim!r} must return True or False, got {found!r}")
        return Verdict.HOLDS if found else Verdict.FAILS


def _entries(left: Any, right: Any, where: sp.Dict) -> tuple[tuple[sp.Expr, sp.Expr], ...]:
    """Pairs of scalars that must be equal, derivatives and limits done, in the symbols of the parametrisation."""
    pairs = zip(left, right, strict=True) if isinstance(left, sp.MatrixBase) else [(left, right)]
    return tuple((_prepared(one, where), _prepared(other, where)) for one, other in pairs)


@lru_cache(maxsize=64)
def _prepared(side: sp.Expr, where: sp.Dict) -> sp.Expr:
    side = side.replace(lambda node: isinstance(node, sp.Limit), opened) if side.has(sp.Limit) else side
    side = side.doit(integrals=False)
    if where:
        side = side.subs(dict(where), simultaneous=True).doit(integrals=False)
        side = side.replace(_is_root_or_magnitude, _with_factored_argument)
    return side


def _is_root_or_magnitude(node: sp.Basic) -> bool:
    """Whether factoring the first argument may open it: sqrt((p + m)**2), |p*(p + m)| of positive symbols."""
    return isinstance(node, (sp.Abs, sp.sign)) or (node.is_Pow and node.exp.is_Rational and not node.exp.is_Integer)


@lru_cache(maxsize=256)
def _with_factored_argument(node: sp.Expr) -> sp.Expr:
    return node.func(sp.factor(node.args[0]), *node.args[1:])


@lru_cache(maxsize=4096)
def _compare(left: Any, right: Any, where: sp.Dict) -> tuple[Comparison, ...]:
    try:
        with budget(_SECONDS_TO_PREPARE + _SECONDS_TO_COMPARE):
            found = []
            for one, other in _entries(left, right, sp.Dict()):
                found.append(compare(one, other, where=where))
                if found[-1].witness is not None:
                    break
            return tuple(found)
    except OutOfTime:
        return ()


@lru_cache(maxsize=4096)
def _decide(left: Any, right: Any, where: sp.Dict) -> Verdict:
    if left == right:
        return Verdict.HOLDS
    if any(comparison.witness is not None for comparison in _compare(left, right, where)):
        return Verdict.FAILS
    try:
        with budget(_SECONDS_TO_PREPARE + _SECONDS_TO_PROVE):
            proved = all(_proved(one, other) for one, other in _entries(left, right, where))
    except OutOfTime:
        proved = False
    return Verdict.HOLDS if proved else Verdict.UNDECIDED


def _proved(left: sp.Expr, right: sp.Expr) -> bool:
    """Cheap first: identical, normal form, integrals done, sympy's simplify on what is small."""
    difference = left - right
    if difference == 0 or vanishes(difference):
        return True
    if difference.has(sp.Integral):
        if _integrands_cancel(difference):
            return True
        difference = difference.doit()
        if difference == 0 or vanishes(difference):
            return True
    difference = opened(difference)
    return bool(difference.count_ops() <= _LARGEST_TO_SIMPLIFY and sp.simplify(difference) == 0)


def _integrands_cancel(difference: sp.Expr) -> bool:
    """Whether a sum of multiples of integrals vanishes because the integrands over each range do."""
    rest: sp.Expr = sp.S.Zero
    integrands: dict[sp.Tuple, sp.Expr] = {}
    for term in sp.Add.make_args(sp.expand(difference, deep=False)):
        factors = sp.Mul.make_args(term)
        integrals = [factor for factor in factors if isinstance(factor, sp.Integral)]
        if not integrals:
            rest += term
            continue
        if len(integrals) > 1:
            return False
        (integral,) = integrals
        integrand = sp.Mul(*(integral.function if factor is integral else factor for factor in factors))
        integrands[integral.limits] = integrands.get(integral.limits, sp.S.Zero) + integrand
    return vanishes(rest) and all(vanishes(integrand) for integrand in integrands.values())
