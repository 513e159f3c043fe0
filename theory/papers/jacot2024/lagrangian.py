"""Section 1.3, first half: from weights to representations, and the three terms of the Lagrangian."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.states import states
from theory.papers.jacot2024.symbols import A, A_dot, L, S, lam, norm_K

p = sp.Symbol("p", real=True)
i = sp.Symbol("i", integer=True)
samples = sp.Symbol("samples", integer=True, positive=True)
product = sp.Symbol("scalar_product")
A_at, A_dot_at, misfit, row_misfit, row, row_dot, active, norm_at = (
    sp.Function(name) for name in ("A_at", "A_dot_at", "misfit", "row_misfit", "row", "row_dot", "active", "norm_at")
)

energy_of = norm_at(L * A_at(p) + A_dot_at(p), p) ** 2
cost = misfit(1) ** 2 / samples + lam / (2 * L) * sp.Integral(energy_of, (p, 0, 1))
whole = norm_K(L * A + A_dot, S) ** 2 / (2 * L)


def with_smallest_weights() -> Iterator[dict[str, Any]]:
    """States whose weights are the smallest with the given velocity, and the pseudo-inverse."""
    for case in states():
        weights = nets.weights_of(case["A_dot"] + case["L"] * case["A"], case["S"])
        yield {**case, "W": weights, "S_plus": np.linalg.pinv(case["S"])}


@cache
def paths() -> tuple[dict[str, Any], ...]:
    """A path of five neurons and two samples with any velocity, and its cost in the weights that make it."""
    draw = np.random.default_rng(2)
    start, turn, goal = draw.normal(size=(3, 5, 2))
    depth, strength = 1.7, 0.4

    def place(p: float) -> nets.Array:
        return start * np.cos(p) + turn * p

    def velocity(p: float) -> nets.Array:
        return turn - start * np.sin(p)

    def norm_there(M: nets.Array, p: float) -> float:
        return float(np.linalg.norm(nets.weights_of(np.atleast_2d(M), nets.activation(place(p), True))))

    nodes, shares = np.polynomial.legendre.leggauss(60)
    weights = [
        nets.weights_of(depth * place(x) + velocity(x), nets.activation(place(x), True)) for x in (nodes + 1) / 2
    ]
    squares = float(shares @ [(W_ * W_).sum() for W_ in weights]) / 2
    values = {
        "L": depth, "lam": strength, "samples": 2, "neurons": 5, "A_at": place, "A_dot_at": velocity,
        "norm_at": norm_there, "misfit": lambda p: float(np.linalg.norm(goal - place(p))),
        "row": lambda i, p: place(p)[i - 1], "row_dot": lambda i, p: velocity(p)[i - 1],
        "row_misfit": lambda i: float(np.linalg.norm((goal - place(1.0))[i - 1])),
        "least": float(((goal - place(1.0)) ** 2).sum()) / 2 + strength / (2 * depth) * squares,
    }  # fmt: skip
    return (values,)


QUADRATURE = 1e-4  # the path crosses kinks of the activation, and with them the quadratures


@cache
def square_states() -> tuple[dict[str, Any], ...]:
    """As many neurons as samples, so that the printed product exists; the product by least-squares weights."""
    cases = []
    for seed in range(3):
        draw = np.random.default_rng(seed)
        features, one, other = 0.3 + draw.uniform(size=(3, 3)), *draw.normal(size=(2, 3, 3))
        product_ = float((nets.weights_of(one, features) * nets.weights_of(other, features)).sum())
        inverse = np.linalg.inv(features.T @ features)
        cases.append({**nets.FUNCTIONS, "first": one, "second": other, "K_plus": inverse, "scalar_product": product_})
    return tuple(cases)


@cache
def kernels() -> tuple[dict[str, Any], ...]:
    """K of a state with a bias of size beta, and the outer products of the activations of its neurons."""
    A_ = np.random.default_rng(4).normal(size=(4, 3))
    features = nets.activation(A_, False)

    def case(size: float) -> dict[str, Any]:
        with_bias = np.vstack([features, size * np.ones((1, 3))])
        return {"K": with_bias.T @ with_bias, "beta": size, "neurons": 4,
                "active": lambda i: np.outer(features[i - 1], features[i - 1])}  # fmt: skip

    return tuple(case(size) for size in (0.0, 0.3, 1.0))


PROGRAMS: Programs = {
    "1.3 weights": numerically(with_smallest_weights, "least squares", tolerance=1e-8),
    "1.3 cost over representations": numerically(paths, "least squares", tolerance=QUADRATURE),
    "1.3 scalar product": Program(
        numerically(square_states, "least squares", tolerance=1e-7),
        lambda: square_states()[0]["scalar_product"],
        value=lambda equation: evaluate(equation.rhs / (equation.lhs / product), square_states()[0]),
        tolerance=1e-7,
    ),
    "1.3 neurons": numerically(paths, "least squares", tolerance=QUADRATURE),
    "1.3 covariance": Program(
        numerically(kernels, "matrix products"),
        lambda: kernels()[2]["K"],
        value=lambda equation: evaluate(equation.rhs, kernels()[2]),
    ),
    "1.3 decomposition": Program(
        numerically(states, "least squares"),
        lambda: (
            (nets.ridge(states()[1]["L"] * states()[1]["A"] + states()[1]["A_dot"], states()[1]["S"], 0.0)) ** 2
            / (2 * states()[1]["L"])
        ),
        value=lambda equation: evaluate(equation.rhs * whole / equation.lhs, states()[1]),
        tolerance=1e-7,
    ),
}
