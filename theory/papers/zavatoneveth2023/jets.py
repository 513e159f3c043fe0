r"""Christoffel symbols and Riemann tensor of the Hessian of a potential, in jets of the potential.

Metrics with symmetric derivatives are such Hessians, so this is Appendix A in general.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import cache

import mpmath
import numpy as np
import sympy as sp

from theory.core import Reading, Step
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.network import close, riemann_of_symmetric, scalar_of

QUARTER = sp.Rational(1, 4)


@cache
def jet(*indices: int) -> sp.Symbol:
    """A derivative of a potential at the point. Metrics with symmetric derivatives are Hessians of potentials."""
    return sp.Symbol("F" + "".join(map(str, sorted(indices))), real=True)


@cache
def slope(expression: sp.Expr, index: int) -> sp.Expr:
    """Derivative of an expression in jets."""
    return sp.Add(
        *(
            expression.diff(symbol) * jet(*map(int, symbol.name[1:]), index)
            for symbol in sorted(expression.free_symbols, key=str)
        )
    )


class Hessian:
    """The metric, its inverse and its Christoffel symbols in jets of the potential.

    Of more than two inputs, in coordinates in which the metric is the identity at the point: a linear change leads to
    them and keeps the derivatives symmetric. The slope of the inverse there is that of the recalled identity.
    """

    def __init__(self, dimension: int) -> None:
        self.axes = range(1, dimension + 1)
        self.general = dimension == 2
        self.metric = sp.Matrix(dimension, dimension, lambda i, j: jet(i + 1, j + 1))
        self.inverse = self.metric.inv() if self.general else sp.eye(dimension)

    def _lowered(self, m: int, k: int) -> sp.Expr:
        return self.metric[m - 1, k - 1] if self.general else sp.Integer(int(m == k))

    @cache  # noqa: B019
    def christoffel(self, upper: int, a: int, b: int) -> sp.Expr:
        """By definition."""
        return sp.Add(*(self.inverse[upper - 1, k - 1] * self._first_kind(k, a, b) for k in self.axes))

    @staticmethod
    def _first_kind(k: int, a: int, b: int) -> sp.Expr:
        return (slope(jet(b, k), a) + slope(jet(a, k), b) - slope(jet(a, b), k)) / 2

    def _christoffel_slope(self, upper: int, a: int, b: int, along: int) -> sp.Expr:
        if self.general:
            return slope(self.christoffel(upper, a, b), along)
        falling = sp.Add(*(-jet(upper, k, along) * self._first_kind(k, a, b) for k in self.axes))
        return falling + slope(self._first_kind(upper, a, b), along)

    def derivatives(self, m: int, nu: int, a: int, b: int) -> sp.Expr:
        """The part of the Riemann tensor with derivatives of Christoffel symbols, index lowered."""
        return sp.Add(
            *(
                self._lowered(m, k) * (self._christoffel_slope(k, b, nu, a) - self._christoffel_slope(k, a, nu, b))
                for k in self.axes
            )
        )

    def products(self, m: int, nu: int, a: int, b: int) -> sp.Expr:
        """The part with products of Christoffel symbols, index lowered."""
        return sp.Add(
            *(
                self._lowered(m, k)
                * (
                    self.christoffel(k, a, p) * self.christoffel(p, b, nu)
                    - self.christoffel(k, b, p) * self.christoffel(p, a, nu)
                )
                for k in self.axes
                for p in self.axes
            )
        )

    def quadratic(self, m: int, nu: int, a: int, b: int) -> sp.Expr:
        """The combination of T g^-1 T that both are multiples of."""
        return sp.Add(
            *(
                self.inverse[p - 1, k - 1] * (jet(m, a, p) * jet(nu, b, k) - jet(m, b, p) * jet(nu, a, k))
                for p in self.axes
                for k in self.axes
            )
        )

    def over_pairs(self, form: Callable[[int, int, int, int], sp.Expr]) -> sp.Matrix:
        """A tensor with the symmetries of Riemann's as a matrix over pairs of axes."""
        pairs = list(itertools.combinations(self.axes, 2))
        return sp.Matrix(len(pairs), len(pairs), lambda i, j: form(*pairs[i], *pairs[j]))


plane, space = Hessian(2), Hessian(3)
scalar_by_definition = sp.Add(
    *(
        plane.inverse[m - 1, a - 1]
        * plane.inverse[k - 1, b - 1]
        * (plane.derivatives(m, k, a, b) + plane.products(m, k, a, b))
        for m, k, a, b in itertools.product(plane.axes, repeat=4)
    )
)
scalar_quadratic = sp.Add(
    *(
        plane.inverse[m - 1, a - 1] * plane.inverse[k - 1, b - 1] * plane.quadratic(m, k, a, b)
        for m, k, a, b in itertools.product(plane.axes, repeat=4)
    )
)


def total(space_: Hessian) -> sp.Matrix:
    """The Riemann tensor by definition, over pairs of axes."""
    return space_.over_pairs(space_.derivatives) + space_.over_pairs(space_.products)


def scaled(space_: Hessian, factor: sp.Expr) -> sp.Matrix:
    """The combination of T g^-1 T times a factor, over pairs of axes."""
    return factor * space_.over_pairs(space_.quadratic)


AT = ("1.5", "0.7")


def _log_gamma() -> tuple[np.ndarray, np.ndarray]:
    """Metric and its derivatives for the Hessian of ln Gamma(a) - a ln b, written out."""
    a, b = map(float, AT)
    metric = np.array([[mpmath.psi(1, a), -1 / b], [-1 / b, a / b**2]], dtype=float)
    third = {3: float(mpmath.psi(2, a)), 2: 0.0, 1: 1 / b**2, 0: -2 * a / b**3}
    return metric, np.array([[[third[[i, j, k].count(0)] for k in (0, 1)] for j in (0, 1)] for i in (0, 1)])


def tensor() -> Reading:
    """The Riemann tensor at the witness: printed, corrected, by definition."""
    metric, third = _log_gamma()
    found = christoffel.curvature(explicit_metrics.log_gamma_hessian, AT)
    printed, corrected = (riemann_of_symmetric(metric, third, factor) for factor in (3, 1))
    return Reading(printed, corrected, explicit_metrics.as_floats(found.riemann))


def scalar() -> Reading:
    """Its scalar at the witness."""
    metric, third = _log_gamma()
    printed, corrected = (scalar_of(metric, riemann_of_symmetric(metric, third, factor)) for factor in (3, 1))
    return Reading(printed, corrected, christoffel.scalar(explicit_metrics.log_gamma_hessian, AT))


def _ratio_of_signs(metric: christoffel.Metric, point: Sequence[str]) -> float:
    """Scalar curvature with the products of Christoffel symbols reversed, per the right one."""
    return christoffel.scalar(metric, point, sign=-1) / christoffel.scalar(metric, point)


def reversed_sign_triples() -> bool:
    """Whether metrics with symmetric derivatives have three times their curvature with the sign reversed."""
    network = explicit_metrics.erf_network(explicit_metrics.WEIGHTS, explicit_metrics.BIASES)
    wide = explicit_metrics.infinite_erf("1", "0.5", 3)
    return all(
        close(_ratio_of_signs(metric, point), 3)
        for metric, point in (
            (explicit_metrics.log_gamma_hessian, AT),
            (network, explicit_metrics.POINT),
            (wide, explicit_metrics.POINT),
        )
    )


def some_surfaces_do_not_show_it() -> bool:
    """A 2-sphere has the right curvature with either sign; a 3-sphere, a paraboloid and a bent plane do not."""
    at2, at3 = ("0.3", "-0.7"), ("0.3", "-0.7", "0.4")
    blind = close(_ratio_of_signs(explicit_metrics.sphere, at2), 1) and close(
        _ratio_of_signs(explicit_metrics.polar, at2), 1
    )
    seeing = [_ratio_of_signs(explicit_metrics.sphere, at3), _ratio_of_signs(explicit_metrics.paraboloid, at2)]
    plane_ = [abs(christoffel.scalar(explicit_metrics.bent_plane, at2, sign=sign)) for sign in (1, -1)]
    return blind and not any(close(ratio, 1, 0.1) for ratio in seeing) and plane_[0] < 1e-30 and plane_[1] > 1


def tensor_of(factor: sp.Expr, name: str) -> tuple[Step, ...]:
    """The Riemann tensor of two and of three inputs, with a prefactor."""
    return (
        Step(
            f"{name}: two inputs, any metric",
            total(plane),
            scaled(plane, factor),
            because="definition of the Riemann tensor",
        ),
        Step(f"{name}: three inputs, where g = 1", total(space), scaled(space, factor), because="the same"),
    )


phi = sp.Function("phi", real=True)
x = sp.symbols("x1:3", real=True)
w = sp.symbols("w1:3", real=True)
b = sp.Symbol("b", real=True)
unit = phi(w[0] * x[0] + w[1] * x[1] + b)
slope_of_unit, bend_of_unit = unit.diff(b), unit.diff(b, 2)  # the bias moves the preactivation one to one
pairs = space.over_pairs


def swapped(order: tuple[int, int, int, int]) -> sp.Matrix:
    """The corrected Riemann tensor with its indices in another order."""

    def form(*indices: int) -> sp.Expr:
        return -QUARTER * space.quadratic(*(indices[i] for i in order))

    return pairs(form)


def bianchi(factor: float) -> bool:
    """Whether the first Bianchi identity holds with a prefactor, four inputs."""
    draw = np.random.default_rng(3)
    vectors = draw.normal(size=(7, 4))
    third = np.einsum("ja,jb,jc->abc", vectors, vectors, draw.normal(size=(7, 1)) * vectors)
    tensor = riemann_of_symmetric(vectors.T @ vectors, third, factor)
    cyclic = tensor + np.einsum("mabn->mnab", tensor) + np.einsum("mbna->mnab", tensor)
    return bool(np.abs(tensor).max() > 0.1 and np.abs(cyclic).max() < 1e-12)
