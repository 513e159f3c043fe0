r"""Section IV.B and Appendix C: metric and curvature at infinite width, Eqs. (5) to (7) and (C.12) to (C.48).

The metric is a Gaussian integral over all weights at once, :math:`\Omega` an integral over one preactivation, the
curvature that of ``christoffel``.
"""

import math
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
from scipy import special

from papers.zavatoneveth2023.ledger.christoffel import WORK, Metric, exact, inverse
from papers.zavatoneveth2023.ledger.index_notation import Case, as_printed, curvature
from papers.zavatoneveth2023.ledger.networks import geometry
from theory.core import Claim, Programs, deciding, evaluate, is_close, numerically, stating

POINT = ("0.3", "-0.7", "0.2", "0.5")
# Activation (the degree of a monomial, or 0 for erf), sigma, zeta, inputs.
ERF = ((0, "1", "0.5", 2), (0, "0.8", "0.6", 3), (0, "1.3", "0.4", 4))
MONOMIALS = ((2, "1", "0.5", 2), (3, "0.8", "0.6", 3), (4, "1.3", "0.4", 4), (2, "1.2", "0.7", 4))
WITHOUT_BIAS = ((2, "1", "0", 3), (3, "0.8", "0", 3), (4, "1.3", "0", 4), (2, "1.2", "0", 2))
IN_INDICES = (*ERF[:2], MONOMIALS[1])
NODES, MASSES = np.polynomial.hermite_e.hermegauss(200)
MASSES = MASSES / MASSES.sum()


def mean_squared_slope(degree: int, variance: float) -> list[float]:
    """E[phi'(z)^2] and its two derivatives in the variance, from those of the normal density, by quadrature."""
    z = np.sqrt(variance) * NODES
    erf, power = 2 / np.pi * np.exp(-(z**2)), degree**2 * z ** np.abs(2 * degree - 2)
    slopes = power / special.factorial2(2 * degree - 1) if degree else erf
    first = (z**2 - variance) / (2 * variance**2)
    second = first**2 + (variance - 2 * z**2) / (2 * variance**3)
    return [float(MASSES * factor @ slopes) for factor in (np.ones_like(z), first, second)]


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
        apart = (
            (2 * q - 2) * (2 * q - 3) * WORK.fac2(2 * q - 5) * preactivation ** (q - 2)
            if q > 1
            else WORK.mpf(0)
        )
        return scale * (together * exact(np.eye(len(x))) + apart * variance**2 * np.outer(x, x))

    if dimension < 1:
        raise ValueError(f"dimension: got {dimension}, needs at least 1")
    return metric


def network(degree: int, sigma: str, zeta: str, inputs: int) -> Case:
    """An infinitely wide network of so many inputs at one point."""
    return network_at(degree, sigma, zeta, POINT[:inputs])


@cache
def network_at(degree: int, sigma: str, zeta: str, x: tuple[str, ...]) -> Case:
    """An infinitely wide network at a point; degree 0 is the error function."""
    inputs = len(x)
    of_power = partial(infinite_monomial, degree)
    metric = (of_power if degree else infinite_erf)(sigma, zeta, inputs)
    at, spread = np.array(x, dtype=float), float(sigma) ** 2
    mean, rise, bend = mean_squared_slope(degree, spread * float(at @ at) + float(zeta) ** 2)
    return {
        **geometry(metric, x), "q": degree, "sigma": float(sigma), "zeta": float(zeta), "x": at,
        "norm(X)": float(np.linalg.norm(at)), "E(phi1(z)**2)": mean,
        "Omega": math.log(spread * mean), "Omega1": spread * rise / mean,
        "Omega2": spread**2 * (bend / mean - (rise / mean) ** 2),
    }  # fmt: skip


def of(networks: tuple[Any, ...], factor: float = 1.0) -> Callable[[], list[Case]]:
    """Cases: these networks, with scalar curvatures times a factor."""
    return lambda: [
        {**network(*parameters), "R": factor * network(*parameters)["R"]}
        for parameters in networks
    ]


def kernels_of_erf() -> list[dict[str, Any]]:
    """Two pairs of inputs, by quadrature over both preactivations."""
    pairs = (((0.5, 0.5), (1.0, -0.2), 1.1, 0.6), ((-1.1, 0.3), (0.4, 0.37), 0.8, 0.4))

    def kernel(sigma: float, zeta: float, x: Any, y: Any) -> float:
        first, second, both = (sigma**2 * (a @ b) + zeta**2 for a, b in ((x, x), (y, y), (x, y)))
        u = math.sqrt(first) * NODES[:, None]
        v = both / first * u + math.sqrt(second - both**2 / first) * NODES
        return float(
            MASSES @ (special.erf(u / math.sqrt(2)) * special.erf(v / math.sqrt(2))) @ MASSES
        )

    shared = {"norm": np.linalg.norm, "dot": np.dot}
    return [
        {
            **shared,
            "X": x,
            "Y": y,
            "sigma": sigma,
            "zeta": zeta,
            "kernel": partial(kernel, sigma, zeta),
        }
        for x, y, sigma, zeta in pairs
    ]


def has_the_eigenvalues(claim: Claim, case: Case) -> bool:
    """The metric applied to the input, and all its eigenvalues."""
    values = {**case, "norm": lambda _: case["norm(X)"], "X": 0.0}
    along, across, count = (
        float(evaluate(claim[name], values)) for name in ("along", "across", "count")
    )
    is_along = count == case["d"] - 1 and is_close(case["g"] @ case["x"], along * case["x"])
    return is_along and is_close(
        np.linalg.eigvalsh(case["g"]), sorted([along, *[across] * round(count)])
    )


def _symmetry() -> str:
    """Determinant and curvature by definition agree at points of one norm, and differ where one coordinate agrees."""

    def at(*point: str) -> list[float]:
        values = geometry(infinite_erf("1", "0.5", 3), point)
        return [values["det(G)"], values["R"]]

    here = at("0.3", "-0.6", "0.2")
    agree = [
        is_close(at(*other), here) for other in (("0.6", "-0.2", "0.3"), ("0.3", "0.1", "0.5"))
    ]
    return "spherically symmetric" if agree == [True, False] else "not symmetric"


POWERS_AND_ERF = (
    "Error functions and monomials with two to four inputs: Gaussian integrals over all weights"
)
BY_DEFINITION = "The metric as a Gaussian integral over all weights, and its curvature by definition in 100 digits"
IN_INDICES_TOO = (
    "Error functions on two and three inputs, a cubic monomial on three; curvature by definition"
)
tensors = as_printed(of(IN_INDICES), IN_INDICES_TOO)


def point_of(degree: int, sigma: str, zeta: str, inputs: int) -> dict[str, Any]:
    """The parameters of a network by their names, and its input."""
    return {"degree": degree, "sigma": sigma, "zeta": zeta, "x": POINT[:inputs]}


OF_ERF, OF_CUBIC = point_of(*ERF[1]), point_of(*MONOMIALS[1])


PROGRAMS: Programs = {
    "(5) | (6)": as_printed(of((*ERF, *MONOMIALS)), POWERS_AND_ERF),
    "(7)": curvature(of((*ERF, *MONOMIALS)), network_at, OF_ERF, BY_DEFINITION),
    "IV.B spherical symmetry": stating(symmetry=_symmetry),
    "(C.12) | (C.13) | (C.14) | (C.15) | (C.17) | (C.18) | (C.19) | (C.21) | (C.22)": tensors,
    "(C.16) | (C.20) | (C.23)": curvature(of(IN_INDICES), network_at, OF_ERF, IN_INDICES_TOO),
    "C.1 eigenvalues": deciding(has_the_eigenvalues, IN_INDICES_TOO, of(IN_INDICES)),
    "(C.24)": numerically(kernels_of_erf),
    "(C.25) | (C.26) | (C.27)": as_printed(of(ERF), "By an integral over one preactivation"),
    "(C.28)": curvature(of(ERF), network_at, OF_ERF, BY_DEFINITION),
    "(C.44) | (C.45)": as_printed(of(MONOMIALS), "Degrees 2 to 4, by quadrature"),
    "(C.46)": curvature(of(MONOMIALS), network_at, OF_CUBIC, BY_DEFINITION),
    "(C.47)": as_printed(of(WITHOUT_BIAS), "Degrees 2 to 4, by quadrature"),
    "(C.48)": as_printed(of(WITHOUT_BIAS[:3], 3), "Three times the curvature, degrees 2 to 4"),
}
