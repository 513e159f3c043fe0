r"""Values of the letters of Appendices A and B for networks, from definitions, and the witness of their misprints.

Unit j of a random network has the slope :math:`p_j + c_j \mathbf{w}_j \cdot \mathbf{x}` near the input, which is the
origin: slopes and bends are independent of each other, as for units of any activation function. The metric is that of
Eq. (1), the curvature that of ``christoffel``; no formula of these appendices is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from theory.core import Witness
from theory.core.ledger.printed import relations, solved
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.christoffel import Metric, exact
from theory.papers.zavatoneveth2023.explicit_metrics import BIASES, POINT, WEIGHTS, as_floats
from theory.papers.zavatoneveth2023.index_notation import summed
from theory.papers.zavatoneveth2023.network import Network, erf_network, levi_civita, random_network

ALL = ((3, 2, 0), (4, 3, 1), (5, 4, 2))
PLANE = ((3, 2, 0), (4, 2, 1), (5, 2, 3))
"""Units, inputs, seed."""


def metric_of(net: Network) -> Metric:
    """The metric near the origin, from its definition with exact slopes."""
    w, p, c = (exact(values) for values in (net.weights, net.slopes, net.bends))
    return lambda x: np.einsum("j,jm,jn->mn", (p + c * (w @ x)) ** 2, w, w) / net.width


def features_of(net: Network) -> Callable[[Any], Any]:
    """The features near the origin, whose metric this is."""
    w, p, c = (exact(values) for values in (net.weights, net.slopes, net.bends))
    root = christoffel.WORK.sqrt(net.width)
    return lambda x: (p * (w @ x) + c * (w @ x) ** 2 / 2) / root


def _values(net: Network, metric: Metric, point: Any) -> dict[str, Any]:
    found = christoffel.curvature(metric, point)
    inverse = as_floats(christoffel.inverse(found.metric))
    riemann = as_floats(found.riemann)
    mixed = np.einsum("lm,mnab->lnab", inverse, riemann)
    return {
        "d": net.inputs,
        "n": net.width,
        "w": net.weights,
        "phi1": net.slopes,
        "phi2": net.bends,
        "M": net.minors,
        "epsilon": levi_civita(net.inputs),
        "delta": np.eye(net.inputs),
        "g": as_floats(found.metric),
        "g_up": inverse,
        "detg": float(np.linalg.det(as_floats(found.metric))),
        "dg": as_floats(christoffel.slopes(metric, exact(point))),
        "dg_up": as_floats(christoffel.slopes(lambda x: christoffel.inverse(metric(x)), exact(point))),
        "Gamma": as_floats(christoffel.christoffel_symbols(metric, exact(point))),
        "Riemann": riemann,
        "Riemann_up": mixed,
        "Ricci": np.einsum("anab->nb", mixed),
        "R": float(found.scalar),
    }


@cache
def values(width: int, inputs: int, seed: int) -> Mapping[str, Any]:
    """Of a random network at the origin."""
    net = random_network(seed, width, inputs)
    return _values(net, metric_of(net), [0] * inputs)


@cache
def witness_values(inputs: int) -> Mapping[str, Any]:
    """Of the network of error functions of the witness, its first inputs only."""
    weights = [row[:inputs] for row in WEIGHTS]
    net = erf_network(weights, BIASES, POINT[:inputs])
    return _values(net, explicit_metrics.erf_network(weights, BIASES), POINT[:inputs])


def of_networks(networks: tuple[tuple[int, int, int], ...] = ALL, factor: float = 1.0) -> Callable[[], list[Any]]:
    """Cases: random networks of these sizes, with all curvatures times a factor."""

    def cases() -> list[Any]:
        return [_with_factor(values(*size), factor) for size in networks]

    return cases


def _with_factor(case: Mapping[str, Any], factor: float) -> Mapping[str, Any]:
    return {**case, **{name: factor * case[name] for name in ("Riemann", "Riemann_up", "Ricci", "R")}}


def curvature_witness(letter: Any, free: tuple[Any, ...] = (), inputs: int = 3) -> Witness:
    """The curvature that a statement gives for the network of the witness, against that from the definition.

    Args:
        letter: the curvature on its left-hand side, which it is solved for.
        free: indices of the curvature.
        inputs: how many inputs the network has.
    """

    def number(statement: Any) -> Any:
        return summed(solved(relations(statement)[0], letter), witness_values(inputs), free)

    name = letter.func.__name__ if letter.args else letter.name
    at = {"weights": tuple(row[:inputs] for row in WEIGHTS), "biases": BIASES, "x": POINT[:inputs]}
    return Witness({**at, "activation": "erf(z/sqrt 2)"}, lambda: witness_values(inputs)[name], number)
