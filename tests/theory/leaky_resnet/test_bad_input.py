"""Tests of bad input to the theory of Leaky ResNets: every argument of every public function is named."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from theory import leaky_resnet as lr

A, B = np.arange(6.0).reshape(2, 3) - 2, np.ones((2, 3))
CALLS: dict[str, dict[str, Any]] = {
    "hamiltonian": {"A": A, "B": B, "depth": 2.0},
    "velocity": {"A": A, "B": B, "depth": 2.0},
    "stable_hamiltonian": {"A": A, "velocity": B, "depth": 2.0, "gamma": 0.1},
    "kinetic_energy": {"A": A, "velocity": B, "depth": 2.0, "gamma": 0.1},
    "cost_of_identity": {"A": A, "gamma": 0.1},
    "cost_lower_bound": {"A": A, "gamma": 0.1},
    "squared_norm": {"M": B, "A": A, "gamma": 0.1},
    "nonnegative_cost": {"A": B},
    "rank_bounds": {"A": A, "B": B, "depth": 2.0, "gamma": 0.1},
    "flow": {"A0": A, "B0": B, "depth": 2.0, "p": [0.0, 1.0]},
    "linear_flow": {"A0": A, "B0": B, "depth": 2.0, "p": [0.0, 1.0]},
    "constant_geodesics": {"m0": 1.0, "m1": 2.0, "depth": 2.0, "p": [0.0, 1.0]},
    "symmetric_geodesic": {"A0": A, "S": np.eye(2), "depth": 2.0, "p": [0.0, 1.0]},
    "linear_geodesic": {"s0": 1.0, "s1": 2.0, "depth": 2.0, "p": [0.0, 1.0]},
    "mode_fits": {"target": 1.0, "s0": 1.0, "depth": 2.0, "strength": 0.1, "samples": 3},
    "discrete_geodesic": {"s0": 1.0, "s1": 2.0, "depth": 2.0, "layers": 5},
    "mesh": {"kind": "adaptive", "layers": 3, "speeds": [1.0, 2.0, 3.0]},
}
MAY_BE_NEGATIVE = {"A", "B", "A0", "B0", "M", "velocity", "m0", "m1", "S"}
MAY_BE_ZERO = {
    ("cost_of_identity", "gamma"),
    ("cost_lower_bound", "gamma"),
    ("squared_norm", "gamma"),
}
MAY_BE_ZERO |= {("kinetic_energy", "gamma")}


def refused(call: str, name: str, value: Any) -> None:
    with pytest.raises((ValueError, TypeError), match=rf"\b{name}\b"):
        getattr(lr, call)(**{**CALLS[call], name: value})


def with_shape(call: str, name: str, value: float) -> Any:
    good = CALLS[call][name]
    if np.ndim(good) == 0:
        return value
    bad = np.array(good, dtype=float)
    bad.flat[-1] = value
    return bad


NO_NUMBERS = (
    *("text", None, np.empty((0, 3)), [[1.0, 2.0], [3.0]], {"value": 1}, np.ones((2, 3)) * 1j),
    np.ma.masked_array(np.ones((2, 3)), mask=True),
)
MATRICES = {"B", "velocity", "M", "B0", "S"}


@pytest.mark.parametrize("call", CALLS)
def test_good_input_is_accepted_and_bad_input_is_refused_by_name(call: str) -> None:
    getattr(lr, call)(**CALLS[call])
    for name in CALLS[call]:
        for value in (math.nan, math.inf, -math.inf):
            refused(call, name, with_shape(call, name, value))
        for value in NO_NUMBERS:
            refused(call, name, value)
        for shape in ((3, 3), 3) if name in MATRICES else ():
            refused(call, name, np.ones(shape))


@pytest.mark.parametrize("call", CALLS)
def test_negative_and_zero(call: str) -> None:
    for name in CALLS[call].keys() - MAY_BE_NEGATIVE - {"kind"}:
        refused(call, name, with_shape(call, name, -1.0) if name != "layers" else -1)
        if name != "p" and (call, name) not in MAY_BE_ZERO and call != "nonnegative_cost":
            refused(call, name, with_shape(call, name, 0.0) if name != "layers" else 0)


def test_other_wrong_values() -> None:
    refused("symmetric_geodesic", "S", np.array([[1.0, 0.5], [0.2, 1.0]]))
    refused("symmetric_geodesic", "S", np.diag([1.0, -1.0]))
    refused("symmetric_geodesic", "A0", np.ones((2, 3)))
    refused("mesh", "kind", "regular")
    refused("mesh", "speeds", [1.0, 2.0])
    refused("mesh", "layers", 2.5)
    refused("flow", "p", [0.0, 1.5])
    refused("rank_bounds", "gamma", 0.0)
    refused("cost_of_identity", "gamma", [0.1, 0.2])
    for call in ("hamiltonian", "flow", "cost_of_identity"):
        with pytest.raises(TypeError, match="bias"):
            getattr(lr, call)(**CALLS[call], bias="yes")
    with pytest.raises(ValueError, match="a: got"):
        lr.mesh("irregular", 4, a=1.0)
    with pytest.raises(ValueError, match="speeds: got none"):
        lr.mesh("adaptive", 4)
    with pytest.raises(ValueError, match=r"p: got .*, needs numbers in strictly increasing order"):
        lr.rank_bounds(np.ones((2, 1, 1)), np.ones((2, 1, 1)), 1.0, 0.1, p=[0.5, 0.5])
