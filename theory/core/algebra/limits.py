r"""Limits that are proved by the leading term of an expression.

At infinity every sum, product and power of exponentials, powers and logarithms of the variable is
:math:`(c + o(1))\,e^{r x} x^{k} (\ln x)^{l}`, where ``c``, ``r``, ``k`` and ``l`` do not depend on the variable. Sums
keep the terms that grow fastest, and which these are must follow from the assumptions on the symbols: without a sign of
``r`` nothing is known about the limit. The coefficient ``c`` may vanish, except where it is divided by. Where the
leading terms of a rational function cancel, it is put over one denominator. A limit at a finite point is one at
infinity, of ``point + 1/x`` or ``point - 1/x``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce

import sympy as sp

from theory.core.algebra.factoring import factored
from theory.core.formula.sampling import satisfies
from theory.core.formula.special import normal_cdf, opened, phi1
from theory.core.formula.subexpressions import binds

# Functions that are continuous on the real line, with their values at minus and plus infinity if these are finite.
_CONTINUOUS: dict[type, tuple[sp.Expr, ...]] = {
    sp.sin: (),
    sp.cos: (),
    sp.Abs: (),
    sp.erf: (sp.S.NegativeOne, sp.S.One),
    sp.erfc: (sp.S(2), sp.S.Zero),
    sp.atan: (-sp.pi / 2, sp.pi / 2),
    phi1: (),
    normal_cdf: (sp.S.Zero, sp.S.One),
}
_CONTINUOUS_INSIDE = (sp.acos, sp.asin)  # on the interval [-1, 1]
_HYPERBOLIC = (sp.sinh, sp.cosh, sp.tanh, sp.coth, sp.sech, sp.csch)


class NotProved(Exception):
    """The leading term of an expression does not follow from the assumptions on its symbols."""


@dataclass(frozen=True)
class Leading:
    """The leading term ``coefficient * exp(rate * x) * x**power * log(x)**logs`` of an expression at infinity."""

    coefficient: sp.Expr
    rate: sp.Expr = sp.S.Zero
    power: sp.Expr = sp.S.Zero
    logs: sp.Expr = sp.S.Zero

    @property
    def orders(self) -> tuple[sp.Expr, sp.Expr, sp.Expr]:
        """The exponents, of which the first that does not vanish determines whether the term grows."""
        return self.rate, self.power, self.logs

    def times(self, other: Leading) -> Leading:
        """Return the leading term of a product."""
        orders = (
            _reduced(mine + theirs) for mine, theirs in zip(self.orders, other.orders, strict=True)
        )
        return Leading(self.coefficient * other.coefficient, *orders)

    def to_the(self, exponent: sp.Expr) -> Leading:
        """Return the leading term of a power, whose base must be positive if the exponent is not an integer."""
        if exponent.is_integer is not True:
            _require(any(form.is_positive for form in _forms(self.coefficient)))
        elif exponent.is_nonnegative is not True:
            _require(any(form.is_zero is False for form in _forms(self.coefficient)))
        return Leading(
            self.coefficient**exponent, *(_reduced(order * exponent) for order in self.orders)
        )

    def limit(self) -> sp.Expr:
        """Return the limit of an expression with this leading term; NotProved if the assumptions do not tell it."""
        growth = _first_sign(self.orders)
        if growth == 0:
            return self.coefficient
        if growth < 0:
            return sp.S.Zero
        sign = _sign(self.coefficient)
        _require(sign != 0)  # else a term of lower order decides
        return sp.oo * sign


def proved_limit(limit: sp.Limit) -> sp.Expr | None:
    """Return the value of a limit, which may be infinite; None if it is not proved.

    Args:
        limit: limit of a scalar expression in one real variable.

    >>> t, rate = sp.Symbol("t", real=True), sp.Symbol("rate", positive=True)
    >>> proved_limit(sp.Limit((1 + sp.exp(-rate * t)) / 2, t, sp.oo))
    1/2
    >>> rate_of_any_sign = sp.Symbol("rate", real=True)
    >>> proved_limit(sp.Limit(sp.exp(-rate_of_any_sign * t), t, sp.oo)) is None
    True
    """
    expression, variable, point, direction = limit.args
    if point in (sp.oo, -sp.oo):
        signs: tuple[int, ...] = (1 if point is sp.oo else -1,)
    else:
        signs = {"+": (1,), "-": (-1,)}.get(str(direction), (1, -1))
    try:
        values = {_one_sided(expression, variable, point, sign) for sign in signs}
    except NotProved:
        return None
    return values.pop() if len(values) == 1 else None


def _one_sided(expression: sp.Expr, variable: sp.Symbol, point: sp.Expr, sign: int) -> sp.Expr:
    x = sp.Dummy("x", positive=True)
    path = sign * x if point.is_infinite else point + sign / x
    _require(variable.is_extended_real is not False and point.is_extended_real is not False)
    _require(not point.is_infinite or satisfies(variable, path))
    expression = expression.subs(variable, path)
    if expression.has(*_HYPERBOLIC):
        expression = expression.rewrite(list(_HYPERBOLIC), sp.exp)
    try:
        return _Terms(x).leading(expression).limit()
    except NotProved:
        written_out = opened(expression)
        _require(written_out.is_rational_function(x))
        return _ratio(written_out, x).limit()


def _ratio(expression: sp.Expr, x: sp.Symbol) -> Leading:
    """Return the leading term of a rational function, also where those of its terms cancel."""
    above, below = (sp.Poly(part, x) for part in sp.fraction(sp.together(expression)))
    if above.is_zero:
        return Leading(sp.S.Zero)
    leading = [
        Leading(factored(part.LC()), power=sp.Integer(part.degree())) for part in (above, below)
    ]
    return leading[0].times(leading[1].to_the(sp.S.NegativeOne))


class _Terms:
    """The leading terms of the parts of an expression as ``x`` grows."""

    def __init__(self, x: sp.Symbol) -> None:
        self._x = x
        self._known: dict[sp.Expr, Leading] = {}

    def leading(self, node: sp.Expr) -> Leading:
        """Return the leading term of a part; NotProved if the assumptions do not determine it."""
        if node not in self._known:
            self._known[node] = self._computed(node)
        return self._known[node]

    def _computed(self, node: sp.Expr) -> Leading:
        if self._x not in node.free_symbols:
            _require(not node.has(sp.nan, sp.zoo, sp.oo, -sp.oo))
            return Leading(node)
        _require(not binds(node))
        if node == self._x:
            return Leading(sp.S.One, power=sp.S.One)
        if node.is_Add:
            return _sum(self.leading(part) for part in node.args)
        if node.is_Mul:
            return reduce(Leading.times, (self.leading(part) for part in node.args))
        if isinstance(node, (sp.Pow, sp.exp)):
            base, exponent = node.as_base_exp()
            if not exponent.has(self._x):
                return self.leading(base).to_the(exponent)
            return self._exponential(exponent if base is sp.E else exponent * sp.log(base))
        if isinstance(node, sp.log):
            return self._logarithm(self.leading(node.args[0]))
        return self._function(node)

    def _exponential(self, exponent: sp.Expr) -> Leading:
        """Return the leading term of exp(rate x + rest), where the rest must tend to a finite number."""
        rate: sp.Expr = sp.S.Zero
        rest: list[sp.Expr] = []
        for part in sp.Add.make_args(sp.expand(exponent)):
            factor = part / self._x
            if self._x in factor.free_symbols:
                rest.append(part)
            else:
                rate += factor
        constant = self.leading(sp.Add(*rest)).limit()
        _require(not constant.has(sp.oo, -sp.oo))
        return Leading(sp.exp(constant), rate=_reduced(rate))

    def _logarithm(self, inner: Leading) -> Leading:
        """Return the leading term of log(c) + rate x + power log(x) + logs log(log(x))."""
        _require(any(form.is_positive for form in _forms(inner.coefficient)))
        if inner.rate != 0:
            return Leading(inner.rate, power=sp.S.One)
        if inner.power != 0:
            return Leading(inner.power, logs=sp.S.One)
        _require(inner.logs == 0)
        return Leading(sp.log(inner.coefficient))

    def _function(self, node: sp.Expr) -> Leading:
        """Return the leading term of a function of ours, or of one that is continuous at the limit of its argument."""
        written_out = opened(node)
        if type(node) not in _CONTINUOUS and written_out != node:
            return self.leading(written_out)
        _require(len(node.args) == 1)
        value = self.leading(node.args[0]).limit()
        if isinstance(node, phi1) and value.is_infinite:
            return self.leading(written_out)
        _require(value.is_extended_real is True)
        if value.is_infinite:
            ends = _CONTINUOUS.get(type(node), ())
            _require(len(ends) == 2)
            return Leading(ends[value is sp.oo])
        if isinstance(node, sp.sign):
            sign = _sign(value)
            _require(sign != 0)
            return Leading(sp.Integer(sign))
        inside = isinstance(node, _CONTINUOUS_INSIDE) and (1 - value**2).is_nonnegative
        _require(type(node) in _CONTINUOUS or inside is True)
        return Leading(node.func(value))


def _sum(terms: Iterable[Leading]) -> Leading:
    """Return the leading term of a sum: that of the terms that grow fastest, whose coefficients are added."""
    fastest: list[Leading] = []
    for term in terms:
        growth = 1
        if fastest:
            growth = _first_sign(
                mine - theirs for mine, theirs in zip(term.orders, fastest[0].orders, strict=True)
            )
        if growth > 0:
            fastest = [term]
        elif growth == 0:
            fastest.append(term)
    return Leading(sp.Add(*(term.coefficient for term in fastest)), *fastest[0].orders)


def _require(is_known: bool) -> None:
    if not is_known:
        raise NotProved


def _reduced(order: sp.Expr) -> sp.Expr:
    return order if order.is_Rational else factored(order)


def _forms(expression: sp.Expr) -> Iterator[sp.Expr]:
    """Yield forms of an expression, whose signs sympy finds or not: as it is, and as a product of factors."""
    yield expression
    if not expression.is_Atom:
        yield factored(expression)


def _sign(expression: sp.Expr) -> int:
    """Return the sign that an expression has for all values of its symbols; NotProved if the assumptions leave it."""
    for form in _forms(expression):
        if form.is_zero:
            return 0
        if form.is_positive:
            return 1
        if form.is_negative:
            return -1
    raise NotProved


def _first_sign(orders: Iterable[sp.Expr]) -> int:
    """Return the sign of the first order that does not vanish, and 0 if all of them do."""
    return next((sign for sign in map(_sign, orders) if sign), 0)
