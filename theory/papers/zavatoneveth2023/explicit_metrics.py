r"""Metrics written down from their definition, for ``christoffel`` to take the curvature of.

Finite networks unit by unit, infinite ones by exact Gaussian integrals over all weights at once, and a few surfaces
whose curvature is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from theory.papers.zavatoneveth2023.christoffel import WORK, Metric, exact, inverse


def erf_network(weights: Any, biases: Any) -> Metric:
    """Eq. (2) for units erf(z / sqrt 2), weights [n, d], biases [n]."""
    w, b = exact(weights), exact(biases)

    def metric(x: NDArray[Any]) -> NDArray[Any]:
        squares = [2 / WORK.pi * WORK.exp(-(z**2)) for z in w @ x + b]
        return np.einsum("j,jm,jn->mn", np.array(squares, dtype=object), w, w) / len(b)

    return metric


def infinite_erf(sigma: Any, zeta: Any, dimension: int) -> Metric:
    """Eq. (C.1) for erf(z / sqrt 2): the Gaussian integral over weights and bias as one matrix inverse."""
    prior = exact(np.diag([1 / WORK.mpf(sigma) ** 2] * dimension + [1 / WORK.mpf(zeta) ** 2]))

    def metric(x: NDArray[Any]) -> NDArray[Any]:
        along = np.array([*x, WORK.mpf(1)], dtype=object)
        tilted = prior + 2 * np.outer(along, along)
        ratio = WORK.det(WORK.matrix(prior.tolist())) / WORK.det(WORK.matrix(tilted.tolist()))
        return 2 / WORK.pi * WORK.sqrt(ratio) * inverse(tilted)[:dimension, :dimension]

    return metric


def infinite_monomial(q: int, sigma: Any, zeta: Any, dimension: int) -> Metric:
    """Eq. (C.1) for the monomial z^q / sqrt((2q-1)!!): all pairings of 2q - 2 factors z and two weights, counted."""
    variance, bias = WORK.mpf(sigma) ** 2, WORK.mpf(zeta) ** 2
    scale = WORK.mpf(q) ** 2 / WORK.fac2(2 * q - 1)

    def metric(x: NDArray[Any]) -> NDArray[Any]:
        preactivation = variance * (x @ x) + bias
        # The weights pair with each other, or each with one of the factors z, of which the rest pair up.
        together = variance * preactivation ** (q - 1) * WORK.fac2(2 * q - 3)
        apart = (2 * q - 2) * (2 * q - 3) * WORK.fac2(2 * q - 5) * preactivation ** (q - 2) if q > 1 else WORK.mpf(0)
        return scale * (together * exact(np.eye(len(x))) + apart * variance**2 * np.outer(x, x))

    if dimension < 1:
        raise ValueError(f"dimension: got {dimension}, needs at least 1")
    return metric


def sphere(x: NDArray[Any]) -> NDArray[Any]:
    """Unit sphere of any dimension, stereographic coordinates: R = d (d - 1)."""
    return exact(np.eye(len(x))) * (2 / (1 + x @ x)) ** 2


def as_floats(values: Any) -> NDArray[np.float64]:
    """An array of objects in double precision."""
    return np.asarray(values, dtype=float)


WEIGHTS: Sequence[Sequence[str]] = (
    ("0.8", "-0.3", "0.5"),
    ("0.2", "0.9", "-0.4"),
    ("-0.7", "0.4", "0.6"),
    ("0.3", "0.5", "1.1"),
)
BIASES: Sequence[str] = ("0.1", "-0.2", "0.3", "0.25")
POINT: Sequence[str] = ("0.4", "-0.3", "0.2")
"""A network of four units on three inputs, and where it is looked at: the witness of the tensor formulas."""
