r"""Proofs that an expression vanishes, by reduction to a normal form.

Roots, exponentials and other functions become new variables with the polynomial relations that define them:
:math:`s = b^{1/q}` gives :math:`s^q = b`; :math:`e^{u}` and :math:`e^{-3u/2}` are powers of one :math:`e^{u/2}`;
:math:`|x|^2 = x^2`; :math:`i^2 = -1`. Every other function is a variable without relations. The result is a quotient of
polynomials with rational coefficients. If its numerator reduces to zero modulo the relations, the expression is zero
wherever it is defined. This is a proof, since the relations hold on any branch; the converse is not claimed.
"""

import itertools
from collections.abc import Iterator

import sympy as sp

from theory.core.algebra.factoring import factored
from theory.core.algebra.fewer_functions import in_fewer_functions
from theory.core.algebra.rational_functions import (
    RationalFunctions,
    TooLarge,
    generator_orders,
    is_arithmetic,
    remainder,
)
from theory.core.algebra.regions import KINKED, TooMany, regions
from theory.core.formula import special
from theory.core.formula.subexpressions import binds, distinct, rebuilt, substituted

# Larger expressions are not cancelled or factored.
_LARGEST_TO_FACTOR = 400
_MOST_BRANCHES = 32
_LARGEST_TO_SPLIT = 200  # distinct parts of an expression that is tried region by region
_PIECES = [sp.Max, sp.Min, sp.Heaviside]
_HYPERBOLIC = (sp.sinh, sp.cosh, sp.tanh, sp.coth, sp.sech, sp.csch)
_TRIGONOMETRIC = (sp.sin, sp.cos, sp.tan, sp.cot)


def vanishes(expression: sp.Expr) -> bool:
    """Return whether ``expression`` is proved to be zero; False does not mean that it is not."""
    expression = in_fewer_functions(special.opened(expression))
    # Without cases |x| is a root of x**2, and sign(x) a variable without relations, which is often enough.
    has_pieces = _has(expression, *_PIECES)
    whole = expression.rewrite(_PIECES, sp.Piecewise) if has_pieces else expression
    if _vanishes_in_all_branches(whole):
        return True
    if not _has(expression, *KINKED) or sum(1 for _ in distinct(expression)) > _LARGEST_TO_SPLIT:
        return False
    try:
        return all(_vanishes_in_all_branches(region) for region in regions(expression))
    except TooMany:
        return False


def _vanishes_in_all_branches(expression: sp.Expr) -> bool:
    return all(_vanishes_smooth(branch) for branch in _branches(expression))


def _has(expression: sp.Expr, *types: type) -> bool:
    return any(isinstance(node, types) for node in distinct(expression))


def _branches(expression: sp.Expr) -> Iterator[sp.Expr]:
    """Yield the expression with one branch for every Piecewise outside of integrals; it vanishes if all of them do."""
    whole = distinct(expression, closed=lambda node: binds(node) or isinstance(node, sp.Piecewise))
    pieces = [node for node in whole if isinstance(node, sp.Piecewise)]
    if not pieces:
        yield expression
        return
    pieces.sort(key=sp.default_sort_key)
    choices = [[value for value, _ in piece.args] for piece in pieces]
    if sp.prod([len(choice) for choice in choices]) > _MOST_BRANCHES:
        yield sp.S.NaN
        return
    for choice in itertools.product(*choices):
        yield from _branches(
            substituted(
                expression, dict(zip(pieces, choice, strict=True)), within=lambda node: node
            )
        )


def _vanishes_smooth(expression: sp.Expr) -> bool:
    if _has(expression, *_HYPERBOLIC, *_TRIGONOMETRIC):
        expression = expression.rewrite([*_HYPERBOLIC, *_TRIGONOMETRIC], sp.exp)
    if expression == 0:
        return True
    if any(node in (sp.nan, sp.zoo, sp.oo, -sp.oo) for node in distinct(expression)):
        return False
    if _Kernels().reduce_to_zero(expression):
        return True
    joined = rebuilt(expression, _with_joined_exponentials)
    return joined != expression and _Kernels().reduce_to_zero(joined)


def _with_joined_exponentials(node: sp.Basic) -> sp.Basic:
    """Return a product with one exponential, of the sum of all exponents, in which fractions may cancel."""
    exponents = [part.args[0] for part in node.args if isinstance(part, sp.exp)]
    if not node.is_Mul or len(exponents) < 2:
        return node
    others = (part for part in node.args if not isinstance(part, sp.exp))
    return sp.Mul(sp.exp(_canonical(sp.Add(*exponents))), *others)


class _Kernels:
    """The new variables of one expression, and the relations among them."""

    def __init__(self) -> None:
        self._opaque: dict[sp.Expr, sp.Dummy] = {}
        self._powers: dict[tuple[sp.Expr, sp.Expr], sp.Dummy] = {}
        self._radicands: dict[sp.Dummy, tuple[sp.Expr, sp.Expr]] = {}
        self._known: dict[sp.Expr, sp.Expr] = {}

    def reduce_to_zero(self, expression: sp.Expr) -> bool:
        """Return whether the numerator of the expression, written in kernels, is zero modulo the relations."""
        rational = self._rational(expression)
        parts = {
            node: None
            for whole in (rational, *(r for r, _ in self._radicands.values()))
            for node in distinct(whole)
        }
        # outermost first: its relation only has inner ones on the right-hand side
        roots = list(self._radicands)[::-1]
        others = sorted(
            (node for node in parts if node.is_Symbol and node not in self._radicands),
            key=sp.default_sort_key,
        )
        leaves = [node for node in parts if not is_arithmetic(node)]
        orders = {(symbol, sp.S.One): 1 for symbol in (*roots, *others)} | generator_orders(leaves)
        field = RationalFunctions(orders)
        try:
            top, bottom = field.of(rational)
            relations = [field.of(root - self._radicands[root][0])[0] for root in roots]
            never_zero = not any(remainder(factor, relations).is_zero() for factor, _ in bottom)
            return never_zero and remainder(top, relations).is_zero()
        except (TooLarge, ZeroDivisionError):
            return False

    def _rational(self, node: sp.Expr) -> sp.Expr:
        """Return a rational expression in symbols and kernels; kernels of powers may have fractional powers."""
        if node not in self._known:
            self._known[node] = self._converted(node)
        return self._known[node]

    def _converted(self, node: sp.Expr) -> sp.Expr:
        if node.is_Symbol or node.is_Rational:
            return node
        if node.is_Float:
            return sp.Rational(node)
        if node.is_Add or node.is_Mul:
            return node.func(*(self._rational(child) for child in node.args))
        if node is sp.I:
            return self._root(sp.S.NegativeOne) ** sp.Rational(1, 2)
        if isinstance(node, sp.Abs) and node.args[0].is_extended_real:
            return self._root(self._rational(node.args[0]) ** 2) ** sp.Rational(1, 2)
        if isinstance(node, (sp.Pow, sp.exp)) or node is sp.E:
            return (
                self._power(*node.as_base_exp())
                if node is not sp.E
                else self._exponential(sp.E, sp.S.One, sp.S.One)
            )
        return self._variable(node)

    def _variable(self, node: sp.Expr) -> sp.Dummy:
        key = node.func(*(_canonical(child) for child in node.args)) if node.args else node
        return self._opaque.setdefault(key, sp.Dummy("f"))

    def _power(self, base: sp.Expr, exponent: sp.Expr) -> sp.Expr:
        if exponent.is_Integer and base is not sp.E:
            return self._rational(base) ** exponent
        if exponent.is_Rational and base is not sp.E:
            small = factored(base) if base.count_ops() <= _LARGEST_TO_FACTOR else base
            split = sp.expand_power_base(small**exponent)
            if split.is_Pow and not split.exp.is_Integer:
                return self._root_power(split.base, split.exp)
            return self._rational(split)
        result = sp.S.One
        for term in sp.Add.make_args(_canonical(exponent)):
            coefficient, monomial = _separated(term)
            logarithm = next(
                (f for f in sp.Mul.make_args(monomial) if isinstance(f, sp.log)), None
            )
            if base is sp.E and logarithm is not None:  # exp(c log u) is the definition of u**c
                result *= self._power(logarithm.args[0], coefficient * monomial / logarithm)
                continue
            plain = monomial == 1 and base is not sp.E
            result *= (
                self._power(base, coefficient)
                if plain
                else self._exponential(base, monomial, coefficient)
            )
        return result

    def _root_power(self, base: sp.Expr, exponent: sp.Rational) -> sp.Expr:
        """Return b**(p/q) by the kernel of b's roots, clearing the denominator of b = n/d: (n d^(q-1))^(1/q) / d."""
        q = exponent.q
        numerator, denominator = sp.fraction(sp.together(self._rational(base)))
        # d (n/d)^(1/q) is the principal root of n d^(q-1) for positive d only; else it is a root of its own. What is
        # assumed of kernels says nothing about their values.
        kernels = {*self._radicands, *self._powers.values()}
        plain = denominator.is_positive and denominator.free_symbols.isdisjoint(kernels)
        kernel = self._root(numerator * denominator ** (q - 1), sp.S.One if plain else denominator)
        return (kernel ** sp.Rational(1, q) / denominator) ** exponent.p

    def _root(self, radicand: sp.Expr, branch: sp.Expr = sp.S.One) -> sp.Dummy:
        key = sp.expand(radicand), sp.expand(branch)
        for kernel, known in self._radicands.items():
            if known == key:
                return kernel
        # positive, so that powers combine; only the relation is ever used
        kernel = sp.Dummy("r", positive=True)
        self._radicands[kernel] = key
        return kernel

    def _exponential(self, base: sp.Expr, monomial: sp.Expr, coefficient: sp.Rational) -> sp.Expr:
        if monomial.could_extract_minus_sign():
            monomial, coefficient = -monomial, -coefficient
        kernel = self._powers.setdefault(
            (_canonical(base), monomial), sp.Dummy("e", positive=True)
        )
        return kernel**coefficient


def _separated(term: sp.Expr) -> tuple[sp.Rational, sp.Expr]:
    """Return the rational factor of a term and the rest, so that x/(2y + 2) and x/(y + 1) have the same rest."""
    coefficient, rest = term.as_coeff_Mul(rational=True)
    top, bottom = sp.fraction(rest)
    content, primitive = bottom.primitive()
    return coefficient / content, top / primitive


def _canonical(node: sp.Basic) -> sp.Basic:
    if not isinstance(node, sp.Expr) or node.is_Atom or node.count_ops() > _LARGEST_TO_FACTOR:
        return node
    if node.is_rational_function(*node.free_symbols):
        node = sp.cancel(node)
    return sp.expand(node)
