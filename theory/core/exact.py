"""Numbers as their user means them: exact, until they are rounded once to a working precision.

One meaning everywhere: an int, a ratio, a sympy number is what it is; a float is the binary fraction that it holds;
text is the exact decimal, ratio or expression that it writes out: "0.1" is 1/10, and 0.1 is not. numpy's numbers are
taken like Python's.
"""

from __future__ import annotations

import decimal
import fractions
from typing import Any

import mpmath
import numpy as np
import sympy as sp

from theory.core.parsing import parse

UNTYPED = (int, float, str, decimal.Decimal, fractions.Fraction, sp.Expr, mpmath.mpf)
"""Numbers without a precision of their own beside arrays: they adopt that of the arrays."""
NUMBERS = (*UNTYPED, np.integer, np.floating)
"""What ``exact`` takes. A bool is refused although Python calls it an int."""
# Ratios with this denominator or a larger power of two are shown as decimals.
_UNREADABLE = 2**20


def exact(name: str, value: Any) -> sp.Expr:
    """The value as an exact real number.

    Args:
        name: of the argument, for messages.
        value: an int, float, ``Fraction``, ``Decimal``, number of numpy, mpmath or sympy, or text: a decimal, ratio or
            expression ("0.3", "1e-8", "1/3", "sqrt(2)/3"), exactly as written. Floats are the binary fractions they
            are.

    Raises:
        TypeError, ValueError: naming the argument, if the value is not one finite real number.
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, NUMBERS):
        raise TypeError(f"{name} must be a real number or its decimal text, got {value!r}")
    try:
        result = _exact(value)
    except (ValueError, OverflowError, ZeroDivisionError) as error:
        reason = f": {error}" if isinstance(value, str) else ""
        raise ValueError(f"{name} must be a finite real number, got {_shown(value)}{reason}") from None
    if not _is_finite_and_real(result):
        raise ValueError(f"{name} must be a finite real number, got {_shown(value)}")
    return result


def _exact(value: Any) -> sp.Expr:
    if isinstance(value, (str, decimal.Decimal)):
        return parse(str(value))
    if isinstance(value, mpmath.mpf):
        sign, mantissa, exponent, _ = value._mpf_  # man_exp has no sign
        result = (-1) ** int(sign) * sp.Integer(int(mantissa)) * sp.Integer(2) ** int(exponent)
        return result if mpmath.isfinite(value) else sp.nan
    if isinstance(value, sp.Expr):
        return without_floats(value)
    if isinstance(value, (int, np.integer)):
        return sp.Integer(int(value))
    if isinstance(value, fractions.Fraction):
        return sp.Rational(value.numerator, value.denominator)
    return sp.Rational(*value.as_integer_ratio())


def without_floats(expression: sp.Expr) -> sp.Expr:
    """The expression with the binary fraction in place of each sympy Float."""
    floats = expression.atoms(sp.Float)
    return expression.xreplace({number: sp.Rational(number) for number in floats})


def _is_finite_and_real(value: sp.Expr) -> bool:
    """Decided by what sympy knows of the number, and by its digits where it does not know."""
    if not value.is_number:
        return False
    if value.is_real is None or value.is_finite is None:
        value = value.evalf(15)
    return bool(value.is_real and value.is_finite)


def number(value: sp.Expr, context: Any) -> Any:
    """``value`` rounded to the precision of ``context``."""
    if value.is_Rational:
        return context.mpf(int(value.p)) / int(value.q)
    return context.make_mpf(value.evalf(context.dps + 5)._mpf_) + 0


def as_float(name: str, value: Any) -> float:
    """``value``, anything that ``exact`` takes, rounded to a float; infinite where it is too large for one."""
    if isinstance(value, (float, np.floating)):
        return float(value)
    precise = exact(name, value)
    try:
        if precise.is_Rational:
            return int(precise.p) / int(precise.q)
        return float(precise.evalf(30))
    except OverflowError:
        return float("inf") if precise > 0 else float("-inf")


def readable(expression: sp.Basic) -> sp.Basic:
    """The expression to be printed: binary fractions that no one reads stand as their shortest decimal."""
    ratios = {
        ratio
        for ratio in expression.atoms(sp.Rational)
        if ratio.q >= _UNREADABLE and not int(ratio.q) & (int(ratio.q) - 1)
    }
    return expression.xreplace({ratio: sp.Float(repr(int(ratio.p) / int(ratio.q)), 17) for ratio in ratios})


def _shown(value: Any) -> str:
    text = repr(str(value) if isinstance(value, str) else value)
    return text if len(text) <= 60 else f"{text[:57]}..."
