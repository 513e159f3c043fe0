"""Numbers as their user means them: exact, until they are rounded once to a working precision."""

from __future__ import annotations

import decimal
import fractions
from typing import Any

import mpmath
import numpy as np
import sympy as sp


def exact(name: str, value: Any) -> sp.Expr:
    """The value as an exact real number.

    Strings are exact decimals or ratios ("0.3", "1e-8", "1/3"); floats are the binary fractions they are.

    Raises:
        TypeError, ValueError: naming the argument, if the value is not one finite real number.
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        if isinstance(value, mpmath.ctx_mp_python._mpf):
            sign, mantissa, exponent, _ = value._mpf_  # man_exp has no sign
            result = (-1) ** int(sign) * sp.Integer(int(mantissa)) * sp.Integer(2) ** int(exponent)
            result = result if mpmath.isfinite(value) else sp.nan
        elif isinstance(value, (float, np.floating)):
            result = sp.Rational(*value.as_integer_ratio())
        elif isinstance(value, (int, np.integer)):
            result = sp.Integer(int(value))
        elif isinstance(value, (str, decimal.Decimal, fractions.Fraction)):
            result = sp.Rational(
                fractions.Fraction(value.strip().replace(" ", "") if isinstance(value, str) else value)
            )
        elif isinstance(value, sp.Expr) and value.is_number:
            result = value
        else:
            raise TypeError
    except TypeError:
        raise TypeError(f"{name} must be a real number or its decimal text, got {value!r}") from None
    except (ValueError, OverflowError, ZeroDivisionError):
        raise ValueError(f"{name} must be a finite real number, got {value!r}") from None
    if not (result.is_real and result.is_finite):
        raise ValueError(f"{name} must be a finite real number, got {value!r}")
    return result


def number(value: sp.Expr, context: Any) -> Any:
    """``value`` rounded to the precision of ``context``."""
    if value.is_Rational:
        return context.mpf(int(value.p)) / int(value.q)
    return context.make_mpf(value.evalf(context.dps + 5)._mpf_) + 0
