"""Abstract and Section 1.1: what a Leaky ResNet is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Given, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.symbols import L, w

rho = sp.Symbol("rho", positive=True)
V = sp.MatrixSymbol("V", w, w)
sigma_z, relu, b, alpha, alpha_l, alpha_next, sigma_l = (
    sp.MatrixSymbol(name, w, 1) for name in ("sigma_z", "relu", "b", "alpha", "alpha_l", "alpha_next", "sigma_l")
)
W_l = sp.MatrixSymbol("W_l", w, w)
SHORT = 1e-4  # the stretch of an integrated path from which a velocity is taken


def skip_connection(step: float, depth: float) -> float:
    """What is left of a representation after one layer without weights."""
    A = np.array([[0.7], [0.2]])
    return float((A + step * nets.leaky(lambda p: np.zeros((2, 2)), depth, False)(0.0, A))[0, 0] / 0.7)


def ends(statement: Any) -> tuple[Check, ...]:
    """The layers of step rho keep their input at one end, and nothing of it at the other, in nets of any depth."""
    claim, step = statement, rho
    if isinstance(statement, Given):
        claim, step = statement.statement, solved(statement.condition, rho)
    skip, layers = 1 - step * L, 1 / step
    return (
        Check("ResNet", lambda: bool(sp.limit(1 - rho * L, L, claim["resnet"]) == 1), "the factor of the input"),
        Check("fully connected", lambda: bool(sp.limit(skip, L, claim["connected"]) == 0), "the factor of the input"),
        Check("of any depth", lambda: bool(sp.limit(layers, L, claim["connected"]) == sp.oo), "number of layers"),
    )


def single_layers() -> Iterator[dict[str, Any]]:
    """Weights with a bias column, and a representation with negative entries."""
    draw = np.random.default_rng(0)
    weights, z = draw.normal(size=(3, 4)), np.array([[0.4], [-1.2], [2.0]])
    rectified = np.where(z > 0, z, 0.0)
    yield {"W": weights, "V": weights[:, :-1], "b": weights[:, -1:], "relu": rectified,
           "sigma_z": nets.activation(z, True)}  # fmt: skip


def unit_steps(leakage: float) -> list[dict[str, Any]]:
    """A representation plus its velocity, from an integrated path of the continuous net."""
    draw = np.random.default_rng(1)
    weights, start = draw.normal(size=(3, 4)), np.array([[0.4], [-1.2], [2.0]])
    ahead = nets.flow(start, nets.leaky(lambda p: weights, leakage, True), 0.0, SHORT, 4)
    behind = nets.flow(start, nets.leaky(lambda p: weights, leakage, True), 0.0, -SHORT, 4)
    values = {"W_l": weights, "alpha_l": start, "sigma_l": nets.activation(start, True), "L": leakage}
    return [{**values, "alpha_next": start + (ahead - behind) / (2 * SHORT)}]


PROGRAMS: Programs = {
    "abstract interpolation": Program(ends, lambda: skip_connection(1 / 7, 1000.0), value=lambda claim: 0.0),
    "1.1 bias column": numerically(single_layers, "matrix products"),
    "1.1 ResNet": numerically(lambda: unit_steps(0.0), "integrated path", tolerance=1e-7),
    "1.1 leaky ResNet": numerically(lambda: unit_steps(0.3), "integrated path", tolerance=1e-7),
}
