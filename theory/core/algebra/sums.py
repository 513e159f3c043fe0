r"""Sums and products over integers as differences and ratios of formal antiderivatives.

With :math:`G(k+1) = G(k) + f(k)` a sum is :math:`\sum_{l=a}^{b} f(l) = G(b+1) - G(a)`, and a product is likewise a
ratio. Two sums of the same terms thus differ by the terms between their ends: the last term splits off, ranges join,
indices shift. Factors without the index come out, a Kronecker delta leaves one term, and polynomials have their sums.
sympy's conventions for empty and reversed ranges are those of the antiderivative.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.core.algebra.signs import sign_of
from theory.core.formula.subexpressions import distinct, put_in

FINITE = (sp.Sum, sp.Product)
_MOST_TERMS_BETWEEN = 12  # of two ends that differ by a number


def has_sums(expression: sp.Basic) -> bool:
    """Return whether an expression has sums or products over integers, with ends that are finite and not all numbers.

    Args:
        expression: scalar expression or matrix; integrals and limits in it do not count.
    """
    finite = [node for node in distinct(expression, closed=_is_closed) if isinstance(node, FINITE)]
    ends = [end for node in finite for _, *both in node.limits for end in both]
    return bool(ends) and not all(map(_is_number, ends)) and not any(map(_is_infinite, ends))


def _is_number(end: sp.Expr) -> bool:
    return bool(end.is_Integer)


def _is_infinite(end: sp.Expr) -> bool:
    return bool(end.has(sp.oo, -sp.oo))


def _is_closed(node: sp.Basic) -> bool:
    return isinstance(node, (sp.Integral, sp.Limit, sp.Lambda))


class Antiderivatives:
    """The antiderivatives of the terms of several expressions, in which equal terms have equal letters.

    >>> n, l = sp.symbols("n l", integer=True, positive=True)
    >>> f = sp.Function("f")
    >>> letters = Antiderivatives()
    >>> whole = letters.written(sp.Sum(f(l), (l, 1, n + 1)))
    >>> sp.expand(whole - letters.written(sp.Sum(f(l), (l, 1, n))))
    f(n + 1)
    """

    def __init__(self) -> None:
        self._letters: dict[tuple[type, sp.Expr], Any] = {}  # undefined functions of an end
        self._terms: dict[Any, tuple[type, sp.Expr]] = {}  # the inverse
        self._places: list[sp.Dummy] = []  # for the indices of outer sums, in their order
        self._index = sp.Dummy("k", integer=True)
        self._ranges: dict[
            sp.Dummy, tuple[sp.Expr, sp.Expr]
        ] = {}  # of outer sums, outermost first

    def written(self, node: sp.Basic) -> sp.Basic:
        """Return an expression without sums and products over integers.

        Args:
            node: expression or matrix.

        Raises:
            NotImplementedError: for a sum that cannot be written so.
        """
        if not any(isinstance(part, FINITE) for part in distinct(node)):
            return node
        if isinstance(node, sp.MatrixBase):
            return node.applyfunc(self.written)
        if isinstance(node, sp.Subs):
            at = dict(zip(node.variables, node.point, strict=True))
            return self.written(put_in(node.expr, at))
        if isinstance(node, sp.Derivative):
            return self.written(node.expr.diff(*node.variable_count))
        if isinstance(node, FINITE):
            return self._over(*_in_order(node))
        if _is_closed(node):
            raise NotImplementedError("a sum inside of an integral or a limit")
        return node.func(*map(self.written, node.args))

    def _over(self, kind: type, function: sp.Expr, limits: tuple[sp.Tuple, ...]) -> sp.Expr:
        """Return a sum or a product over the last of the limits, which is the outermost, of that over the others."""
        if not limits:
            return self.written(function)
        *inner, (name, low, high) = limits
        index = sp.Dummy(name.name, integer=True)
        ends = tuple(limit.subs(name, index) for limit in inner)
        self._ranges[index] = low, high
        terms = self._over(kind, function.subs(name, index), ends)
        del self._ranges[index]
        make = self._sum if kind is sp.Sum else self._product
        return make(terms, index, self.written(low), self.written(high))

    def _sum(self, terms: sp.Expr, index: sp.Dummy, low: sp.Expr, high: sp.Expr) -> sp.Expr:
        total: sp.Expr = sp.S.Zero
        for term in sp.Add.make_args(sp.expand(terms)):
            moving, fixed = sp.sift(
                sp.Mul.make_args(term), lambda factor: factor.has(index), binary=True
            )
            total += sp.Mul(*fixed) * self._sum_of(moving, index, low, high)
        return total

    def _sum_of(
        self, factors: list[sp.Expr], index: sp.Dummy, low: sp.Expr, high: sp.Expr
    ) -> sp.Expr:
        """Return the sum of a product of factors, each of which contains the index."""
        term = sp.Mul(*factors)
        if not factors:
            return high - low + 1
        for factor in factors:
            if isinstance(factor, sp.KroneckerDelta):
                return self._one_term(term / factor, factor, index, low, high)
        if term.is_polynomial(index):
            return sp.summation(term, (index, low, high))
        return self._between(sp.Sum, term, index, low, high)

    def _one_term(
        self, term: sp.Expr, delta: sp.Expr, index: sp.Dummy, low: sp.Expr, high: sp.Expr
    ) -> sp.Expr:
        """Return the term that a Kronecker delta leaves, or zero if its index is out of the range."""
        gap = delta.args[0] - delta.args[1]
        slope = sp.diff(gap, index)
        if slope not in (1, -1):
            raise NotImplementedError("a Kronecker delta of a multiple of the index")
        place = sp.expand(index - gap / slope)
        distances = (sp.expand(place - low), sp.expand(high - place))
        if any(distance.is_negative for distance in distances):
            return sp.S.Zero
        # a range that runs backwards counts with the other sign
        if not all(map(self._is_never_negative, (*distances, sp.expand(high - low + 1)))):
            raise NotImplementedError("a Kronecker delta whose index may be out of the range")
        return term.subs(index, place)

    def _is_never_negative(self, distance: sp.Expr) -> bool:
        """Return whether a number is at least zero for all indices of outer sums within their ranges."""
        for index, (low, high) in reversed(self._ranges.items()):
            sign = sign_of(sp.diff(distance, index))
            if sign:
                distance = sp.expand(distance.subs(index, low if sign > 0 else high))
        return bool(distance.is_nonnegative) or sign_of(distance) in (0, 1)

    def _product(self, terms: sp.Expr, index: sp.Dummy, low: sp.Expr, high: sp.Expr) -> sp.Expr:
        total: sp.Expr = sp.S.One
        for factor in sp.Mul.make_args(sp.factor(sp.together(terms))):
            base, exponent = factor.as_base_exp()
            if not factor.has(index):
                total *= factor ** (high - low + 1)
            elif exponent.is_Integer:
                total *= self._between(sp.Product, base, index, low, high) ** exponent
            else:
                total *= self._between(sp.Product, factor, index, low, high)
        return total

    def _between(
        self, kind: type, term: sp.Expr, index: sp.Dummy, low: sp.Expr, high: sp.Expr
    ) -> sp.Expr:
        """Return the difference, or the ratio, of the antiderivative of a term at both ends of its range."""
        term = term.subs(index, self._index)
        if _is_mirrored(
            term, self._index
        ):  # the sum of f(l) from a to b is that of f(-l) from -b to -a
            term, low, high = term.subs(self._index, -self._index), -high, -low
        plain, shift = _shifted(term, self._index)
        start = self._antiderivative(kind, plain, sp.expand(low + shift))
        end = self._antiderivative(kind, plain, sp.expand(high + shift + 1))
        return end - start if kind is sp.Sum else end / start

    def _antiderivative(self, kind: type, term: sp.Expr, end: sp.Expr) -> sp.Expr:
        """Return the antiderivative at an end as that at the end without its number, and the terms between both."""
        number, base = end.as_coeff_Add()
        if base == 0:
            number, base = number - 1, sp.S.One
        if not number.is_Integer or abs(number) > _MOST_TERMS_BETWEEN:
            number, base = sp.S.Zero, end
        steps = range(min(0, int(number)), max(0, int(number)))
        between = [self._reduced(term.subs(self._index, base + step)) for step in steps]
        if any(value.has(sp.zoo, sp.nan, sp.oo) for value in between):
            raise NotImplementedError("a term without a value")
        letter = self._letter(kind, term, base)
        sign = 1 if number > 0 else -1
        if kind is sp.Sum:
            return letter + sign * sp.Add(*between)
        return letter * sp.Mul(*between) ** sign

    def _reduced(self, expression: sp.Expr) -> sp.Expr:
        """Return an expression in which the ends of all letters are without their numbers."""
        values = {}
        for node in distinct(expression):
            if node.func in self._terms:
                end, *outer = node.args
                kind, term = self._terms[node.func]
                at = dict(zip(self._places, outer, strict=False))
                values[node] = self._antiderivative(kind, term.subs(at, simultaneous=True), end)
        return expression.xreplace(values)

    def _letter(self, kind: type, term: sp.Expr, end: sp.Expr) -> sp.Expr:
        """Return the antiderivative as an undefined function of the end and of the outer indices in its terms."""
        outer = [index for index in self._ranges if term.has(index)]
        while len(self._places) < len(outer):
            self._places.append(sp.Dummy(f"j{len(self._places)}", integer=True))
        key = kind, term.subs(dict(zip(outer, self._places, strict=False)), simultaneous=True)
        if key not in self._letters:
            is_positive = bool(term.is_positive) or None
            letter = sp.Function(f"{kind.__name__}_{len(self._letters)}", positive=is_positive)
            self._letters[key], self._terms[letter] = letter, key
        return self._letters[key](end, *outer)


def _in_order(node: sp.Expr) -> tuple[type, sp.Expr, tuple[sp.Tuple, ...]]:
    """Return the kind, the terms and all limits of nested sums, in an order that does not depend on how they nest."""
    kind, function, limits = type(node), node.function, tuple(node.limits)
    while isinstance(function, kind):
        function, limits = function.function, (*function.limits, *limits)
    names = [name for name, *_ in limits]
    is_free = len(set(names)) == len(names) and not any(
        end.has(*names) for _, *ends in limits for end in ends
    )
    # which index of a Kronecker delta goes first may decide whether the other stays in its range
    is_free = is_free and not function.has(sp.KroneckerDelta)
    if is_free:
        limits = tuple(
            sorted(limits, key=lambda limit: sp.default_sort_key(sp.Tuple(*limit[1:], limit[0])))
        )
    return kind, function, limits


def _places(term: sp.Expr, index: sp.Dummy, slope: int) -> set[sp.Expr]:
    """Return the offsets c of the largest parts slope * index + c of a term."""

    def is_linear(node: sp.Basic) -> bool:
        is_place = node == index or node.is_Add or node.is_Mul
        return bool(is_place and sp.diff(node, index) in (1, -1))

    return {
        sp.expand(node - slope * index)
        for node in distinct(term, closed=is_linear)
        if is_linear(node) and sp.diff(node, index) == slope
    }


def _is_mirrored(term: sp.Expr, index: sp.Dummy) -> bool:
    """Return whether the index runs backwards in a term, such as f(n - l); of both ways the one that sorts first."""
    forwards, backwards = (_places(term, index, slope) for slope in (1, -1))
    if not (forwards and backwards):
        return bool(backwards)
    mirrored = _shifted(term.subs(index, -index), index)[0]
    return bool(sp.default_sort_key(mirrored) < sp.default_sort_key(_shifted(term, index)[0]))


def _shifted(term: sp.Expr, index: sp.Dummy) -> tuple[sp.Expr, sp.Expr]:
    """Return a term with its index shifted such that its first place has no offset, and the offset."""
    offsets = _places(term, index, 1)
    if not offsets:
        return term, sp.S.Zero
    offset = min(offsets, key=lambda place: (not place.is_number, sp.default_sort_key(place)))
    shifted = term.subs(index, index - offset)
    parts = {
        node: sp.expand(node)  # such as k - n + n
        for node in distinct(shifted)
        if node.is_Add and node.has(index) and sp.diff(node, index) in (1, -1)
    }
    return shifted.xreplace(parts), offset
