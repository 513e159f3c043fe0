"""Exact conversion of input numbers, which are rounded only once to a working precision.

The rules are the same in all packages. Integers, ratios and sympy numbers are exact. A float is its exact binary
fraction. A string is the exact decimal, ratio or expression that it contains: "0.1" is 1/10, and the float 0.1 is not.
numpy numbers follow the rules of Python numbers.
"""

import decimal
import fractions
import math
import numbers
from typing import Any

import mpmath
import sympy as sp

from closedform.checks.plain import shown
from theory.core.formula.parsing import parse, require_digits, require_moderate

UNTYPED = (int, float, str, decimal.Decimal, fractions.Fraction, sp.Expr, mpmath.mpf)
"""Numbers without a precision of their own next to arrays: they adopt that of the arrays."""
NUMBERS = (*UNTYPED, numbers.Real)  # as the numbers of numpy are
"""What ``exact`` takes. A bool is refused although Python calls it an int."""
# Ratios whose denominator is this power of two or a larger one are shown as decimals.
_UNREADABLE = 2**20
# of the digits and the exponent of a number of mpmath, such as `evaluate` returns
_MOST_BITS = 2**20

_LARGEST_DEGREE = 100  # product of the indices of roots, for which the minimal polynomial takes less than a second


def exact(name: str, value: Any) -> sp.Expr:
    """Return a number of any library, or a string with an expression, as an exact real; floats are binary fractions."""
    if isinstance(value, bool) or not isinstance(value, NUMBERS):
        raise TypeError(f"{name}: got {shown(value)}, needs a real number or its decimal text")
    try:
        result = _exact(value)
    except (ValueError, OverflowError, ZeroDivisionError) as error:
        reason = f": {error}" if str(error) else ""
        raise ValueError(
            f"{name}: got {shown(value)}, needs a finite real number{reason}"
        ) from None
    if (
        result.is_Add
        and result.is_number
        and result.evalf(15).is_Float
        and result.evalf(15)._prec == 1
    ):
        result = without_radicals(result)
    if not _is_finite_and_real(result):
        advice = "; .specialise() and .expression take expressions" if result.free_symbols else ""
        raise ValueError(f"{name}: got {shown(value)}, needs a finite real number{advice}")
    return result


def _exact(value: Any) -> sp.Expr:
    if isinstance(value, (str, decimal.Decimal)):
        return parse(str(value))
    if isinstance(value, mpmath.mpf):
        sign, mantissa, exponent, bits = value._mpf_  # man_exp has no sign
        if max(abs(exponent), bits) > _MOST_BITS:
            raise OverflowError
        result = (-1) ** int(sign) * sp.Integer(int(mantissa)) * sp.Integer(2) ** int(exponent)
        return result if mpmath.isfinite(value) else sp.nan
    if isinstance(value, sp.Expr):
        require_moderate(value)
        return value.xreplace({number: sp.Rational(number) for number in value.atoms(sp.Float)})
    if isinstance(value, numbers.Rational):
        ratio = int(value.numerator), int(value.denominator)
        require_digits(max(part.bit_length() for part in ratio))
        return sp.Rational(*ratio)
    return sp.Rational(*value.as_integer_ratio())


def without_radicals(value: sp.Expr) -> sp.Expr:
    """Return an algebraic number as a ratio where it is one, which no digits show: sqrt(3 + 2 sqrt(2)) - sqrt(2)."""
    degree = math.prod(int(power.exp.q) for power in value.atoms(sp.Pow) if power.exp.is_Rational)
    if value.is_Rational or degree > _LARGEST_DEGREE or not value.is_algebraic:
        return value
    polynomial = sp.Poly(sp.minimal_polynomial(value))
    return -polynomial.nth(0) / polynomial.nth(1) if polynomial.degree() == 1 else value


def _is_finite_and_real(value: sp.Expr) -> bool:
    """Return whether a number is finite and real, by sympy's assumptions or, if these do not decide, by its digits."""
    if not value.is_number:
        return False
    if value.is_real is None or value.is_finite is None:
        value = value.evalf(15)
    return bool(value.is_real and value.is_finite)


def number(value: sp.Expr, context: Any) -> Any:
    """Return ``value`` rounded to the precision of ``context``."""
    if value.is_Rational:
        return context.mpf(int(value.p)) / int(value.q)
    return context.make_mpf(value.evalf(context.dps + 5)._mpf_) + 0


def as_float(name: str, value: Any) -> float:
    """Return ``value``, anything that ``exact`` takes, rounded to a float; infinite if it exceeds the range."""
    if isinstance(value, numbers.Real) and not isinstance(
        value, (numbers.Rational, sp.Expr, mpmath.mpf)
    ):
        return float(value)
    precise = exact(name, value)
    try:
        if precise.is_Rational:
            return int(precise.p) / int(precise.q)
        return float(precise.evalf(30))
    except OverflowError:
        return float("inf") if precise > 0 else float("-inf")


def readable(expression: sp.Basic) -> sp.Basic:
    """Return the expression for display, with long binary fractions replaced by their shortest decimal."""
    ratios = {
        ratio
        for ratio in expression.atoms(sp.Rational)
        if ratio.q >= _UNREADABLE and not int(ratio.q) & (int(ratio.q) - 1)
    }
    return expression.xreplace(
        {ratio: sp.Float(repr(int(ratio.p) / int(ratio.q)), 17) for ratio in ratios}
    )
