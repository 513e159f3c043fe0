"""Numbers with their printed digits."""

from decimal import Decimal, InvalidOperation
from typing import Any

import sympy as sp


class decimal(sp.NumberSymbol):
    """An exact number that keeps its printed digits, such as ``decimal("1.180")``; ValueError for other text.

    >>> decimal("1.180") + 1
    1 + 1.180
    """

    __slots__ = ("text",)
    is_real = True

    def __new__(cls, text: str) -> "decimal":
        """Create the number from its printed digits."""
        try:
            finite = Decimal(text).is_finite()
        except InvalidOperation:
            finite = False
        if not finite:
            raise ValueError(f"text: got {text!r}, needs a decimal number such as '1.180'")
        number = super().__new__(cls)
        number.text = text
        return number

    @property
    def exact(self) -> sp.Rational:
        """The value."""
        return sp.Rational(self.text)

    @property
    def last_place(self) -> sp.Rational:
        """One unit of the last digit, 1/1000 for "1.180"."""
        return sp.Rational(10) ** int(Decimal(self.text).as_tuple().exponent)

    def __getnewargs__(self) -> tuple[str]:
        return (self.text,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, decimal) and self.text == other.text

    def __hash__(self) -> int:
        return hash((decimal, self.text))

    def _hashable_content(self) -> tuple[str]:
        return (self.text,)

    def _as_mpf_val(self, prec: int) -> Any:
        return self.exact._as_mpf_val(prec)

    def _eval_is_positive(self) -> bool:
        return bool(self.exact > 0)

    def _eval_is_negative(self) -> bool:
        return bool(self.exact < 0)

    def _eval_is_zero(self) -> bool:
        return bool(self.exact == 0)

    def _sympystr(self, _: Any) -> str:
        return self.text

    def _latex(self, _: Any) -> str:
        return self.text

    _pythoncode = _numpycode = _scipycode = _sympystr
