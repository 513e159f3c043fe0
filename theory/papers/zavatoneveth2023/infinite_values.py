r"""Values of the letters of Section IV.B and Appendix C for infinitely wide networks, from definitions.

The metric is a Gaussian integral over all weights at once, :math:`\Omega` an integral over one preactivation, the
curvature that of ``christoffel``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from theory.core import Witness
from theory.core.ledger.printed import relations, solved
from theory.core.numbers.evaluation import evaluate
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.explicit_metrics import as_floats

POINT = ("0.3", "-0.7", "0.2", "0.5")
# Activation (the degree of a monomial, or 0 for erf), sigma, zeta, inputs.
ERF = ((0, "1", "0.5", 2), (0, "0.8", "0.6", 3), (0, "1.3", "0.4", 4))
MONOMIALS = ((2, "1", "0.5", 2), (3, "0.8", "0.6", 3), (4, "1.3", "0.4", 4), (2, "1.2", "0.7", 4))
WITHOUT_BIAS = ((2, "1", "0", 3), (3, "0.8", "0", 3), (4, "1.3", "0", 4), (2, "1.2", "0", 2))
WITH_FUNCTIONS = (*ERF, *MONOMIALS)


NODES, WEIGHTS = np.polynomial.legendre.leggauss(200)


def squared_slope(degree: int, z: NDArray[np.float64]) -> NDArray[np.float64]:
    """phi'(z)^2 of erf(z/sqrt 2), or of the normalised monomial."""
    if degree == 0:
        return 2 / np.pi * np.exp(-(z**2))
    return degree**2 * z ** (2 * degree - 2) / special.factorial2(2 * degree - 1)


def mean_squared_slope(degree: int, variance: float) -> tuple[float, float, float]:
    """E[phi'(z)^2] and its two derivatives in the variance, from those of the normal density, by quadrature."""
    z = 12 * np.sqrt(variance) * NODES
    density = 12 * WEIGHTS * np.exp(-(z**2) / (2 * variance)) / np.sqrt(2 * np.pi)
    first = (z**2 - variance) / (2 * variance**2)
    second = first**2 + (variance - 2 * z**2) / (2 * variance**3)
    one, two, three = (
        float(density * factor @ squared_slope(degree, z)) for factor in (np.ones_like(z), first, second)
    )
    return one, two, three


@cache
def values(degree: int, sigma: str, zeta: str, inputs: int, at: tuple[str, ...] = POINT) -> Mapping[str, Any]:
    """Of one infinitely wide network at one point, the first coordinates of ``at``."""
    point = at[:inputs]
    metric = (
        explicit_metrics.infinite_monomial(degree, sigma, zeta, inputs)
        if degree
        else explicit_metrics.infinite_erf(sigma, zeta, inputs)
    )
    found = christoffel.curvature(metric, point)
    spread = float(sigma) ** 2
    size = sum(float(value) ** 2 for value in point)
    mean, rise, bend = mean_squared_slope(degree, spread * size + float(zeta) ** 2)
    jets = math.log(spread * mean), spread * rise / mean, spread**2 * (bend / mean - (rise / mean) ** 2)
    determinant = float(np.linalg.det(as_floats(found.metric)))
    return {
        "d": inputs,
        "n": 1,
        "q": degree,
        "sigma": float(sigma),
        "zeta": float(zeta),
        "r": size,
        **dict(zip(("Omega", "Omega1", "Omega2"), jets, strict=True)),
        "x": np.array(point, dtype=float),
        "delta": np.eye(inputs),
        "g": as_floats(found.metric),
        "detg": determinant,
        "volume": determinant**0.5,
        "R": float(found.scalar),
        "mean_squared_slope": mean,
    }


def of_infinite(networks: tuple[Any, ...], factor: float = 1.0) -> Callable[[], list[Mapping[str, Any]]]:
    """Cases: these networks, with curvatures times a factor."""
    return lambda: [{**values(*network), "R": factor * values(*network)["R"]} for network in networks]


def infinite_witness(network: tuple[int, str, str, int], letter: Any) -> Witness:
    """The curvature that a statement gives for an infinitely wide network, against that from the definition."""
    degree, sigma, zeta, inputs = network
    name = f"z^{degree}/sqrt({2 * degree - 1}!!)" if degree else "erf(z/sqrt 2)"
    return Witness(
        {"activation": name, "sigma": sigma, "zeta": zeta, "x": POINT[:inputs]},
        lambda: values(*network)["R"],
        lambda statement: evaluate(solved(relations(statement)[0], letter), values(*network)),
    )
