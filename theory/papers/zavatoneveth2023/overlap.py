r"""Units with monomials :math:`z^q/\sqrt{(2q-1)!!}` and two inputs of a given overlap, by quadrature that is exact."""

from __future__ import annotations

import itertools
import math
from functools import cache, partial
from typing import Any

import numpy as np
from scipy import special

from theory.papers.zavatoneveth2023.finite_posterior import fluctuations
from theory.papers.zavatoneveth2023.unit_averages import Array, gaussian_nodes, mean_with

NORM, NORM_A, OVERLAP = 1.3, 0.8, 0.6
SETTINGS = ((1, 2), (2, 2), (2, 3), (3, 2), (4, 2))  # degree and number of inputs
COUNT = 12  # exact for polynomials up to degree 23 in each weight


def normalisation(degree: int) -> float:
    """(2q-1)!!, the mean square of z^q."""
    return float(special.factorial2(2 * degree - 1))


def monomials(degree: int) -> dict[str, Any]:
    """The activation function and its first two derivatives."""
    scale = math.sqrt(normalisation(degree))
    return {
        "phi0": lambda z: z**degree / scale,
        "phi1": lambda z: degree * z ** (degree - 1) / scale,
        "phi2": lambda z: degree * (degree - 1) * z ** max(degree - 2, 0) / scale,
    }


def preactivations(inputs: int, overlap: float) -> tuple[Array, Array, Array, Array]:
    """Nodes [d, nodes], their weights, and the preactivations z and z_a of two inputs with this overlap."""
    if not 0 <= overlap <= 1:
        raise ValueError(f"overlap: got {overlap}, needs a number from 0 to 1")
    nodes, weights = gaussian_nodes(inputs, COUNT)
    turned = overlap * nodes[0] + math.sqrt(1 - overlap**2) * nodes[1]
    return nodes, weights, NORM * nodes[0], NORM_A * turned


@cache
def orders(degree: int, inputs: int, overlap: float, ratio: float) -> dict[str, float]:
    """Coefficients of 1/n of the volume element, and chi from (E.17).

    Args:
        degree: q.
        inputs: d, at least 2.
        overlap: cosine between the input and the training input.
        ratio: squared target, in units of |x_a|^(2q).
    """
    nodes, weights, at, trained = preactivations(inputs, overlap)
    of = monomials(degree)
    metrics = np.einsum("n,mn,kn->nmk", of["phi1"](at) ** 2, nodes, nodes)
    return fluctuations(metrics, of["phi0"](trained) ** 2, weights, ratio * NORM_A ** (2 * degree))


def chi_at(degree: int, inputs: int, squared_overlap: Any) -> float:
    """Chi from its definition."""
    return orders(degree, inputs, float(np.sqrt(squared_overlap)), 1.0)["chi"]


@cache
def letters(degree: int, inputs: int, overlap: float = OVERLAP) -> dict[str, Any]:
    """Values of all letters of Appendix E.2; averages by quadrature."""
    nodes, weights, at, trained = preactivations(inputs, overlap)
    (u, other), pair_weights = gaussian_nodes(2, COUNT)
    return {
        **monomials(degree),
        "q": degree, "d": inputs, "rho": overlap, "norm": NORM, "norm_a": NORM_A, "norm2": NORM**2,
        "E": mean_with(weights), "z": at, "z_a": trained, "w": lambda index: nodes[index - 1],
        "E_u": mean_with(pair_weights), "u": u, "u_a": overlap * u + math.sqrt(1 - overlap**2) * other,
        "chi_of": partial(chi_at, degree, inputs), "chi": chi_at(degree, inputs, overlap**2),
        "chi_at": lambda value: orders(degree, inputs, float(value), 1.0)["chi"],
        "F": special.hyp2f1, "Omega": math.log(mean_square_slope(degree, inputs)),
    }  # fmt: skip


def mean_square_slope(degree: int, inputs: int) -> float:
    """E[phi'(z)^2] from the metric: its eigenvalue across the input."""
    nodes, weights, at, _ = preactivations(inputs, OVERLAP)
    return float(weights @ (monomials(degree)["phi1"](at) ** 2 * nodes[1] ** 2))


def settings() -> list[dict[str, Any]]:
    """Degrees 1 to 4, two and three inputs."""
    return [letters(*setting) for setting in SETTINGS]


def coefficients(*lower: int) -> list[float]:
    """Of the series 2F1(a, b; 1/2; t) in t, as long as they are not zero."""
    terms = [1.0]
    for k in itertools.count():
        factor = math.prod(a + k for a in lower) / ((k + 0.5) * (k + 1))
        if factor == 0:
            return terms
        terms.append(terms[-1] * factor)
    raise AssertionError
