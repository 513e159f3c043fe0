"""Abstract and Section 1.1: what a Leaky ResNet is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Given, Witness, equal, numerically
from theory.core.ledger.printed import solved
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.paper import PAPER
from theory.papers.jacot2024.symbols import L, W, w

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


EQUATIONS = (
    PAPER.entry(
        "abstract interpolation",
        "Abstract",
        "",
        Finding.CONDITIONAL,
        "The factor with which a layer of step rho keeps its input is 1 - rho times the depth. At a fixed number of "
        "layers it vanishes at a depth of 1/rho and tends to minus infinity afterwards. Without steps it does not "
        "vanish at any depth: by Section 1.2 a greater depth is a longer range.",
        printed=Claim(
            "Leaky ResNets interpolate between ResNets (effective depth {resnet}) and fully connected nets (effective "
            "depth to {connected}).",
            {"resnet": sp.S.Zero, "connected": sp.oo},
        ),
        condition=equal(rho * L, 1),
        prove=ends,
        witness=Witness(
            {"rho": "1/7", "depth": 1000, "number": "factor of the input"},
            lambda: skip_connection(1 / 7, 1000.0),
            value=lambda claim: 0.0,
        ),
        consequence="The fully connected end of the family is the depth that equals the number of layers; a discrete "
        "net of greater depth has skip connections of negative sign. The cost of Section 1.1 has no ResNet end: its "
        "regularisation lambda/depth is infinite at depth zero.",
    ),
    PAPER.entry(
        "1.1 NeuralODE",
        "1.1",
        "Activations follow an equation in p, from the input at p = 0.",
        Finding.DEFINITION,
        "The equation without leakage.",
        printed=r"\partial_p \alpha_p(x) = W_p \sigma(\alpha_p(x))",
    ),
    PAPER.entry(
        "1.1 activation",
        "1.1",
        "The nonlinearity rectifies each entry and appends a 1.",
        Finding.DEFINITION,
        "With N samples, sigma(A) has one row more than A. B has no row for it, and its derivative is zero.",
        printed=r"\sigma(z) = ([z_1]_+, \dots, [z_w]_+, 1)",
    ),
    PAPER.entry(
        "1.1 bias column",
        "1.1",
        "The last column of the weights takes the place of the bias.",
        Finding.CONFIRMED,
        "Random weights and a representation with entries of both signs.",
        printed=equal(W * sigma_z, V * relu + b),
        prove=numerically(single_layers, "matrix products"),
    ),
    PAPER.entry(
        "1.1 ResNet",
        "1.1",
        "The continuous net is a version of the traditional ResNet.",
        Finding.CONFIRMED,
        "A layer adds the velocity of the continuous net, which is taken from an integrated path.",
        printed=equal(alpha_next, alpha_l + W_l * sigma_l),
        prove=numerically(lambda: unit_steps(0.0), "integrated path", tolerance=1e-7),
    ),
    PAPER.entry(
        "1.1 leaky equation",
        "1.1",
        "Leaky skip connections.",
        Finding.DEFINITION,
        "The equation that everything else is about; a hat over L stands for the tilde in places.",
        printed=r"\partial_p \alpha_p(x) = -\tilde{L} \alpha_p(x) + W_p \sigma(\alpha_p(x))",
    ),
    PAPER.entry(
        "1.1 leaky ResNet",
        "1.1",
        "It is the continuous version of layers with a leaky skip connection.",
        Finding.CONFIRMED,
        "A layer adds the velocity of the continuous net, from an integrated path; Section 3 has steps of any length.",
        printed=equal(alpha_next, (1 - L) * alpha_l + W_l * sigma_l),
        prove=numerically(lambda: unit_steps(0.3), "integrated path", tolerance=1e-7),
    ),
    PAPER.entry(
        "1.1 role of the depth",
        "1.1",
        "The parameter of the leakage plays a role similar to the depth of a fully connected net.",
        Finding.NOTE,
        "A remark; the bottleneck of Section 2 is what is meant.",
    ),
    PAPER.entry(
        "1.1 cost",
        "1.1",
        "Mean over samples of the squared error, plus lambda/(2 depth) times the integrated squared weights.",
        Finding.DEFINITION,
        "The squared error is summed over outputs: d_out times what is usually called the mean squared error. At depth "
        "zero the second term is infinite.",
        printed=r"\min_{W_p} \frac{1}{N} \sum_{i=1}^N \|f^*(x_i) - \alpha_1(x_i)\|^2 + \frac{\lambda}{2\tilde{L}} "
        r"\int_0^1 \|W_p\|_F^2 \, dp",
    ),
)
