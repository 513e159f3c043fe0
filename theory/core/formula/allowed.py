"""The numbers that an argument may be, as one table that all backends, printers and pages read.

The table is read from the assumptions of a sympy symbol here and nowhere else.

>>> domain(sp.Symbol("n", positive=True, integer=True))
Domain(low=0.0, high=inf, has_low=False, has_high=False, is_integer=True, is_nonzero=False)
"""

import math
from dataclasses import dataclass

import sympy as sp


@dataclass(frozen=True)
class Domain:
    """An interval of finite numbers, maybe of integers alone, maybe without zero.

    Args:
        low: lower end, 0 or minus infinity.
        high: upper end, 0 or infinity.
        has_low: whether the lower end belongs to it.
        has_high: whether the upper end belongs to it.
        is_integer: whether it has integers alone.
        is_nonzero: whether 0 is left out although numbers of both signs belong to it.
    """

    low: float = -math.inf
    high: float = math.inf
    has_low: bool = False
    has_high: bool = False
    is_integer: bool = False
    is_nonzero: bool = False

    @property
    def sign(self) -> int:
        """The sign of all its numbers other than 0: 1, -1, or 0 if it has numbers of both signs."""
        return int(self.low == 0) - int(self.high == 0)

    @property
    def sign_word(self) -> str:
        """What the sign is, in a word: "positive", "nonpositive", "nonzero" ..., or nothing."""
        if not self.sign:
            return "nonzero" if self.is_nonzero else ""
        prefix = "" if not (self.has_low or self.has_high) else "non"
        return prefix + ("positive" if (self.sign > 0) == (not prefix) else "negative")

    @property
    def words(self) -> str:
        """The domain in words: "positive", "nonnegative integer", "real"."""
        kind = "integer" if self.is_integer else "" if self.sign_word else "real"
        return f"{self.sign_word} {kind}".strip()

    def spans(self, low: float, high: float) -> bool:
        """Return whether all real numbers from ``low`` to ``high``, both finite, belong to the interval; NaN does not.

        >>> domain(sp.Symbol("x", positive=True)).spans(0.0, 1.0)
        False
        """
        # comparisons with NaN are false
        is_above = self.low <= low if self.has_low else self.low < low
        is_below = high <= self.high if self.has_high else high < self.high
        return is_above and is_below and -math.inf < low and high < math.inf

    def tests(self, name: str, is_whole: str = "{0} % 1.0 == 0.0") -> list[str]:
        """Return comparisons as Python code, all of which are true for a number of the domain, and for no other.

        Args:
            name: name of the number in the code.
            is_whole: code of the test of an integer, in which ``{0}`` is the name.

        >>> Domain(low=0.0, has_low=True).tests("x")
        ['0.0 <= x', 'x < inf']
        """
        comparisons = [f"{self.low} {'<=' if self.has_low else '<'} {name}"]
        comparisons.append(f"{name} {'<=' if self.has_high else '<'} {self.high}")
        if self.is_integer:
            comparisons.append(is_whole.format(name))
        if self.is_nonzero:
            comparisons.append(f"{name} != 0.0")
        return comparisons


def domain(symbol: sp.Symbol) -> Domain:
    """Return the table of a real symbol.

    Args:
        symbol: a sympy symbol, whose assumptions are positive, nonnegative, negative, nonpositive, nonzero, integer.

    Returns:
        The numbers that it may be.
    """
    has_sign = bool(symbol.is_nonnegative or symbol.is_nonpositive)
    return Domain(
        low=0.0 if symbol.is_nonnegative else -math.inf,
        high=0.0 if symbol.is_nonpositive else math.inf,
        has_low=bool(symbol.is_nonnegative and not symbol.is_positive),
        has_high=bool(symbol.is_nonpositive and not symbol.is_negative),
        is_integer=bool(symbol.is_integer),
        is_nonzero=bool(symbol.is_nonzero and not has_sign),
    )
