"""Kinds of steps that many derivations have: a rule at values of its letters, and a derivative.

A rule is one object, a premise or a closed form. The side of the step is made from it and the step rests on it, so that
what is stated and what is applied cannot differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from closedform import checks
from theory.core.formula.subexpressions import at_values
from theory.core.proof.derivation import Step


def applied(
    claim: str,
    value: Any,
    rule: Any,
    values: Mapping[sp.Symbol, Any],
    because: str = "",
    *,
    where: Mapping[sp.Symbol, sp.Expr] | None = None,
    uses: tuple[Any, ...] = (),
) -> Step:
    """Return the step that something is what a rule says at values of its letters.

    Args:
        claim: as for a :class:`Step`.
        value: expression or matrix that the rule gives.
        rule: premise with an expression, or closed form; the step uses it.
        values: letter of the rule -> an expression, or a premise or closed form, which the step then uses as well.
        because, where: as for a :class:`Step`.
        uses: what the step uses besides the rule and those among the values that state something. Default: nothing.

    Raises:
        TypeError, ValueError: as :class:`Step`, and if there are no values or the rule has no expression.

    >>> from theory.core import Premise
    >>> a, r = sp.symbols("a r", positive=True)
    >>> area = Premise("a circle has the area pi r^2", sp.pi * r**2)
    >>> applied("of twice the radius", 4 * sp.pi * a**2, area, {r: 2 * a}).check().name
    'HOLDS'
    """
    at = checks.mapping("values", values)
    checks.require(bool(at), "values", at, "a value of at least one letter")
    stated = tuple(node for node in at.values() if hasattr(node, "expression"))
    there = tuple(getattr(node, "expression", node) for node in at.values())
    return Step(
        claim,
        value,
        sp.Subs(_expression(rule), tuple(at), there),
        because,
        where,
        uses=(rule, *stated, *uses),
    )


def differentiated(
    claim: str,
    value: Any,
    function: Any,
    by: Any,
    because: str = "differentiation",
    *,
    at: Mapping[sp.Symbol, Any] | None = None,
    where: Mapping[sp.Symbol, sp.Expr] | None = None,
    uses: tuple[Any, ...] = (),
) -> Step:
    """Return the step that something is the derivative of a function.

    Args:
        claim: as for a :class:`Step`.
        value: the derivative, an expression, or a matrix of the shape of ``by``.
        function: scalar expression, or a premise or closed form, which the step then uses.
        by: a letter, a pair of a letter and an order, or a matrix of letters.
        because, where: as for a :class:`Step`.
        at: letter -> its value, at which the derivative is taken. Default: everywhere.
        uses: what the step uses besides. Default: nothing.

    Raises:
        TypeError, ValueError: as :class:`Step`, and if the rule has no expression.

    >>> x = sp.Symbol("x")
    >>> differentiated("the slope of a cube", 3 * x**2, x**3, x).check().name
    'HOLDS'
    >>> differentiated("a cube is flat at 0", 0, x**3, x, at={x: 0}).check().name
    'HOLDS'
    """
    stated = (function,) if hasattr(function, "expression") else ()
    scalar = _expression(function) if stated else function
    if isinstance(by, sp.MatrixBase):
        derivative = by.applyfunc(lambda letter: sp.Derivative(scalar, letter))
    else:
        derivative = sp.Derivative(scalar, by)
    if at:
        derivative = at_values(derivative, at, at.values())
    return Step(claim, value, derivative, because, where, uses=(*stated, *uses))


def _expression(rule: Any) -> Any:
    expression = getattr(rule, "expression", None)
    needs = "a premise with an expression, or a closed form"
    checks.require(expression is not None, "rule", rule, needs)
    return expression
