"""Words, captions and references between places that the mathematics around them contradicts."""

from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sp

from papers.zavatoneveth2023.ledger import bumps, infinite, networks, wide
from papers.zavatoneveth2023.ledger.gaussian import X, Y, at_equal, is_zero, read
from papers.zavatoneveth2023.ledger.index_notation import Case, shown, summed
from theory.core import Check, Claim, Program, Programs, chosen, is_close, stating

A_PROJECTION, OF_IDENTITY = "a projection", "a multiple of the identity"
BOTH = "the identity and a projection"
SUPPORT, WIDTH = sp.Rational(7, 10), sp.Rational(13, 10)
"""Widths of the Gaussian around a support vector and of the kernel."""
SIDE = np.array([0.5, -0.3])
BASE = sp.exp(-((X - Y).dot(X - Y)) / (2 * WIDTH**2))
NORM2 = X.dot(X)
FIGURE_B1 = {"0": (0.0960, 0.0096), "1": (0.0320, 0.0032)}
"""The highest value on each scale of Figure B.1, and the distance of two of them, by bias."""


def _values(metric: sp.Matrix) -> tuple[Any, Any]:
    """Its values across and along the input, if these are its axes."""
    across = sp.Matrix([-X[1], X[0]])
    if not is_zero((X.T * metric * across)[0]):
        raise ValueError("metric: got one that mixes both directions, needs one with x as an axis")
    squares = (across.T * metric * across)[0], (X.T * metric * X)[0]
    return sp.cancel(squares[0] / NORM2), sp.cancel(squares[1] / NORM2)


def form_of(*metrics: sp.Matrix) -> str:
    """What a metric is a combination of: a projection has a direction in which it vanishes."""
    forms = set()
    for metric in metrics:
        across, along = _values(metric)
        if is_zero(across) or is_zero(along):
            forms.add(A_PROJECTION)
        else:
            forms.add(OF_IDENTITY if is_zero(across - along) else BOTH)
    (form,) = forms
    return form


def _form_of_dot_products() -> str:
    """Any function of the dot product, by its series, and the NNGP kernel of a quartic activation function."""
    product = X.dot(Y)
    series = sum(sp.Symbol(f"k{order}") * product**order for order in range(4))
    return form_of(wide.metric_of(series), wide.metric_of(wide.nngp()))


def _form_of_the_tangent_kernel() -> str:
    """The NTK of a quartic activation function: no direction in which its metric vanishes."""
    return form_of(wide.metric_of(wide.ntk()))


def _ratio_of_network(degree: int, sigma: str, zeta: str, x: tuple[str, ...]) -> float:
    """Of the eigenvalue of the metric across the input to that along it."""
    metric = np.array(infinite.network_at(degree, sigma, zeta, x)["g"])
    across = np.median(np.linalg.eigvalsh(metric))
    return float(across / (np.trace(metric) - (len(x) - 1) * across))


def _ratio_stated(claim: Claim, both: float) -> float:
    return float(chosen(claim, "form", {A_PROJECTION: 0.0, OF_IDENTITY: 1.0, BOTH: both}))


def _ratio_by_slope(claim: Claim, degree: int, sigma: str, zeta: str, x: tuple[str, ...]) -> float:
    case = infinite.network_at(degree, sigma, zeta, x)
    return _ratio_stated(claim, 1 / (1 + 2 * case["norm(X)"] ** 2 * case["Omega1"]))


def _ratio_of_the_tangent_kernel(x: tuple[float, ...]) -> float:
    point = np.array(x)
    metric = np.array(wide.metric_of(wide.ntk()).subs(dict(zip(X, x, strict=True))), dtype=float)
    along = point @ metric @ point / (point @ point)
    return float((np.trace(metric) - along) / along)


def _ratio_by_averages(claim: Claim, x: tuple[float, ...]) -> float:
    """The coefficients of (D.19) and (D.20), averaged."""
    case = wide.of_the_tangent_kernel()[1]
    entry, across = (
        read(shown(f"(D.{number})", "printed").rhs, case).subs(dict(zip(X, x, strict=True)))
        for number in (19, 20)
    )
    along = across + entry / (x[0] * x[1]) * (x[0] ** 2 + x[1] ** 2)
    return _ratio_stated(claim, float(across / along))


@cache
def modified_volume() -> Any:
    """The volume element of a Gaussian kernel multiplied by Gaussians around one support vector, the origin."""
    factor = sp.exp(-NORM2 / (2 * SUPPORT**2))
    kernel = factor * factor.subs(dict(zip(X, Y, strict=True)), simultaneous=True) * BASE
    entries = [[at_equal(sp.diff(kernel, X[i], Y[k]), Y, X) for k in range(2)] for i in range(2)]
    return sp.lambdify(list(X), sp.sqrt(sp.Matrix(entries).det()))


def _fall(double: float) -> float:
    """The fall of a logarithm over twice the distance to the support vector, in falls over the distance."""
    volume = modified_volume()
    near, half, far = (float(np.log(volume(*(factor * SIDE)))) for factor in (0.0, 1.0, double))
    return (near - far) / (near - half)


def _fall_stated(claim: Claim, double: float) -> float:
    """That of a Gaussian is quadratic; otherwise the metric of Amari and Wu: the slope of the Gaussian adds to it."""
    if chosen(claim, "kind", {"Gaussian": True, "non-Gaussian": False}):
        return double**2

    def logarithm(factor: float) -> float:
        squared = factor**2 * float(SIDE @ SIDE)
        slope = float(WIDTH**2 / SUPPORT**4) * squared
        return -squared / float(SUPPORT**2) + np.log(1 + slope) / 2

    return logarithm(double) / logarithm(1.0)


def _kind_of_contribution() -> str:
    """The logarithm of the volume element around one support vector is not quadratic in the distance to it."""
    return "Gaussian" if is_close(_fall(2.0), 4.0, 1e-6) else "non-Gaussian"


def _volume_on_quotient(jacobian: Any) -> float:
    """Factor by which a linear map of full rank changes areas that are orthogonal to what it annihilates."""
    rows = np.array(jacobian)
    orthonormal, _ = np.linalg.qr(rows.T)
    return float(abs(np.linalg.det(rows @ orthonormal)))


def _volume_stated(claim: Claim, jacobian: Any) -> float:
    rows = np.array(jacobian)
    product = np.prod([value for value in np.linalg.eigvalsh(rows.T @ rows) if value > 1e-9])
    power = chosen(claim, "what", {"product": 1.0, "square root of the product": 0.5})
    return float(product**power)


SUBMERSION = ((0.7, -0.4, 1.1), (0.2, 0.9, -0.5))


@cache
def _far_out(distance: str) -> Case:
    """The three units of (B.65) without biases, on a ray."""
    return networks.error_functions(
        tuple(tuple(map(str, row)) for row in bumps.triangle()), ("0",) * 3, ("0", distance)
    )


def _expansion(case: Case) -> float:
    """The sum over triples of (B.15), whose terms are products of bumps and preactivations."""
    return float(summed(shown("(B.15)", "corrected").rhs, case)) * case["det(G)"] ** 2


def what_expands() -> str:
    """A sum of polynomials times Gaussian bumps vanishes at infinity; far out the Ricci scalar grows."""
    near, far = (_far_out(distance) for distance in ("3", "6"))
    vanishes = {
        "Ricci curvature": abs(far["R"]) < abs(near["R"]),
        "Ricci curvature times the squared determinant": abs(_expansion(far))
        < 1e-6 * abs(_expansion(near)),
    }
    (word,) = (name for name, falls in vanishes.items() if falls)
    return word


def _curvature_stated(claim: Claim, x: str) -> float:
    case = _far_out(x)
    whole = {
        "Ricci curvature": 1.0,
        "Ricci curvature times the squared determinant": case["det(G)"],
    }
    return _expansion(case) / chosen(claim, "what", whole) ** 2


@cache
def _largest_determinant(bias: str) -> float:
    """Over a grid of inputs, of the units of (B.65)."""
    line, units = np.linspace(-2, 2, 41), bumps.triangle()
    return max(
        float(np.linalg.det(networks.erf_units(units, [float(bias)] * 3, [first, second]).metric))
        for first in line
        for second in line
    )


def _highest_value(claim: Claim, bias: str) -> float:
    """The highest value of a scale of such steps below the maximum of what is drawn."""
    power = chosen(claim, "what", {"Volume element": 0.5, "Determinant": 1.0})
    _, step = FIGURE_B1[bias]
    return float(np.floor(_largest_determinant(bias) ** power / step) * step)


def is_drawn(claim: Claim) -> bool:
    """The scales of both panels end where the maximum does."""
    return all(
        is_close(_highest_value(claim, bias), highest) for bias, (highest, _) in FIGURE_B1.items()
    )


PROGRAMS: Programs = {
    "IV.A support vectors": Program(
        stating(kind=_kind_of_contribution),
        _fall,
        _fall_stated,
        1e-7,
        at={"double": 2.0},
        quantity="fall of log volume over this many distances to a support vector, per fall over one",
    ),
    "IV.B dot products": Program(
        stating(form=_form_of_dot_products),
        _ratio_of_network,
        _ratio_by_slope,
        at=infinite.OF_ERF,
        quantity="eigenvalue of the metric of error functions across the input per that along it",
    ),
    "D projection": Program(
        stating(form=_form_of_the_tangent_kernel),
        _ratio_of_the_tangent_kernel,
        _ratio_by_averages,
        at={"x": (0.5, -0.3)},
        quantity="eigenvalue of the metric of the NTK across the input per that along it",
    ),
    "VI.A non-zero eigenvalues": Program(
        lambda claim: (
            Check(
                "as printed",
                lambda: is_close(
                    _volume_stated(claim, SUBMERSION), _volume_on_quotient(SUBMERSION)
                ),
                "the determinant on the directions that are not annihilated",
            ),
        ),
        _volume_on_quotient,
        _volume_stated,
        at={"jacobian": SUBMERSION},
        quantity="volume element of a submersion",
    ),
    "B.4 curvature": Program(
        stating(what=what_expands, factors=bumps.bend_per_slope),
        lambda x: _far_out(x)["R"],
        _curvature_stated,
        at={"x": "2"},
        quantity="R of the three units of (B.65) without biases, x the second of two inputs, the first being 0",
    ),
    "Figure B.1 panels": Program(
        lambda claim: (Check("as printed", partial(is_drawn, claim), "scales of the figure"),),
        lambda bias: FIGURE_B1[bias][0],
        _highest_value,
        at={"bias": "1"},
        quantity="highest value on the scale",
    ),
}
