"""The printer of expressions that are computed in pairs of numbers, with the functions of ``pairs``.

It knows which values are single numbers, whose second number is 0, and does without it. Exponentials are written out as
a Taylor polynomial of a small part of the exponent and doublings, so that no source has loops.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import sympy as sp

_HALVINGS = 16  # of an exponent, which is then below 0.011, so that twelve terms of the series have all digits
_TERMS = 12
_PAIRED = 6  # terms in pairs; the others together are below 4e-16 of the first, so that one number has their digits
_LEAST_EXPONENT = -700.0  # the exponential counts as 0 below it
_DIGITS = 50  # of a constant before it is written as a pair


class Value(NamedTuple):
    """The code of a value.

    Args:
        code: its code.
        is_pair: whether it is a pair; otherwise it is one number.
        is_scale: whether it is one number, 0 or a power of two with any sign, by which products are exact.
    """

    code: str
    is_pair: bool
    is_scale: bool = False

    @property
    def pair(self) -> str:
        """The code of the pair."""
        return self.code if self.is_pair else f"({self.code}, 0.0)"

    @property
    def high(self) -> str:
        """The code of the first number."""
        return f"{self.code}[0]" if self.is_pair else self.code


class PairPrinter:
    """Source with one operation a line, from expressions of numbers.

    Args:
        names: names of the symbols.
        are_pairs: whether the symbols are pairs, and not single numbers.
    """

    def __init__(self, names: dict[sp.Symbol, str], are_pairs: bool = False) -> None:
        self._known: dict[Any, Value] = {
            symbol: Value(name, are_pairs) for symbol, name in names.items()
        }
        self._lines: list[str] = []

    def lines(self, shared: Sequence[tuple[sp.Symbol, sp.Expr]], result: sp.Expr) -> list[str]:
        """Return the lines of a function that returns a pair, for parts that have names and the result in these."""
        for letter, part in shared:
            self._known[letter] = self.value(part)
        value = self.value(result)
        return [*self._lines, f"return {value.pair}"]

    def value(self, node: sp.Expr) -> Value:
        """Return the value of an expression, after the lines that compute it."""
        if node not in self._known:
            self._known[node] = _number(node) if node.is_number else self._computed(node)
        return self._known[node]

    def _line(self, code: str, is_pair: bool = True, is_scale: bool = False) -> Value:
        name = f"p{len(self._lines)}"
        self._lines.append(f"{name} = {code}")
        return Value(name, is_pair, is_scale)

    def _computed(self, node: sp.Expr) -> Value:
        if node.is_Add:
            first, *others = map(self.value, node.args)
            for term in others:
                first = self.sum(first, term)
            return first
        if node.is_Mul:
            return self._product_of(node)
        if node.is_Pow and node.exp.is_Rational and node.exp.q <= 2:
            return self._power(node)
        parts = [self.value(argument) for argument in node.args]
        own: dict[str, Callable[..., Value]]
        own = {
            "exp": self._exponential,
            "phi1": self._phi1,
            "log": self._log,
            "log_ratio": self._log_ratio,
        }
        name = type(node).__name__
        if name in own:
            return own[name](*parts)
        is_single = name == "sign" or (name == "Abs" and not parts[0].is_pair)
        argument = parts[0].high if is_single else ", ".join(part.pair for part in parts)
        function = name if is_single else f"pair_{name}"
        return self._line(f"{function}({argument})", not is_single, is_scale=name == "sign")

    def sum(self, a: Value, b: Value) -> Value:
        """Return the sum of two values."""
        if a.is_pair and b.is_pair:
            return self._line(f"pair_add({a.code}, {b.code})")
        if a.is_pair or b.is_pair:
            pair, single = (a, b) if a.is_pair else (b, a)
            return self._line(f"pair_add_single({pair.code}, {single.code})")
        return self._line(f"pair_of_sum({a.code}, {b.code})")

    def product(self, a: Value, b: Value) -> Value:
        """Return the product of two values."""
        if a.is_scale or b.is_scale:
            return self._scaled(*((b, a) if a.is_scale else (a, b)))
        if a.code == b.code:
            return self._line(f"pair_{'square' if a.is_pair else 'of_square'}({a.code})")
        if a.is_pair and b.is_pair:
            return self._line(f"pair_multiply({a.code}, {b.code})")
        if a.is_pair or b.is_pair:
            pair, single = (a, b) if a.is_pair else (b, a)
            return self._line(f"pair_multiply_single({pair.code}, {single.code})")
        return self._line(f"pair_of_product({a.code}, {b.code})")

    def _scaled(self, a: Value, scale: Value) -> Value:
        """Return the product of a value and a scale, without a rounding error."""
        if scale.code == "1.0":
            return a
        if scale.code == "-1.0":
            return self._line(f"pair_negative({a.code})" if a.is_pair else f"-{a.code}", *a[1:])
        code = f"pair_scaled({a.code}, {scale.code})" if a.is_pair else f"{a.code} * {scale.code}"
        return self._line(code, *a[1:])

    def ratio(self, a: Value, b: Value) -> Value:
        """Return the ratio of two values."""
        if not a.is_pair and not b.is_pair:
            return self._line(f"pair_of_ratio({a.code}, {b.code})")
        return self._line(f"pair_divide{'' if b.is_pair else '_single'}({a.pair}, {b.code})")

    def _product_of(self, node: sp.Mul) -> Value:
        factors = [a for a in node.args if not a.is_number]
        below = [a for a in factors if a.is_Pow and a.exp.is_Rational and a.exp < 0]
        above = [a for a in factors if a not in below]
        total = _number(sp.Mul(*(a for a in node.args if a.is_number)))
        for factor in above:
            total = self.product(self.value(factor), total)
        for factor in below:
            total = self.ratio(total, self.value(sp.Pow(factor.base, -factor.exp)))
        return total

    def _power(self, node: sp.Pow) -> Value:
        base, exponent = node.args
        if exponent < 0:
            return self.ratio(_ONE, self.value(sp.Pow(base, -exponent)))
        if exponent.q == 2:
            root = self._line(f"pair_sqrt({self.value(base).pair})")
            return self.to_power(root, int(exponent.p))
        return self.to_power(self.value(base), int(exponent))

    def to_power(self, base: Value, exponent: int) -> Value:
        """Return an integer power, by squares."""
        if exponent == 1:
            return base
        half = self.to_power(base, exponent // 2)
        square = self.product(half, half)
        return self.product(square, base) if exponent % 2 else square

    def _part_less_one(self, x: Value) -> tuple[Value, Value]:
        """Return exp(x/2**16) - 1 and whether x is above the least exponent (1 or 0); x counts as 0 where it is not."""
        is_above = self._line(f"({x.high} > {_LEAST_EXPONENT}) * 1.0", False, is_scale=True)
        scale = self._line(f"{is_above.code} * {0.5**_HALVINGS!r}", False, is_scale=True)
        part = self.product(x, scale)
        tail = repr(1 / math.factorial(_TERMS))
        for n in range(_TERMS - 1, _PAIRED, -1):
            tail = f"{1 / math.factorial(n)!r} + {part.high} * ({tail})"
        total = self._line(tail, False)
        for n in range(_PAIRED, 0, -1):
            total = self.sum(self.product(total, part), _pair_of(Fraction(1, math.factorial(n))))
        return self.product(total, part), is_above

    def _exponential(self, x: Value) -> Value:
        less_one, is_above = self._part_less_one(x)
        power = self.to_power(self.sum(less_one, _ONE), 2**_HALVINGS)
        return self.product(power, is_above)

    def _phi1(self, x: Value) -> Value:
        less_one, is_above = self._part_less_one(x)
        for _ in range(_HALVINGS):
            less_one = self.product(less_one, self.sum(less_one, Value("2.0", False)))
        return self.ratio(self.sum(less_one, self._line(f"{is_above.code} - 1.0", False)), x)

    def _log(self, x: Value) -> Value:
        return self._refined_log(x, f"log({x.high})")

    def _log_ratio(self, x: Value, y: Value) -> Value:
        return self._refined_log(self.ratio(x, y), f"log({x.high}) - log({y.high})")

    def _refined_log(self, x: Value, rounded: str) -> Value:
        """Return a step of Newton from the code of the rounded logarithm."""
        nearly = self._line(rounded, False)
        remainder = self.ratio(x, self._exponential(nearly))
        return self.sum(self.sum(remainder, Value("-1.0", False)), nearly)


def _pair_of(number: Fraction) -> Value:
    high = float(number)
    low = float(number - Fraction(high))
    is_scale = not low and abs(math.frexp(high)[0]) in (0.0, 0.5)
    return Value(f"({high!r}, {low!r})" if low else repr(high), bool(low), is_scale)


def _number(number: sp.Expr) -> Value:
    """Return a constant and its rounding error."""
    if number.is_Rational:
        return _pair_of(Fraction(int(number.p), int(number.q)))
    high = float(number.evalf(_DIGITS))
    return Value(f"({high!r}, {float((number - sp.Rational(high)).evalf(_DIGITS))!r})", True)


_ONE = Value("1.0", False, is_scale=True)
PRINTED: dict[str, Callable[..., Any] | None] = dict.fromkeys(
    ("pair_exp", "pair_phi1", "pair_log", "pair_log_ratio", "pair_sign"), None
)
"""Functions that the printer writes out."""
