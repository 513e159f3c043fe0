r"""Section IV.B and Appendix C: metric and curvature at infinite width, Eqs. (5) to (7) and (C.12) to (C.48).

The metric is a Gaussian integral over all weights at once, :math:`\Omega` an integral over one preactivation, the
curvature that of ``christoffel``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
from scipy import special

from theory.core import Claim, numerically
from theory.core.ledger.ledger import Programs
from theory.core.ledger.proving import chosen, deciding, is_close, stating
from theory.core.numbers.evaluation import evaluate
from theory.papers.zavatoneveth2023.christoffel import WORK, Metric, exact, inverse
from theory.papers.zavatoneveth2023.index_notation import Case, as_printed, curvature
from theory.papers.zavatoneveth2023.networks import geometry

POINT = ("0.3", "-0.7", "0.2", "0.5")
# Activation (the degree of a monomial, or 0 for erf), sigma, zeta, inputs.
ERF = ((0, "1", "0.5", 2), (0, "0.8", "0.6", 3), (0, "1.3", "0.4", 4))
MONOMIALS = ((2, "1", "0.5", 2), (3, "0.8", "0.6", 3), (4, "1.3", "0.4", 4), (2, "1.2", "0.7", 4))
WITHOUT_BIAS = ((2, "1", "0", 3), (3, "0.8", "0", 3), (4, "1.3", "0", 4), (2, "1.2", "0", 2))
IN_INDICES = (*ERF[:2], MONOMIALS[1])
NODES, WEIGHTS = np.polynomial.legendre.leggauss(200)


def squared_slope(degree: int, z: Any) -> Any:
    """phi'(z)^2 of erf(z/sqrt 2), or of the normalised monomial."""
    if degree == 0:
        return 2 / np.pi * np.exp(-(z**2))
    return degree**2 * z ** (2 * degree - 2) / special.factorial2(2 * degree - 1)


def mean_squared_slope(degree: int, variance: float) -> list[float]:
    """E[phi'(z)^2] and its two derivatives in the variance, from those of the normal density, by quadrature."""
    z = 12 * np.sqrt(variance) * NODES
    density = 12 * WEIGHTS * np.exp(-(z**2) / (2 * variance)) / np.sqrt(2 * np.pi)
    first = (z**2 - variance) / (2 * variance**2)
    second = first**2 + (variance - 2 * z**2) / (2 * variance**3)
    return [float(density * factor @ squared_slope(degree, z)) for factor in (np.ones_like(z), first, second)]


def infinite_erf(sigma: Any, zeta: Any, dimension: int) -> Metric:
    """Eq. (C.1) for erf(z / sqrt 2): the Gaussian integral over weights and bias as one matrix inverse."""
    prior = exact(np.diag([1 / WORK.mpf(sigma) ** 2] * dimension + [1 / WORK.mpf(zeta) ** 2]))

    def metric(x: Any) -> Any:
        along = np.array([*x, WORK.mpf(1)], dtype=object)
        tilted = prior + 2 * np.outer(along, along)
        ratio = WORK.det(WORK.matrix(prior.tolist())) / WORK.det(WORK.matrix(tilted.tolist()))
        return 2 / WORK.pi * WORK.sqrt(ratio) * inverse(tilted)[:dimension, :dimension]

    return metric


def infinite_monomial(q: int, sigma: Any, zeta: Any, dimension: int) -> Metric:
    """Eq. (C.1) for the monomial z^q / sqrt((2q-1)!!): all pairings of 2q - 2 factors z and two weights, counted."""
    variance, bias = WORK.mpf(sigma) ** 2, WORK.mpf(zeta) ** 2
    scale = WORK.mpf(q) ** 2 / WORK.fac2(2 * q - 1)

    def metric(x: Any) -> Any:
        preactivation = variance * (x @ x) + bias
        # The weights pair with each other, or each with one of the factors z, of which the rest pair up.
        together = variance * preactivation ** (q - 1) * WORK.fac2(2 * q - 3)
        apart = (2 * q - 2) * (2 * q - 3) * WORK.fac2(2 * q - 5) * preactivation ** (q - 2) if q > 1 else WORK.mpf(0)
        return scale * (together * exact(np.eye(len(x))) + apart * variance**2 * np.outer(x, x))

    if dimension < 1:
        raise ValueError(f"dimension: got {dimension}, needs at least 1")
    return metric


@cache
def network(degree: int, sigma: str, zeta: str, inputs: int) -> Case:
    """An infinitely wide network at one point."""
    point = POINT[:inputs]
    of_power = partial(infinite_monomial, degree)
    metric = (of_power if degree else infinite_erf)(sigma, zeta, inputs)
    x, spread = np.array(point, dtype=float), float(sigma) ** 2
    mean, rise, bend = mean_squared_slope(degree, spread * float(x @ x) + float(zeta) ** 2)
    return {
        **geometry(metric, point), "q": degree, "sigma": float(sigma), "zeta": float(zeta), "x": x,
        "norm(X)": float(np.linalg.norm(x)), "E(phi1(z)**2)": mean,
        "Omega": math.log(spread * mean), "Omega1": spread * rise / mean,
        "Omega2": spread**2 * (bend / mean - (rise / mean) ** 2),
    }  # fmt: skip


def of(networks: tuple[Any, ...], factor: float = 1.0) -> Callable[[], list[Case]]:
    """Cases: these networks, with scalar curvatures times a factor."""
    return lambda: [{**network(*one), "R": factor * network(*one)["R"]} for one in networks]


@cache
def _mean_product(first: float, second: float, covariance: float) -> float:
    """E[erf(u/sqrt 2) erf(v/sqrt 2)] by quadrature over both standard normal variables that make u and v."""
    one, density = 10 * NODES, 10 * WEIGHTS * np.exp(-50 * NODES**2) / math.sqrt(2 * math.pi)
    root = math.sqrt(first)
    v = covariance / root * one[:, None] + math.sqrt(second - covariance**2 / first) * one
    inner = special.erf(v / math.sqrt(2)) @ density
    return float(density * special.erf(root * one / math.sqrt(2)) @ inner)


def kernels_of_erf() -> list[dict[str, Any]]:
    """Cases: two pairs of inputs, with the kernel by quadrature."""
    pairs = (((0.5, 0.5), (1.0, -0.2), 1.1, 0.6), ((-1.1, 0.3), (0.4, 0.37), 0.8, 0.4))

    def kernel(one: Any, other: Any, sigma: float, zeta: float) -> float:
        return _mean_product(*(sigma**2 * (a @ b) + zeta**2 for a, b in ((one, one), (other, other), (one, other))))

    return [
        {"X": x, "Y": y, "sigma": sigma, "zeta": zeta, "norm": np.linalg.norm, "dot": np.dot,
         "kernel": lambda one, other, sigma=sigma, zeta=zeta: kernel(one, other, sigma, zeta)}
        for x, y, sigma, zeta in pairs
    ]  # fmt: skip


def has_the_eigenvalues(claim: Claim, case: Case) -> bool:
    """Eigenvalues of the metric along the input and across it, and how often the latter occurs."""
    values = {**case, "norm": lambda _: case["norm(X)"], "X": 0.0}
    along, across, count = (float(evaluate(claim[name], values)) for name in ("along", "across", "count"))
    is_along = count == case["d"] - 1 and is_close(case["g"] @ case["x"], along * case["x"])
    return is_along and is_close(np.linalg.eigvalsh(case["g"]), sorted([along, *[across] * round(count)]))


def _symmetry() -> str:
    """Whether determinant and curvature agree at points of one norm, and differ where only one coordinate agrees."""

    def at(*point: str) -> list[float]:
        found = geometry(infinite_erf("1", "0.5", 3), point)
        return [found["det(G)"], found["R"]]

    here = at("0.3", "-0.6", "0.2")
    agree = [is_close(at(*other), here) for other in (("0.6", "-0.2", "0.3"), ("0.3", "0.1", "0.5"))]
    return "spherically symmetric" if agree == [True, False] else "not symmetric"


def metric_of_kernel(kernel: Callable[..., Any], point: tuple[str, ...]) -> Any:
    """Second derivative of the kernel in one input and the other where both are the point, by differences."""
    step, at = WORK.mpf(10) ** -20, exact(point)

    def mixed(one: Any, other: Any) -> float:
        signs = itertools.product((1, -1), repeat=2)
        return float(sum(s * t * kernel(at + s * one, at + t * other) for s, t in signs) / (4 * step**2))

    axes = step * exact(np.eye(len(point)))
    return np.array([[mixed(one, other) for other in axes] for one in axes])


KERNELS = (lambda x, y: (x @ y + WORK.mpf("0.5")) ** 3, lambda x, y: WORK.exp(x @ y))


def has_the_form(claim: Claim, kernel: Callable[..., Any]) -> bool:
    """Whether the metric of a kernel of dot products is the identity plus a multiple of the projection on x."""
    x, metric = np.array(POINT[:3], dtype=float), metric_of_kernel(kernel, POINT[:3])
    along = np.outer(x, x) / (x @ x)
    rest = metric - (np.trace(metric) - np.trace(metric @ along)) / 2 * np.eye(3)
    if chosen(claim, "form", {"a projection": True, "a multiple of the identity": False}):
        return is_close(rest, np.trace(rest) * along) and bool(np.trace(rest) > 0.1)
    return is_close(rest, np.zeros((3, 3)), scale=1.0)


tensors = as_printed(of(IN_INDICES))


def _seen(place: int = 1, networks: tuple[Any, ...] = ERF) -> Callable[[], Case]:
    return lambda: network(*networks[place])


PROGRAMS: Programs = {
    **dict.fromkeys(("(5)", "(6)"), as_printed(of((*ERF, *MONOMIALS)))),
    "(7)": curvature(of((*ERF, *MONOMIALS)), _seen()),
    "IV.B dot products": deciding(has_the_form, cases=lambda: KERNELS),
    "IV.B spherical symmetry": stating({"symmetry": _symmetry}),
    **dict.fromkeys((f"(C.{number})" for number in (12, 13, 14, 15, 17, 18, 19, 21, 22)), tensors),
    **dict.fromkeys(("(C.16)", "(C.20)", "(C.23)"), curvature(of(IN_INDICES), _seen())),
    "C.1 eigenvalues": deciding(has_the_eigenvalues, cases=of(IN_INDICES)),
    "(C.24)": numerically(kernels_of_erf),
    **dict.fromkeys(("(C.25)", "(C.26)", "(C.27)"), as_printed(of(ERF))),
    "(C.28)": curvature(of(ERF), _seen()),
    **dict.fromkeys(("(C.44)", "(C.45)"), as_printed(of(MONOMIALS))),
    "(C.46)": curvature(of(MONOMIALS), _seen(1, MONOMIALS)),
    "(C.47)": as_printed(of(WITHOUT_BIAS)),
    "(C.48)": as_printed(of(WITHOUT_BIAS[:3], 3)),
}
