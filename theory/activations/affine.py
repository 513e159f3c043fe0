"""Activations that are a function of a multiple of the pre-activation, times a number, plus a number."""

import sympy as sp

from theory.activations.activation import Activation, z


def affine_parts(
    act: Activation, function: type[sp.Function]
) -> tuple[sp.Expr, sp.Expr, sp.Expr] | None:
    """Return the numbers p, q and g of an activation ``p + q f(g z)``, or None for one of another kind.

    Args:
        act: activation.
        function: the function f, such as ``sympy.erf``.

    >>> from theory.activations import from_text
    >>> affine_parts(from_text("2 + 3*erf(z/3)"), sp.erf)
    (2, 3, 1/3)
    """
    if not act.expression.has(function):
        return None
    p, q, g = (sp.Wild(name, exclude=[z]) for name in "pqg")
    match = act.expression.match(p + q * function(g * z))
    return None if match is None else (match[p], match[q], match[g])
