r"""Values of the letters of Eqs. (C.1) to (C.11), and kernels of activation functions with kinks and steps."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import mpmath
import numpy as np
import sympy as sp

from theory.core import Check, Claim
from theory.core.ledger.proving import is_close
from theory.core.numbers.evaluation import evaluate
from theory.papers.zavatoneveth2023.tangent_averages import (
    INDICES,
    NODES,
    SIGMA,
    WEIGHTS,
    ZETA,
    X,
    along_the_radius,
    letters,
    mean,
    preactivations,
)
from theory.papers.zavatoneveth2023.unit_averages import ACTIVATION, circles, derivative

WORK = mpmath.MPContext()
WORK.dps = 50


@cache
def at_the_point() -> list[dict[str, Any]]:
    """Metric, Omega and its derivative by quadrature over weights and bias, at one input."""
    slopes = ACTIVATION["phi1"](preactivations(X[None]))[0] ** 2
    metric = SIGMA**2 * np.einsum("n,n,mn,kn->mk", WEIGHTS, slopes, NODES[:2], NODES[:2])
    around = SIGMA**2 * mean(ACTIVATION["phi1"](preactivations(along_the_radius())) ** 2)
    size = SIGMA**2 * WEIGHTS @ slopes
    known = {"Omega": np.log(size), "Omega_slope": derivative(around) / size, "zeta": ZETA}
    at = X[None] + 0j
    return [letters(mu, nu, at, at) | known | {"g": metric[mu - 1, nu - 1]} for mu, nu in INDICES]


@cache
def around_the_point() -> list[dict[str, Any]]:
    """The kernel on circles around the input, and the metric."""
    cases = []
    for (mu, nu), case in zip(INDICES, at_the_point(), strict=True):
        moved = circles(X, mu, nu)
        one, other = ACTIVATION["phi0"](preactivations(moved)), ACTIVATION["phi0"](preactivations(X[None] + 0j))
        cases.append({"k_xx": mean(one * one), "k_xy": mean(other * one), "hess_x": derivative,
                      "hess_y_at_x": derivative, "g": case["g"]})  # fmt: skip
    return cases


def differentiates(relation: sp.Eq) -> tuple[Check, ...]:
    """The side with a derivative is taken on a circle of the squared norm, the other one at its centre."""

    def value(side: Any) -> Any:
        if not side.has(sp.Function("d_r"), sp.Function("d_v")):
            return evaluate(side, at_the_point()[0])
        inputs = along_the_radius()
        case = letters(1, 1, inputs, inputs)
        return evaluate(side, case | {"d_v": lambda values: derivative(values) / SIGMA**2})

    return (Check("as printed", lambda: is_close(value(relation.lhs), value(relation.rhs)), "Cauchy's formula"),)


def has_the_distribution(claim: Claim) -> tuple[Check, ...]:
    """The characteristic function of the preactivation, by quadrature over weights and bias."""
    case = at_the_point()[0]
    centre, spread = (complex(np.squeeze(evaluate(claim[name], case))) for name in ("mean", "variance"))

    def agrees(frequency: float) -> bool:
        found = WEIGHTS @ np.exp(1j * frequency * preactivations(X[None])[0])
        return is_close(found, np.exp(1j * frequency * centre - frequency**2 * spread / 2))

    return (Check("characteristic function", lambda: agrees(0.4) and agrees(0.9), "quadrature"),)


def _kernel(activation: str, one: Any, other: Any) -> Any:
    """Of ReLU, of the absolute value and of a step, weights of variance one and no biases; inputs in the plane."""
    norms = [WORK.sqrt(point[0] ** 2 + point[1] ** 2) for point in (one, other)]
    cosine = (one[0] * other[0] + one[1] * other[1]) / (norms[0] * norms[1])
    angle = WORK.acos(min(cosine, WORK.mpf(1)))
    bend = WORK.sin(angle) + (WORK.pi - angle) * WORK.cos(angle)
    if activation == "step":
        return (WORK.pi - angle) / (2 * WORK.pi)
    if activation == "ReLU":
        return norms[0] * norms[1] * bend / (2 * WORK.pi)
    return norms[0] * norms[1] * (2 * bend - WORK.pi * WORK.cos(angle)) / WORK.pi


def metric_agrees(activation: str) -> bool:
    """Whether (C.4) gives E[phi'^2 w w] across the input: half of one, one, and zero."""
    step, at = WORK.mpf(10) ** -8, (WORK.mpf("0.7"), WORK.mpf(0))
    moved = [(at[0], sign * step) for sign in (1, -1)]
    own = [_kernel(activation, point, point) for point in (*moved, at)]
    crossed = [_kernel(activation, at, point) for point in (*moved, at)]
    second = [(values[0] + values[1] - 2 * values[2]) / step**2 for values in (own, crossed)]
    exact = {"ReLU": 0.5, "absolute value": 1.0, "step": 0.0}[activation]
    return bool(abs(second[0] / 2 - second[1] - exact) < 1e-6)


def suffices(claim: Claim) -> tuple[Check, ...]:
    """Activation functions that are differentiable in the sense of the sentence."""
    classes = {"weak": ("ReLU", "absolute value"), "almost everywhere": ("ReLU", "absolute value", "step")}
    return tuple(Check(name, partial(metric_agrees, name), "kernel in closed form") for name in classes[claim["sense"]])
