"""Orders of magnitude: powers of a large number under products, sums and means.

Every rule is one object: the step of :data:`INDEPENDENT` is the lemma, and its right-hand side is what is applied.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from closedform import checks
from theory.core import Premise, Step
from theory.core.formula.parsing import sympy_object
from theory.core.proof.premises import ends
from theory.engine.exact import exact

LARGE = sp.Symbol("n", positive=True)
_i = sp.Symbol("i", integer=True, positive=True)
_count = sp.Symbol("m", integer=True, positive=True)
_size = sp.Symbol("x", positive=True)

INDEPENDENT = Step(
    "the variance of a sum of m independent terms of mean zero and size x",
    sp.Sum(_size**2, (_i, 1, _count)),
    _count * _size**2,
    because="the variances of independent terms add",
    uses=(),
)
COHERENT = Step(
    "a sum of m terms of one sign and of size x",
    sp.Sum(_size, (_i, 1, _count)),
    _count * _size,
    because="terms of one sign add",
    uses=(),
)


@dataclass(frozen=True, repr=False, eq=False)
class Order:
    """The order of a quantity, a power of a large number such as a width, with what it is made of.

    Products, quotients, powers and sums of orders are orders; numbers are of order one. A difference counts as a sum,
    since what cancels is a claim that only the author can make.

    Args:
        name: letter of the quantity.
        exponent: exponent of the large number.
        large: the large number. Default: ``n``.

    >>> a, b = sp.symbols("a b", real=True)
    >>> weight, entry = Order("w", -b), Order("h", 0)
    >>> (weight * entry).sum(1, independent=True)
    h*sqrt(n)*w ~ n**(1/2 - b)
    """

    name: str
    exponent: sp.Expr
    large: sp.Symbol = LARGE
    size: sp.Expr = field(default=sp.S.Zero, init=False)
    letters: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict, init=False)
    rules: tuple[Step, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        letter = sp.Symbol(checks.text("name", self.name), positive=True)
        power = self._power(f"exponent of {self.name}", self.exponent)
        checks.require(
            letter != self.large, "name", self.name, "a letter that is not the large number"
        )
        object.__setattr__(self, "exponent", power)
        object.__setattr__(self, "size", letter)
        object.__setattr__(self, "letters", {letter: power})

    def sum(self, count: Any, *, independent: bool = False) -> Order:
        """Return the order of a sum of terms of this order.

        Args:
            count: exponent of the number of terms, or its order.
            independent: whether the terms are independent with mean zero, so that their variances add. Default:
                False, where they have one sign.

        >>> Order("x", 0).sum(1), Order("x", 0).sum(1, independent=True)
        (n*x ~ n, sqrt(n)*x ~ sqrt(n))
        """
        checks.boolean("independent", independent)
        terms = count if isinstance(count, Order) else self._number(count)
        rule = INDEPENDENT if independent else COHERENT
        inside = {_count: terms.size, _size: self.size}
        total = rule.right.subs(inside, simultaneous=True)
        size = sp.sqrt(total) if independent else total
        made = self._of(sp.powdenest(size, force=True), terms)
        at = sp.Subs(rule.right, tuple(inside), tuple(inside.values()))
        added = Step(
            f"{sp.sstr(made.size)} is a sum",
            made.size,
            sp.sqrt(at) if independent else at,
            because="so many terms of this size",
            uses=(rule,),
        )
        rules = tuple(dict.fromkeys((*made.rules, rule, added)))
        return self._made(made.size, made.letters, rules)

    def mean(self, count: Any, *, independent: bool = False) -> Order:
        """Return the order of a mean of terms of this order.

        Args:
            count: exponent of the number of terms, or its order.
            independent: as for :meth:`sum`. Default: False.

        >>> Order("x", 0).mean(1), Order("x", 0).mean(1, independent=True)
        (x ~ 1, x/sqrt(n) ~ 1/sqrt(n))
        """
        terms = count if isinstance(count, Order) else self._number(count)
        return self.sum(terms, independent=independent) / terms

    def steps(self, words: str = "") -> tuple[Step, ...]:
        """Return the derivation of the exponent.

        Args:
            words: what is of this order, for the claim. Default: its letters.
        """
        powers = tuple(self.large**exponent for exponent in self.letters.values())
        at = sp.Subs(sp.log(self.size) / sp.log(self.large), tuple(self.letters), powers)
        said = ", ".join(f"{x} ~ {sp.sstr(p)}" for x, p in zip(self.letters, powers, strict=True))
        claim = f"power of {self.large} of {words or sp.sstr(self.size)}"
        uses = (Premise(f"sizes {said}", sp.Tuple(*powers)), *ends(self.rules))
        if self.size.as_coeff_Mul()[0] == 1 and not _has_sum(self.size):
            return (
                *self.rules,
                Step(claim, at, self.exponent, "the letters as powers", uses=uses),
            )
        in_powers = self.size.subs(dict(zip(self.letters, powers, strict=True)), simultaneous=True)
        limit = sp.Limit(sp.log(in_powers) / sp.log(self.large), self.large, sp.oo)
        because = "the largest term of a sum of positive ones"
        return (*self.rules, Step(claim, limit, self.exponent, because, uses=uses))

    def __mul__(self, other: Any) -> Order:
        return self._of(self.size * _size_of(other), other)

    def __truediv__(self, other: Any) -> Order:
        return self._of(self.size / _size_of(other), other)

    def __rtruediv__(self, other: Any) -> Order:
        return self._of(_size_of(other) / self.size, other)

    def __add__(self, other: Any) -> Order:
        return self._of(self.size + _size_of(other), other)

    def __pow__(self, exponent: Any) -> Order:
        return self._of(self.size ** self._power("exponent", exponent), None)

    __rmul__, __radd__, __sub__, __rsub__ = __mul__, __add__, __add__, __add__

    def _number(self, exponent: Any) -> Order:
        """Return the order of the large number to a power, which needs no letter."""
        power = self.large ** self._power("count", exponent)
        return self._made(power, {}, ())

    def _power(self, name: str, value: Any) -> sp.Expr:
        """Return an exponent, which is finite and does not contain the large number."""
        power = exact(name, value)
        is_one = not power.has(self.large, sp.nan, sp.zoo, sp.oo, -sp.oo)
        checks.require(is_one, name, value, f"a finite exponent without {self.large}")
        return power

    def _of(self, size: sp.Expr, other: Any) -> Order:
        letters, before = dict(self.letters), self.rules
        if isinstance(other, Order):
            checks.require(other.large == self.large, "order", other, f"a power of {self.large}")
            for letter, power in other.letters.items():
                same = letters.setdefault(letter, power) == power
                checks.require(same, f"letter {letter}", power, "one exponent for each letter")
            before = (*before, *other.rules)
        return self._made(size, letters, tuple(dict.fromkeys(before)))

    def _made(
        self, size: sp.Expr, letters: Mapping[sp.Symbol, sp.Expr], rules: tuple[Step, ...]
    ) -> Order:
        size = sp.expand(size)
        for letter in letters:  # sympy puts values of letters in one after the other
            is_exponent = any(power.has(letter) for power in letters.values())
            checks.require(not is_exponent, "letter", letter, "one that is in no exponent")
        made = object.__new__(Order)
        for name, value in (
            ("name", sp.sstr(size)),
            ("exponent", sp.expand(_exponent(size, {**letters, self.large: sp.S.One}))),
            ("large", self.large),
            ("size", size),
            ("letters", letters),
            ("rules", rules),
        ):
            object.__setattr__(made, name, value)
        return made

    def __repr__(self) -> str:
        return f"{sp.sstr(self.size)} ~ {sp.sstr(self.large**self.exponent)}"


def _size_of(other: Any) -> sp.Expr:
    """Return the size of an order, and one for a number, which is of order one."""
    if isinstance(other, Order):
        return other.size
    number = sympy_object("order", other)
    checks.require(
        bool(number.is_number and number != 0),
        "order",
        other,
        "an Order or a number other than zero",
    )
    return sp.S.One


def _exponent(size: sp.Expr, powers: Mapping[sp.Symbol, sp.Expr]) -> sp.Expr:
    """Return the exponent of the large number in a size, whose letters are positive: of a sum, that of its largest."""
    if size.is_Add:
        return sp.Max(*(sp.expand(_exponent(term, powers)) for term in size.args))
    if size.is_Mul:
        return sp.Add(*(_exponent(factor, powers) for factor in size.args))
    if size.is_Pow and not size.base.is_number:
        return size.exp * _exponent(size.base, powers)
    return powers.get(size, sp.S.Zero)


def _has_sum(size: sp.Expr) -> bool:
    """Return whether a size has a sum outside of exponents."""
    return size.is_Add or any(map(_has_sum, size.args[:1] if size.is_Pow else size.args))
