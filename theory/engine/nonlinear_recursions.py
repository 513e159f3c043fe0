r"""Solutions of recursions of one letter that become linear, or a square, in another letter.

A ratio of linear functions, :math:`x_{\ell+1} = (a x_\ell + b)/(c x_\ell + d)`, is that of two letters which obey a
linear recursion. A quadratic function is :math:`y_{\ell+1} = y_\ell^2 + C` in :math:`y = a x + b/2`, which has a short
solution for :math:`C = 0` and :math:`C = -2` only: :math:`y_0^{2^\ell}`, and :math:`2\cos(2^\ell \arccos(y_0/2))`,
whose angle is complex for starts beyond 2 in size.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from theory.core.formula.rounding import written_out
from theory.engine import linear_recursions
from theory.engine.linear_recursions import Unsolved


def solution(
    rules: Mapping[sp.Symbol, sp.Expr], start: Mapping[sp.Symbol, sp.Expr], index: sp.Symbol
) -> dict[sp.Symbol, sp.Expr]:
    """Return the value of each letter as an expression in the index.

    Args:
        rules: letter -> its value one level up, in the letters and the index.
        start: letter -> its value at index 0.
        index: symbol of the index.

    Raises:
        Unsolved: if the recursion is neither linear nor of one of the kinds above.

    >>> x, a = sp.symbols("x a", positive=True)
    >>> l = sp.Symbol("l", integer=True, nonnegative=True)
    >>> solution({x: x / (1 + x)}, {x: a}, l)[x]
    a/(a*l + 1)
    >>> solution({x: 2 * x * (1 - x)}, {x: a}, l)[x]
    1/2 - (1 - 2*a)**(2**l)/2
    """
    if len(rules) == 1:
        ((letter, given),) = rules.items()
        rule = sp.cancel(sp.together(written_out(given)))
        above, below = sp.fraction(rule)
        if not rule.has(index) and above.is_polynomial(letter) and below.is_polynomial(letter):
            if below.has(letter) and max(sp.degree(above, letter), sp.degree(below, letter)) == 1:
                return {letter: _ratio(letter, above, below, start[letter], index)}
            if not below.has(letter) and sp.degree(above, letter) == 2:
                return {letter: _square(letter, rule, start[letter], index)}
    return linear_recursions.solution(rules, start, index)


def _ratio(
    letter: sp.Symbol, above: sp.Expr, below: sp.Expr, start: sp.Expr, index: sp.Symbol
) -> sp.Expr:
    """Return the value of a letter that becomes a ratio of linear functions of itself."""
    top, bottom = sp.symbols("top bottom", cls=sp.Dummy)
    first, second = (sp.expand(part) for part in (above, below))
    rules = {
        top: first.coeff(letter, 1) * top + first.coeff(letter, 0) * bottom,
        bottom: second.coeff(letter, 1) * top + second.coeff(letter, 0) * bottom,
    }
    solved = linear_recursions.solution(rules, {top: start, bottom: sp.S.One}, index)
    return sp.cancel(solved[top] / solved[bottom])


def _square(letter: sp.Symbol, rule: sp.Expr, start: sp.Expr, index: sp.Symbol) -> sp.Expr:
    """Return the value of a letter that becomes a quadratic function of itself."""
    leading, linear, constant = sp.Poly(rule, letter).all_coeffs()
    shift = sp.simplify(leading * constant + linear / 2 - linear**2 / 4)
    begin = leading * start + linear / 2
    if shift == 0:
        squared = begin ** (2**index)
    elif shift == -2:
        squared = 2 * sp.cos(2**index * sp.acos(begin / 2))
    else:
        raise Unsolved(
            f"{letter} is a square plus {shift} in another letter, of which only that plus 0 and less 2 have a solution"
        )
    return (squared - linear / 2) / leading
