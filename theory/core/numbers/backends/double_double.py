"""Double-double arithmetic: pairs of float64 numbers, with roots, exponentials and logarithms, for arrays and tensors.

Sums and products of two numbers are exactly such pairs (Knuth; Dekker, with Veltkamp's splitting), and further
operations lose only digits beyond the second number. numpy and torch use it for expressions in ``compensated``.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp

from closedform.rounding import two_product, two_sum

NAME = "double-double"
FOLDS = True


class Pair:
    """The sum of ``high`` and of ``low``, at most half a unit in its last place; 0.0 if the pair is a single number.

    Tensors are made pairs before they are added to one, for ``torch.compile``.
    """

    __slots__ = ("high", "is_single", "low")

    def __init__(self, high: Any, low: Any = 0.0) -> None:
        self.high, self.low = high, low
        self.is_single = isinstance(low, float) and low == 0

    def minus_product(self, a: Any, b: Any) -> Any:
        """Return the difference from a rounded product ``a b`` of two numbers that is nearly ``high``, rounded."""
        total, error = two_product(a, b)
        rest = (self.high - total) - error
        return rest if self.is_single else rest + self.low

    def __add__(self, other: Any) -> "Pair":
        other = _pair(other)
        high, error = two_sum(self.high, other.high)
        if self.is_single and other.is_single:
            return Pair(high, error)
        if self.is_single or other.is_single:
            return _sum_in_order(high, error + (other if self.is_single else self).low)
        low, rest = two_sum(self.low, other.low)
        nearly = _sum_in_order(high, error + low)
        return _sum_in_order(nearly.high, nearly.low + rest)

    def __mul__(self, other: Any) -> "Pair":
        other = _pair(other)
        high, error = two_product(self.high, other.high)
        if self.is_single and other.is_single:
            return Pair(high, error)
        if self.is_single:
            crossed = self.high * other.low
        elif other.is_single:
            crossed = self.low * other.high
        else:
            crossed = self.high * other.low + self.low * other.high
        return _sum_in_order(high, error + crossed)

    def __truediv__(self, other: Any) -> "Pair":
        other = _pair(other)
        first = self.high / other.high
        rest = self.minus_product(first, other.high)
        rest = rest if other.is_single else rest - first * other.low
        return _sum_in_order(first, rest / other.high)

    def __neg__(self) -> "Pair":
        return Pair(-self.high, self.low if self.is_single else -self.low)

    def __sub__(self, other: Any) -> "Pair":
        return self + -_pair(other)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: Any) -> "Pair":
        return _pair(other) + -self

    def __rtruediv__(self, other: Any) -> "Pair":
        return _pair(other) / self


def _sum_in_order(a: Any, b: Any) -> Pair:
    """Return the sum, where ``a`` is the larger number or 0 (Dekker)."""
    total = a + b
    return Pair(total, b - (total - a))


def _pair(number: Any) -> Pair:
    return number if isinstance(number, Pair) else Pair(number)


def _integer_power(x: Pair, n: int) -> Pair:
    half = _integer_power(x, n // 2) if n > 1 else None
    square = half * half if half is not None else None
    return x if square is None else square * x if n % 2 else square


def _rational(number: Fraction) -> Pair:
    return Pair(float(number), float(number - Fraction(float(number))))


_HALVINGS = 16  # of an exponent, which is then below 0.011, so that twelve terms of the series have all digits
_TAYLOR = [_rational(Fraction(1, math.factorial(n))) for n in range(12, 0, -1)]
_LEAST_EXPONENT = -700.0  # the exponential counts as 0 below it


def _expm1_of_part(x: Pair) -> tuple[Pair, Any]:
    """Return exp(x/2**16) - 1, and whether x is above the least exponent (1 or 0); where it is not, x counts as 0."""
    is_above = (x.high > _LEAST_EXPONENT) * 1.0
    part = x * Pair(is_above * 0.5**_HALVINGS)
    total = _TAYLOR[0]
    for coefficient in _TAYLOR[1:]:
        total = total * part + coefficient
    return total * part, is_above


def _exp(x: Pair) -> Pair:
    of_part, is_above = _expm1_of_part(x)
    return _integer_power(of_part + 1.0, 2**_HALVINGS) * Pair(is_above)


def _phi1(x: Pair) -> Pair:
    result, is_above = _expm1_of_part(x)
    for _ in range(_HALVINGS):
        result = result * (result + 2.0)
    return (result - Pair(1.0 - is_above)) / x


def functions(
    root: Callable[..., Any], sign: Callable[..., Any], log: Callable[..., Any]
) -> dict[str, Callable[..., Any]]:
    """Return the map from names of sympy functions to callables of pairs, with three functions of the array library."""

    def sqrt(x: Pair) -> Pair:
        first = root(x.high)
        rest = x.minus_product(first, first)
        return _sum_in_order(first, rest / (2 * first + (first == 0)))

    def magnitude(x: Pair) -> Pair:
        return Pair(sign(x.high) * x.high, x.low if x.is_single else sign(x.high) * x.low)

    def quotient(x: Pair, y: Pair) -> Pair:
        return x / (y + Pair((x.high == 0) * (y.high == 0) * 1.0))

    def log_ratio(x: Pair, y: Pair) -> Pair:
        nearly = Pair(log(x.high) - log(y.high))
        return x / y / _exp(nearly) - 1.0 + nearly  # a step of Newton

    return {
        "sqrt": sqrt,
        "exp": _exp,
        "phi1": _phi1,
        "log": lambda x: log_ratio(x, Pair(1.0)),
        "log_ratio": log_ratio,
        "quotient": quotient,
        "Abs": magnitude,
        "sign": lambda x: Pair(sign(x.high)),
        "integer_power": _integer_power,
        "pair": Pair,
    }


def literal(number: sp.Expr, **options: Any) -> str | None:
    """Return the code of a constant as a float and its rounding error."""
    if number.is_Integer and abs(number) < 2**53:
        return None
    high = float(number.evalf(50))
    return f"pair({high!r}, {float((number - sp.Rational(high)).evalf(50))!r})"
