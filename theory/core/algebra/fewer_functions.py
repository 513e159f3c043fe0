"""Functions written by fewer others, on their principal branches and so at all complex arguments."""

import sympy as sp

from theory.core.formula.subexpressions import replaced

_BY_RECIPROCALS = {
    sp.acot: lambda x: sp.atan(1 / x),
    sp.asec: lambda x: sp.acos(1 / x),
    sp.acsc: lambda x: sp.asin(1 / x),
    sp.acoth: lambda x: sp.atanh(1 / x),
    sp.asech: lambda x: sp.acosh(1 / x),
    sp.acsch: lambda x: sp.asinh(1 / x),
}
_BY_OTHERS = {
    sp.erfc: lambda x: 1 - sp.erf(x),
    sp.acos: lambda x: sp.pi / 2 - sp.asin(x),
    sp.asinh: lambda x: sp.log(x + sp.sqrt(x**2 + 1)),
    sp.acosh: lambda x: sp.log(x + sp.sqrt(x + 1) * sp.sqrt(x - 1)),
    sp.atanh: lambda x: (sp.log(1 + x) - sp.log(1 - x)) / 2,
}


def without_reciprocals(expression: sp.Basic) -> sp.Basic:
    """Return the expression with inverses of cotangent, secant and their kin by those of tangent, cosine and sine.

    >>> without_reciprocals(sp.acot(sp.Symbol("x")))
    atan(1/x)
    """
    return replaced(expression, _BY_RECIPROCALS)


def in_fewer_functions(expression: sp.Basic) -> sp.Basic:
    """Return the expression without functions that others express, such as inverse hyperbolic ones by logarithms.

    >>> in_fewer_functions(sp.acos(sp.Symbol("x")))
    -asin(x) + pi/2
    """
    return replaced(without_reciprocals(expression), _BY_OTHERS)
