r"""Expectations of products of two atoms, by rules and without integration.

For centred Gaussians :math:`u, u'` with variances :math:`v, w` and covariance :math:`c`, of
:math:`f(u)\,g(u')` with atoms ``f`` and ``g``:

1. a tilt :math:`e^{bu}` shifts the means by covariance times tilt (Cameron and Martin);
2. a bend :math:`e^{-au^2/2}` conditions: it divides by :math:`\sqrt{1 + a v}` and shrinks variances and means
   (completing the square), a delta being the limit :math:`a \to \infty`;
3. a power of :math:`u` is taken off by integration by parts (Stein), which differentiates the rest;
4. what remains is 1, :math:`E[\operatorname{erf}(\gamma u/\sqrt 2)] = \operatorname{erf}\bigl(\gamma p /
   \sqrt{2 (1 + \gamma^2 v)}\bigr)` at mean :math:`p`, or, at zero means, the arcsine law
   :math:`E[\operatorname{erf}(\gamma u/\sqrt 2) \operatorname{erf}(\gamma' u'/\sqrt 2)] = \tfrac{2}{\pi} \arcsin
   \frac{\gamma\gamma' c}{\sqrt{(1 + \gamma^2 v)(1 + \gamma'^2 w)}}`.

The closed forms of ``theory.gaussian`` have steps that check these results independently, by differential equations.
"""

from functools import lru_cache
from itertools import product
from typing import NamedTuple

import sympy as sp

from theory.core.algebra.factoring import as_product
from theory.core.formula.special import correlation, opened
from theory.gaussian.atoms import Atom, Atoms
from theory.gaussian.collected_terms import collected


class NotClosed(ArithmeticError):
    """Error that says that the rules give no closed form of an expectation."""


class State(NamedTuple):
    """Variances, covariance and means of the two Gaussians."""

    v: sp.Expr
    w: sp.Expr
    c: sp.Expr
    p: sp.Expr = sp.S.Zero
    q: sp.Expr = sp.S.Zero

    @property
    def swapped(self) -> "State":
        """Return the state with the two Gaussians exchanged."""
        return State(self.w, self.v, self.c, self.q, self.p)


def product_mean(one: Atoms, other: Atoms, state: State) -> sp.Expr:
    """Return ``E[f(u) g(u')]`` for sums of atoms; raise NotClosed if a pair has no closed form."""
    total = sp.Add(*(f.factor * g.factor * _pair(f, g, state) for f, g in product(one, other)))
    if total.has(sp.I):
        total = total.replace(
            sp.erf, lambda x: sp.I * sp.erfi(x / sp.I) if x.has(sp.I) else sp.erf(x)
        )
        if state.p == 0 == state.q:
            total = with_real_exponents(total)
    return collected(total)


def with_real_exponents(total: sp.Expr) -> sp.Expr:
    """Return a sum of exponentials with one exponent each; where conjugate tilts have a real sum, it is real."""
    terms: dict[sp.Expr, sp.Expr] = {}
    for term in sp.Add.make_args(sp.expand_mul(sp.factor_terms(total))):
        factors = sp.Mul.make_args(sp.powsimp(term, combine="exp"))
        exponent = as_product(sp.cancel(sum(x.args[0] for x in factors if isinstance(x, sp.exp))))
        rest = sp.Mul(*(x for x in factors if not isinstance(x, sp.exp)))
        terms[exponent] = terms.get(exponent, 0) + rest
    return sp.Add(
        *(
            sp.factor_terms(sp.expand_mul(rest)) * sp.exp(exponent)
            for exponent, rest in terms.items()
        )
    )


def mean(atoms: Atoms, variance: sp.Expr, at: sp.Expr = sp.S.Zero) -> sp.Expr:
    """Return ``E[f(u)]`` for a sum of atoms and Gaussian ``u`` with this variance and mean."""
    return product_mean(atoms, (Atom(sp.S.One),), State(variance, sp.S.Zero, sp.S.Zero, at))


def _pair(f: Atom, g: Atom, state: State) -> sp.Expr:
    v, w, c, p, q = state
    a, b = f.tilt, g.tilt
    weight = sp.exp(sp.expand(a * p + b * q + (a**2 * v + 2 * a * b * c + b**2 * w) / 2))
    state = State(v, w, c, p + a * v + b * c, q + a * c + b * w)
    for atom, swap in ((f, False), (g, True)):
        if atom.bend != 0 or atom.delta:
            factor, state = _conditioned(state, sp.oo if atom.delta else atom.bend, swap)
            weight *= factor
    return weight * _moment(f.power, g.power, f.step, g.step, state)


def _conditioned(state: State, bend: sp.Expr, swap: bool = False) -> tuple[sp.Expr, State]:
    """Return E[exp(-bend u^2/2)] (the density at zero for ``bend = oo``) and the state under that weight."""
    v, w, c, p, q = state.swapped if swap else state
    if bend == sp.oo:
        # This form avoids w - c^2/v, which cancels; it is 0 for two equal inputs.
        left = w * (1 - correlation(c, v, w) ** 2) if w != 0 else w
        rest = State(sp.S.Zero, left, sp.S.Zero, sp.S.Zero, _factored(q - c * p / v))
        weight = sp.exp(-(p**2) / (2 * v)) / (sp.sqrt(2 * sp.pi) * root(v))
    else:
        d = 1 + bend * v
        rest = State(
            _factored(v / d),
            _factored(w - bend * c**2 / d),
            _factored(c / d),
            _factored(p / d),
            _factored(q - bend * c * p / d),
        )
        weight = sp.exp(-bend * p**2 / (2 * d)) / root(d)
    return weight, rest.swapped if swap else rest


@lru_cache(maxsize=4096)
def _moment(n: int, m: int, s: sp.Expr, t: sp.Expr, state: State) -> sp.Expr:
    """Return ``E[u^n u'^m S(u) T(u')]`` with the error functions of gammas ``s`` and ``t``."""
    if n == 0:
        return _steps(s, t, state) if m == 0 else _moment(m, 0, t, s, state.swapped)
    v, _, c, p, _ = state
    if s == 0 and t == 0:
        return _moment_of_powers(n, m, state)
    total = p * _moment(n - 1, m, s, t, state) if p != 0 else sp.S.Zero
    if n > 1 and v != 0:
        total += (n - 1) * v * _moment(n - 2, m, s, t, state)
    if m and c != 0:
        total += m * c * _moment(n - 1, m - 1, s, t, state)
    for gamma, covariance, swap in ((s, v, False), (t, c, True)):
        if gamma != 0 and covariance != 0:
            weight, rest = _conditioned(state, gamma if gamma == sp.oo else gamma**2, swap)
            height = 2 if gamma == sp.oo else gamma * sp.sqrt(2 / sp.pi)
            left = (n - 1, m, s, sp.S.Zero) if swap else (n - 1, m, sp.S.Zero, t)
            total += covariance * height * weight * _moment(*left, rest)
    return collected(total)


def _moment_of_powers(n: int, m: int, state: State) -> sp.Expr:
    """Return ``E[u^n u'^m]``: every term has as many pairs across as its power of the covariance."""
    v, w, c, p, q = state
    return sp.Add(
        *(
            sp.binomial(n, k)
            * sp.ff(m, k)
            * c**k
            * _moment_of_power(n - k, v, p)
            * _moment_of_power(m - k, w, q)
            for k in range(min(n, m) + 1)
        )
    )


@lru_cache(maxsize=4096)
def _moment_of_power(n: int, v: sp.Expr, p: sp.Expr) -> sp.Expr:
    """Return ``E[u^n]`` with variance v and mean p, by the number of pairs."""
    return sp.Add(
        *(
            sp.binomial(n, 2 * k) * sp.factorial2(2 * k - 1) * v**k * p ** (n - 2 * k)
            for k in range(n // 2 + 1)
        )
    )


def _steps(s: sp.Expr, t: sp.Expr, state: State) -> sp.Expr:
    v, w, c, p, q = state
    if s == 0 and t == 0:
        return sp.S.One
    if s == 0 or t == 0:
        gamma, variance, at = (s, v, p) if t == 0 else (t, w, q)
        if at == 0:
            return sp.S.Zero
        spread = root(variance) if gamma == sp.oo else root(1 + gamma**2 * variance) / gamma
        return sp.erf(at / (sp.sqrt(2) * spread))
    if p != 0 or q != 0:
        raise NotClosed("the product of two error functions with shifted means")
    height = [sp.S.One if gamma == sp.oo else gamma for gamma in (s, t)]
    spread = [
        x if gamma == sp.oo else _factored(1 + gamma**2 * x) for gamma, x in ((s, v), (t, w))
    ]
    return 2 / sp.pi * sp.asin(correlation(height[0] * height[1] * c, *spread))


@lru_cache(maxsize=1024)
def _factored(rational: sp.Expr) -> sp.Expr:
    return as_product(rational)


@lru_cache(maxsize=1024)
def root(radicand: sp.Expr) -> sp.Expr:
    """Return the square root with every v w - c^2 written in terms of the correlation, which stays at most 1."""
    numerator, denominator = sp.fraction(as_product(opened(radicand)))
    result = sp.S.One
    for sign, part in ((1, numerator), (-1, denominator)):
        for factor in sp.Mul.make_args(part):
            base, times = factor.as_base_exp()
            result *= _root_of_factor(base) ** (sign * times)
    return result


def _root_of_factor(base: sp.Expr) -> sp.Expr:
    squares = [
        s
        for s in base.free_symbols
        if sp.Poly(base, s).degree() == 2 and base.coeff(s, 1) == 0 and not s.is_positive
    ]
    if len(squares) != 1:
        return sp.sqrt(base)
    (c,) = squares
    spread = as_product(base.subs(c, 0))
    symbols = sorted(spread.free_symbols, key=sp.default_sort_key)
    if len(symbols) != 2:
        return sp.sqrt(base)
    first = sp.Mul(*(f for f in sp.Mul.make_args(spread) if f.has(symbols[0])))
    second = spread / first
    square = -sp.expand(base).coeff(c, 2)
    sine = sp.sqrt(1 - correlation(sp.sqrt(square) * c, first, second) ** 2)
    return sp.sqrt(first) * sp.sqrt(second) * sine
