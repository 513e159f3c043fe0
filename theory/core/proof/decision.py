"""The decision whether two expressions are equal: a proof, then a search for a counterexample, then sympy.

The normal form is exact, so a proof by it needs no search. sympy's integrals and simplifications have been wrong
before. They are therefore tried last, and count only if the search has found no point at which the two sides differ.
"""

from functools import lru_cache
from typing import Any

import sympy as sp

from closedform.interruption import OutOfTime, budget
from theory.core.formula import rounding
from theory.core.formula.special import opened
from theory.core.formula.subexpressions import binds, distinct, rebuilt, substituted
from theory.core.proof.factoring import factored
from theory.core.proof.normal_form import vanishes
from theory.core.proof.refutation import Point, compare

# CPU time. Safety nets only; a step that needs them is UNDECIDED.
_SECONDS_TO_PROVE = 60.0
_SECONDS_TO_REFUTE = 60.0
_SECONDS_TO_SIMPLIFY = 60.0
_LARGEST_TO_SIMPLIFY = 150


def decide(left: Any, right: Any, where: sp.Dict) -> bool | None:
    """Return whether ``left = right`` on the domain ``where``, None if open; OutOfTime if that took long."""
    if left == right:
        return True
    cut_short = False
    try:
        with budget(_SECONDS_TO_PROVE):
            if all(_vanishes(one, other) for one, other in entries(left, right, where)):
                return True
    except OutOfTime:
        cut_short = True
    try:
        if counterexample(left, right, where) is not None:
            return False
    except OutOfTime:
        cut_short = True
    try:
        with budget(_SECONDS_TO_SIMPLIFY):
            if all(
                _vanishes(one, other) or _simplifies_to_zero(one - other) for one, other in entries(left, right, where)
            ):
                return True
    except OutOfTime:
        cut_short = True
    if cut_short:
        raise OutOfTime
    return None


decided = lru_cache(maxsize=4096)(decide)
"""As :func:`decide`, once in a process."""


@lru_cache(maxsize=4096)
def counterexample(left: Any, right: Any, where: sp.Dict) -> Point | None:
    """Return a point, in the symbols of ``where``, at which the two sides clearly differ; None if none is found."""
    with budget(_SECONDS_TO_REFUTE):
        for one, other in entries(left, right, sp.Dict()):
            witness = compare(one, other, where=where).witness
            if witness is not None:
                return witness
    return None


def entries(left: Any, right: Any, where: sp.Dict) -> tuple[tuple[sp.Expr, sp.Expr], ...]:
    """Return pairs of scalars that must be equal, with derivatives and limits evaluated, in terms of ``where``."""
    left, right = _explicit(left), _explicit(right)
    pairs = zip(left, right, strict=True) if isinstance(left, sp.MatrixBase) else [(left, right)]
    return tuple((_prepared(one, where), _prepared(other, where)) for one, other in pairs)


def _explicit(side: Any) -> Any:
    """Return a side with its products, inverses, determinants and derivatives of matrices worked out."""
    if isinstance(side, sp.MatrixBase) or not any(isinstance(node, sp.MatrixBase) for node in distinct(side)):
        return side
    return side.doit(integrals=False)


@lru_cache(maxsize=64)
def _prepared(side: sp.Expr, where: sp.Dict) -> sp.Expr:
    side = rounding.written_out(side)
    if any(isinstance(node, sp.Limit) for node in distinct(side)):
        side = side.replace(lambda node: isinstance(node, sp.Limit), opened)
    side = _done(side)
    if where:
        values = dict(where)
        side = substituted(side, values, within=lambda node: node.subs(values, simultaneous=True))
        side = rebuilt(_done(side), _with_factored_argument)
    return side


def _done(side: sp.Expr) -> sp.Expr:
    """Return the expression with all but integrals worked out."""
    # Between two derivatives sympy would collect factors, which takes more time than it saves.
    unfinished = any(
        isinstance(node, sp.UnevaluatedExpr) or (binds(node) and not isinstance(node, sp.Integral))
        for node in distinct(side)
    )
    return side.doit(integrals=False, simplify=False) if unfinished else side


def _with_factored_argument(node: sp.Basic) -> sp.Basic:
    """Return the node simplified by factoring its argument: sqrt((p + m)**2), |p*(p + m)| of positive symbols."""
    if isinstance(node, (sp.Abs, sp.sign)) or (node.is_Pow and node.exp.is_Rational and not node.exp.is_Integer):
        return node.func(factored(node.args[0]), *node.args[1:])
    return node


@lru_cache(maxsize=256)
def _vanishes(left: sp.Expr, right: sp.Expr) -> bool:
    """Return whether the normal form proves ``left = right``."""
    difference = left - right
    return difference == 0 or vanishes(difference) or (difference.has(sp.Integral) and _integrands_cancel(difference))


def _simplifies_to_zero(difference: sp.Expr) -> bool:
    """Return whether the difference is zero after integration and, if it is small, sympy's simplify."""
    if difference.has(sp.Integral):
        difference = difference.doit()
        if difference == 0 or vanishes(difference):
            return True
    difference = opened(difference)
    return bool(difference.count_ops() <= _LARGEST_TO_SIMPLIFY and sp.simplify(difference) == 0)


def _integrands_cancel(difference: sp.Expr) -> bool:
    """Return whether a sum of multiples of integrals vanishes because the integrands over each range cancel."""
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
        outside = sp.Mul(*(factor for factor in factors if factor is not integral))
        if outside.free_symbols & set(integral.variables):  # x times an integral over x is not the integral of x times
            return False
        integrands[integral.limits] = integrands.get(integral.limits, sp.S.Zero) + outside * integral.function
    return vanishes(rest) and all(vanishes(integrand) for integrand in integrands.values())
