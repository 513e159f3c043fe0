"""Gradient flows of explicit matrices, moment by moment, in the letters of the paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from theory.core import Check, numerically
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.explicit_matrices import TwoPoints, Weights, unrotated_weights
from theory.papers.vanrossem2024.notation import letters

FLOWS = ((1, (0.9, 1.4, 0.7)), (2, (0.6, 0.8, 1.3)), (4, (1.1, 0.5, 0.6)))
"""Seed of the weights and time constants of Eq. (6): of the mean output, the encoder, the decoder."""
TIMES = (0.0, 0.3, 0.9, 1.6)
STEP = 1e-4
DIFFERENCES = 1e-6  # relative error of central differences in time with this step
IN_EQ_21 = 2.0  # tau_h and tau_y of Eqs. (7) and (21) in units of those of Eq. (6): last lines of Eq. (17)

# Real, so that sympy moves them past matrices.
average, norm2, inner = letters("average norm2 inner")
Case = Mapping[str, Any]


def column(vector: Any) -> Any:
    """A vector as a matrix of one column."""
    return np.asarray(vector, dtype=float)[:, None]


def scalars(problem: TwoPoints, weights: Weights) -> dict[str, float]:
    """The three variables and their ratio."""
    dh2, dy2, w = map(float, problem.state(weights))
    return {"dh2": dh2, "dy2": dy2, "w": w, "ratio": dy2 / dh2}


def moment(problem: TwoPoints, weights: Weights, taus: tuple[float, float, float]) -> dict[str, Any]:
    """All letters at one moment of a flow; velocities are central differences."""
    slopes = problem.gradient(weights)
    velocity = [-slope / tau for slope, tau in zip(slopes, taus, strict=True)]
    beside = [
        scalars(problem, tuple(block + sign * STEP * rate for block, rate in zip(weights, velocity, strict=True)))
        for sign in (1, -1)
    ]
    mean, encoder, decoder = weights
    u, v, dh = column(problem.u), column(problem.v), encoder @ column(problem.u)
    dh_dot = velocity[1] @ u
    now = scalars(problem, weights)
    return {
        **now,
        **{f"{name}_dot": (beside[0][name] - beside[1][name]) / (2 * STEP) for name in now},
        "u": u,
        "v": v,
        "y_1": column(problem.targets[0]),
        "y_2": column(problem.targets[1]),
        "mean_target": column(problem.targets.mean(axis=0)),
        "y_bar": column(mean),
        "D_h": encoder,
        "D_y": decoder,
        "dh": dh,
        "dy": decoder @ dh,
        "y_bar_dot": column(velocity[0]),
        "D_h_dot": velocity[1],
        "D_y_dot": velocity[2],
        "dh_dot": dh_dot,
        "dy_dot": velocity[2] @ dh + decoder @ dh_dot,
        "L": problem.loss(weights),
        "dx2": problem.dx2,
        "target2": problem.target2,
        "tau_mean": taus[0],
        "norm2": squared_norm,
        "inner": product,
    }


def squared_norm(vector: Any) -> float:
    """Sum of the squares."""
    return float(np.sum(np.asarray(vector) ** 2))


def product(one: Any, other: Any) -> float:
    """Scalar product of two columns."""
    return float(np.sum(np.asarray(one) * np.asarray(other)))


@cache
def _moments(same_targets: bool) -> tuple[tuple[Case, tuple[float, float, float]], ...]:
    found = []
    for seed, taus in FLOWS:
        problem, weights = unrotated_weights(seed)
        if same_targets:
            problem = TwoPoints(problem.inputs, problem.targets[[0, 0]])
        start = scalars(problem, weights)
        away = weights[0] - problem.targets.mean(axis=0)
        given = {
            "dh2_0": start["dh2"],
            "dy2_0": start["dy2"],
            "y_bar_0": column(weights[0]),
            "mean2_0": squared_norm(away),
        }
        for time, at in zip(TIMES, problem.flow(weights, taus, TIMES), strict=True):
            decayed = column(away * np.exp(-time / taus[0]))
            found.append(({**moment(problem, at, taus), **given, "t": time, "decayed": decayed}, taus))
    return tuple(found)


def moments(factor: float = 1.0, same_targets: bool = False) -> Iterator[Case]:
    """Twelve moments of three flows along which dh keeps its direction.

    Args:
        factor: tau_h and tau_y of the formula in units of those of Eq. (6). Default: these themselves.
        same_targets: whether both points have the same target.
    """
    for case, (_, tau_h, tau_y) in _moments(same_targets):
        yield {**case, "tau_h": factor * tau_h, "tau_y": factor * tau_y}


def on_average(cases: Callable[[], Any], tolerance: float = DIFFERENCES) -> Callable[[Any], tuple[Check, ...]]:
    """Proves relations in which averages over the two data points may stand."""

    def prove(relation: Any) -> tuple[Check, ...]:
        means = sorted((a for a in relation.atoms(AppliedUndef) if a.func.__name__ == "average"), key=str)
        letters = {mean: sp.Symbol(f"average_{index}") for index, mean in enumerate(means)}

        def extended() -> Iterator[Case]:
            for case in cases():
                values = {str(letter): _average(mean.args[0], case) for mean, letter in letters.items()}
                yield {**case, **values}

        return numerically(extended, "flows of explicit matrices", tolerance=tolerance)(relation.xreplace(letters))

    return prove


def _average(quantity: sp.Basic, case: Case) -> Any:
    """Mean of a quantity at the first and at the second point."""
    first = {**case, "u_i": -case["u"], "y_i": case["y_1"]}
    second = {**case, "u_i": case["u"], "y_i": case["y_2"]}
    return (evaluate(quantity, first) + evaluate(quantity, second)) / 2
