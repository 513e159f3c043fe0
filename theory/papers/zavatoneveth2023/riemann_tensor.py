r"""Appendix A: the Riemann tensor of metrics with symmetric derivatives, Eqs. (A.1) to (A.19).

The factor 3 of the paper's curvatures enters here. With :math:`T_{\alpha\mu\nu} = \partial_\alpha g_{\mu\nu}` symmetric, the
derivatives of the Christoffel symbols contribute -1/2 and their products +1/4 to the same combination of :math:`T g^{-1} T`. The
sum is -1/4. With the sign of the products reversed it is -3/4, which is what (A.18) and (B.27) print.
"""

from __future__ import annotations

import itertools
from functools import cache

import mpmath
import numpy as np
import sympy as sp

from theory.core import Check, Finding, Reading, Step
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.entry import entry
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

    Of more than two inputs, in coordinates in which the metric is the identity at the point: a linear change leads to them
    and keeps the derivatives symmetric. The slope of the inverse there is that of the recalled identity.
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

    def over_pairs(self, form: object) -> sp.Matrix:
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


def _total(space_: Hessian) -> sp.Matrix:
    return space_.over_pairs(space_.derivatives) + space_.over_pairs(space_.products)


def _scaled(space_: Hessian, factor: sp.Expr) -> sp.Matrix:
    return factor * space_.over_pairs(space_.quadratic)


AT = ("1.5", "0.7")


def _log_gamma() -> tuple[np.ndarray, np.ndarray]:
    """Metric and its derivatives for the Hessian of ln Gamma(a) - a ln b, written out."""
    a, b = map(float, AT)
    metric = np.array([[mpmath.psi(1, a), -1 / b], [-1 / b, a / b**2]], dtype=float)
    third = {3: float(mpmath.psi(2, a)), 2: 0.0, 1: 1 / b**2, 0: -2 * a / b**3}
    return metric, np.array([[[third[[i, j, k].count(0)] for k in (0, 1)] for j in (0, 1)] for i in (0, 1)])


def _tensor() -> Reading:
    metric, third = _log_gamma()
    found = christoffel.curvature(explicit_metrics.log_gamma_hessian, AT)
    printed, corrected = (riemann_of_symmetric(metric, third, factor) for factor in (3, 1))
    return Reading(printed, corrected, explicit_metrics.as_floats(found.riemann))


def _scalar() -> Reading:
    metric, third = _log_gamma()
    printed, corrected = (scalar_of(metric, riemann_of_symmetric(metric, third, factor)) for factor in (3, 1))
    return Reading(printed, corrected, christoffel.scalar(explicit_metrics.log_gamma_hessian, AT))


def _ratio_of_signs(metric: christoffel.Metric, point: tuple[str, ...]) -> float:
    """Scalar curvature with the products of Christoffel symbols reversed, per the right one."""
    return christoffel.scalar(metric, point, sign=-1) / christoffel.scalar(metric, point)


def _reversed_sign_triples() -> bool:
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


def _some_surfaces_do_not_show_it() -> bool:
    """A 2-sphere has the right curvature with either sign; a 3-sphere, a paraboloid and a bent plane do not."""
    at2, at3 = ("0.3", "-0.7"), ("0.3", "-0.7", "0.4")
    blind = close(_ratio_of_signs(explicit_metrics.sphere, at2), 1) and close(
        _ratio_of_signs(explicit_metrics.polar, at2), 1
    )
    seeing = [_ratio_of_signs(explicit_metrics.sphere, at3), _ratio_of_signs(explicit_metrics.paraboloid, at2)]
    plane_ = [abs(christoffel.scalar(explicit_metrics.bent_plane, at2, sign=sign)) for sign in (1, -1)]
    return blind and not any(close(ratio, 1, 0.1) for ratio in seeing) and plane_[0] < 1e-30 and plane_[1] > 1


def _tensor_of(factor: sp.Expr) -> tuple[Step, ...]:
    return (
        Step(
            "two inputs, any metric", _total(plane), _scaled(plane, factor), because="definition of the Riemann tensor"
        ),
        Step("three inputs, where g = 1", _total(space), _scaled(space, factor), because="the same"),
    )


phi = sp.Function("phi", real=True)
x = sp.symbols("x1:3", real=True)
w = sp.symbols("w1:3", real=True)
b = sp.Symbol("b", real=True)
unit = phi(w[0] * x[0] + w[1] * x[1] + b)
slope_of_unit, bend_of_unit = unit.diff(b), unit.diff(b, 2)  # the bias moves the preactivation one to one
pairs = space.over_pairs


def _swapped(order: tuple[int, int, int, int]) -> sp.Matrix:
    def form(*indices: int) -> sp.Expr:
        return -QUARTER * space.quadratic(*(indices[i] for i in order))

    return pairs(form)


EQUATIONS = (
    entry(
        "(A.1)",
        "A",
        "The metric as an average over weights and biases of any distribution.",
        Finding.DEFINITION,
        "The metrics (2) and (C.1) are of this form.",
        printed=r"g_{\mu\nu} = \mathbb{E}_{\mathbf{w},b}[\phi'(\mathbf{w}\cdot\mathbf{x}+b)^2 w_\mu w_\nu]",
    ),
    entry(
        "(A.2)",
        "A",
        "Its derivatives are symmetric in all three indices.",
        Finding.CONFIRMED,
        "Each unit contributes 2 phi' phi'' w w w.",
        printed=r"\partial_\alpha g_{\mu\nu} = 2 \mathbb{E}_{\mathbf{w},b}[\phi'(\mathbf{w}\cdot\mathbf{x}+b) "
        r"\phi''(\mathbf{w}\cdot\mathbf{x}+b) w_\alpha w_\mu w_\nu]",
        steps=tuple(
            Step(
                f"one unit, indices {a + 1}, {m + 1}, {k + 1}",
                sp.Derivative(slope_of_unit**2 * w[m] * w[k], x[a]),
                2 * slope_of_unit * bend_of_unit * w[a] * w[m] * w[k],
                because="chain rule",
            )
            for a, m, k in ((0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 1, 0))
        ),
    ),
    entry(
        "(A.3) to (A.12), Christoffel symbols",
        "A",
        "The Christoffel symbols of the second kind reduce to half the derivative of the metric, one index raised.",
        Finding.CONFIRMED,
        "The displays (A.3) to (A.12) are missing from the text read; this one is given by its sentence.",
        printed=r"\Gamma^\alpha_{\mu\nu} = \tfrac12 g^{\alpha\rho} \partial_\rho g_{\mu\nu}",
        steps=(
            Step(
                "two inputs",
                sp.Matrix(2, 4, lambda i, j: plane.christoffel(i + 1, j // 2 + 1, j % 2 + 1)),
                sp.Matrix(
                    2,
                    4,
                    lambda i, j: sp.Add(*(plane.inverse[i, k] * jet(k + 1, j // 2 + 1, j % 2 + 1) for k in (0, 1))) / 2,
                ),
                because="three equal terms, one with the opposite sign",
            ),
        ),
    ),
    entry(
        "(A.3) to (A.12), derivative of the inverse",
        "A",
        "The matrix calculus identity that is recalled.",
        Finding.CONFIRMED,
        "The display is missing from the text read; this is the identity that the derivation needs.",
        printed=r"\partial_\alpha g^{\mu\nu} = -g^{\mu\rho} g^{\nu\lambda} \partial_\alpha g_{\rho\lambda}",
        steps=tuple(
            Step(
                f"two inputs, along x{a}",
                plane.inverse.applyfunc(lambda e, a=a: slope(e, a)),
                -plane.inverse * plane.metric.applyfunc(lambda e, a=a: slope(e, a)) * plane.inverse,
                because="g times its inverse is constant",
            )
            for a in (1, 2)
        ),
    ),
    entry(
        "(A.3) to (A.12), Riemann tensor",
        "A",
        "The Riemann tensor with all indices down, with the symmetry of the derivatives used.",
        Finding.MISPRINT,
        "The display is missing from the text read; its prefactor -3/4 is that of (A.18) and (B.27), which quote it. "
        "Derivatives of Christoffel symbols give -1/2 and their products +1/4; the print follows from the products "
        "with the opposite sign. The full Christoffel route at 100 digits sides with the corrected form.",
        printed=r"R_{\mu\nu\alpha\beta} = -\tfrac34 g^{\rho\lambda} (\partial_\alpha g_{\mu\rho} \partial_\beta "
        r"g_{\nu\lambda} - \partial_\beta g_{\mu\rho} \partial_\alpha g_{\nu\lambda})",
        corrected=r"R_{\mu\nu\alpha\beta} = -\tfrac14 g^{\rho\lambda} (\partial_\alpha g_{\mu\rho} \partial_\beta "
        r"g_{\nu\lambda} - \partial_\beta g_{\mu\rho} \partial_\alpha g_{\nu\lambda})",
        steps=(
            Step(
                "derivatives of Christoffel symbols",
                plane.over_pairs(plane.derivatives),
                _scaled(plane, -2 * QUARTER),
                because="fourth derivatives of the potential cancel",
            ),
            Step(
                "products of Christoffel symbols",
                plane.over_pairs(plane.products),
                _scaled(plane, QUARTER),
                because="Christoffel symbols as above",
            ),
            *_tensor_of(-QUARTER),
            Check("reversing the products triples the curvature", _reversed_sign_triples, "full Christoffel route"),
            Check(
                "a 2-sphere and diagonal metrics of two inputs do not show it",
                _some_surfaces_do_not_show_it,
                "full Christoffel route",
            ),
        ),
        printed_steps=_tensor_of(-3 * QUARTER),
        witness={"metric": "Hessian of ln Gamma(a) - a ln b", "a": AT[0], "b": AT[1]},
        oracle=_tensor,
        consequence="Every curvature in the paper is three times too large: (4), (7), (A.17) to (A.19), (B.10), (B.12), "
        "(B.13), (B.15), (B.16), (B.27) to (B.36), (B.40), (B.42), (B.43), (B.69), (B.70), (C.16), (C.20), (C.23), "
        "(C.28), (C.46), (C.48), and the values in Figures 1, B.1, C.1, G.2 and G.6. Signs, zeros, monotonicity and "
        "thresholds, and all volume elements, are not affected.",
    ),
    entry(
        "(A.13) to (A.15)",
        "A",
        "The tensor is antisymmetric in each pair of indices and symmetric under exchange of the pairs.",
        Finding.CONFIRMED,
        "A prefactor does not matter here.",
        printed=r"R_{\mu\nu\alpha\beta} = -R_{\mu\nu\beta\alpha}, \quad R_{\mu\nu\alpha\beta} = -R_{\nu\mu\alpha\beta}, "
        r"\quad R_{\mu\nu\alpha\beta} = +R_{\alpha\beta\mu\nu}",
        steps=(
            Step("last pair", _total(space), -_swapped((0, 1, 3, 2)), because="definition against exchanged form"),
            Step("first pair", _total(space), -_swapped((1, 0, 2, 3)), because="definition against exchanged form"),
            Step("both pairs", _total(space), _swapped((2, 3, 0, 1)), because="definition against exchanged form"),
        ),
    ),
    entry(
        "(A.16)",
        "A",
        "The first Bianchi identity.",
        Finding.CONFIRMED,
        "With four inputs, where it says something new.",
        printed=r"R_{\mu\nu\alpha\beta} + R_{\mu\alpha\beta\nu} + R_{\mu\beta\nu\alpha} = 0",
        steps=(
            Check(
                "random symmetric derivatives",
                lambda: _bianchi(3),
                "the formula with its printed factor",
            ),
            Check("and with the right one", lambda: _bianchi(1), "the corrected formula"),
        ),
    ),
    entry(
        "(A.17) to (A.19)",
        "A",
        "The Ricci scalar from the derivatives of the metric.",
        Finding.MISPRINT,
        "Contraction of the Riemann tensor above, whose prefactor it keeps.",
        printed=r"R = g^{\beta\nu} R^\alpha_{\nu\alpha\beta} = -\tfrac34 g^{\mu\alpha} g^{\nu\beta} g^{\rho\lambda} "
        r"(\partial_\alpha g_{\mu\rho} \partial_\beta g_{\nu\lambda} - \partial_\beta g_{\mu\rho} \partial_\alpha "
        r"g_{\nu\lambda})",
        corrected=r"R = -\tfrac14 g^{\mu\alpha} g^{\nu\beta} g^{\rho\lambda} (\partial_\alpha g_{\mu\rho} \partial_\beta "
        r"g_{\nu\lambda} - \partial_\beta g_{\mu\rho} \partial_\alpha g_{\nu\lambda})",
        steps=(
            Step(
                "two inputs", scalar_by_definition, -QUARTER * scalar_quadratic, because="contraction of the definition"
            ),
        ),
        printed_steps=(
            Step("as printed", scalar_by_definition, -3 * QUARTER * scalar_quadratic, because="contraction"),
        ),
        witness={"metric": "Hessian of ln Gamma(a) - a ln b", "a": AT[0], "b": AT[1]},
        oracle=_scalar,
        consequence="The scalar curvature is three times too large: -2.86 instead of -0.953 at the witness.",
    ),
)


def _bianchi(factor: float) -> bool:
    draw = np.random.default_rng(3)
    vectors = draw.normal(size=(7, 4))
    third = np.einsum("ja,jb,jc->abc", vectors, vectors, draw.normal(size=(7, 1)) * vectors)
    tensor = riemann_of_symmetric(vectors.T @ vectors, third, factor)
    cyclic = tensor + np.einsum("mabn->mnab", tensor) + np.einsum("mbna->mnab", tensor)
    return bool(np.abs(tensor).max() > 0.1 and np.abs(cyclic).max() < 1e-12)
