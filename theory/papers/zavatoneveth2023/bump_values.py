"""Values of the letters of Appendix B.4: preactivations, precision matrices and centers of tuples of units."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from theory.core import Check, Claim
from theory.papers.zavatoneveth2023.explicit_metrics import BIASES, POINT, WEIGHTS
from theory.papers.zavatoneveth2023.network import erf_network, levi_civita

Array = NDArray[np.float64]


def precision(weights: Array, biases: Array) -> Array:
    """Half the Hessian of the sum of squared preactivations, which is quadratic in x, from its values, [d, d]."""
    size = weights.shape[1]
    axes = np.eye(size)

    def squares(x: Array) -> float:
        return float(np.sum((weights @ x + biases) ** 2))

    here = squares(np.zeros(size))
    return np.array([[(squares(p + q) - squares(p) - squares(q) + here) / 2 for q in axes] for p in axes])


@cache
def bumps(inputs: int) -> Mapping[str, Any]:
    """Of a network of four error functions, over all tuples of its units; without center where units coincide."""
    weights = np.array([[float(value) for value in row[:inputs]] for row in WEIGHTS])
    biases, x = np.array(BIASES, dtype=float), np.array(POINT[:inputs], dtype=float)
    net = erf_network(weights, biases, x)
    shape = (4,) * inputs
    found = {"Q_tuple": np.zeros((*shape, inputs, inputs)), "c_tuple": np.zeros((*shape, inputs))}
    for rows in itertools.product(range(4), repeat=inputs):
        found["Q_tuple"][rows] = precision(weights[list(rows)], biases[list(rows)])
        if len(set(rows)) == inputs:
            found["c_tuple"][rows] = np.linalg.solve(weights[list(rows)], -biases[list(rows)])
    return {
        "n": 4,
        "d": inputs,
        "x": x,
        "z": weights @ x + biases,
        "phi1": net.slopes,
        "M": net.minors,
        "detg": net.determinant,
        "detQ_tuple": np.linalg.det(found["Q_tuple"]),
        **found,
    }


def of_bumps() -> list[Mapping[str, Any]]:
    """Cases: two and three inputs."""
    return [bumps(2), bumps(3)]


def of_two_inputs() -> list[Mapping[str, Any]]:
    """Cases: two inputs only, whose tuples are pairs."""
    pairs = {f"{name}_pair": bumps(2)[f"{name}_tuple"] for name in ("Q", "c", "detQ")}
    return [{**bumps(2), **pairs}]


@cache
def one_tuple(inputs: int, seed: int) -> Mapping[str, Any]:
    """Of d units on d inputs; the center is where all preactivations vanish."""
    draw = np.random.default_rng(seed)
    weights, biases, x = draw.normal(size=(inputs, inputs)), draw.normal(size=inputs), draw.normal(size=inputs)
    matrix = precision(weights, biases)
    minors, bordered = np.zeros((inputs,) * inputs), np.zeros((inputs,) * (inputs - 1))
    for rows in itertools.product(range(inputs), repeat=inputs):
        minors[rows] = np.linalg.det(weights[list(rows)]) if len(set(rows)) == inputs else 0.0
    for columns in itertools.product(range(inputs), repeat=inputs - 1):
        bordered[columns] = np.linalg.det(np.column_stack([biases, *(weights[:, axis] for axis in columns)]))
    return {
        "n": inputs,
        "d": inputs,
        "W": weights,
        "b_j": biases,
        "x": x,
        "z_j": weights @ x + biases,
        "Q": matrix,
        "Q_up": np.linalg.inv(matrix),
        "c": np.linalg.solve(weights, -biases),
        "M_i": minors,
        "B": bordered,
        "detQ": float(np.linalg.det(matrix)),
        "M_tuple": float(np.linalg.det(weights)),
        "c_jk": np.linalg.solve(weights, -biases),
        "Q_jk": matrix,
        "epsilon": levi_civita(inputs),
        "w_j": weights[0],
        "w_k": weights[1],
        "bias_j": biases[0],
        "bias_k": biases[1],
        "M_jk": float(np.linalg.det(weights[:2, :2])),
    }


def of_tuples() -> list[Mapping[str, Any]]:
    """Cases: tuples of two, three and four units."""
    return [one_tuple(2, 0), one_tuple(3, 1), one_tuple(4, 2)]


def of_pairs() -> list[Mapping[str, Any]]:
    """Cases: tuples of two units."""
    return [one_tuple(2, 0), one_tuple(2, 3)]


def centered_at(claim: Claim) -> tuple[Check, ...]:
    """Where the bump of three units without biases is largest: where all preactivations vanish."""
    weights = np.asarray(one_tuple(3, 1)["W"])

    def run() -> bool:
        peak = np.linalg.solve(weights, np.zeros(3))
        return bool(np.allclose(peak, float(claim["center"]), atol=1e-12))

    return (Check("preactivations vanish", run, "linear equations"),)


def changes_with_the_preactivation(claim: Claim) -> tuple[Check, ...]:
    """What the bend of a unit of error functions is times its slope."""
    unit = sp.Symbol("z", real=True)
    slope = sp.diff(sp.erf(unit / sp.sqrt(2)), unit)
    ratio = sp.simplify(sp.diff(slope, unit) / slope)
    kind = "preactivations" if ratio.has(unit) else "constants"
    return (Check("bend over slope", lambda: kind == claim["factors"], "differentiation"),)
