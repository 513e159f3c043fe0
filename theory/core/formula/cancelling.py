"""Formulas whose terms may cancel: which can be computed in pairs of floats, and what is done with those of kernels."""

import sympy as sp

from theory.core.formula.let import Let
from theory.core.formula.rounding import compensated, watched
from theory.core.formula.special import phi1


def is_compensable(expression: sp.Expr) -> bool:
    """Return whether an expression can be computed in pairs of floats.

    Args:
        expression: the expression.
    """
    if isinstance(expression, Let):
        return all(
            map(
                is_compensable,
                (expression.result, *(value for _, value in expression.definitions)),
            )
        )
    known = (sp.exp, sp.log, sp.Abs, sp.sign, phi1, compensated)
    functions, powers = expression.atoms(sp.Function), expression.atoms(sp.Pow)
    return (
        not expression.has(sp.Integral)
        and all(isinstance(function, known) for function in functions)
        and all(power.exp.is_Rational and power.exp.q <= 2 for power in powers)
    )


def of_near_inputs(kernel: sp.Expr) -> sp.Expr:
    """Return a kernel that is watched, with twice the digits in exponents, which are differences.

    Args:
        kernel: the kernel; one with integrals stays as it is.
    """
    if kernel.has(sp.Integral):
        return kernel

    def exponential(exponent: sp.Expr) -> sp.Expr:
        return sp.exp(compensated(exponent) if is_compensable(exponent) else exponent)

    return watched(kernel.replace(sp.exp, exponential))
