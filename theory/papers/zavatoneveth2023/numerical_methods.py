r"""Programs for the entries of Appendices G.1 and G.2: XOR, curvature by differentiation, machine numbers."""

from __future__ import annotations

import math
from functools import cache, partial

import numpy as np
import sympy as sp

from theory.core import Check, Claim
from theory.core.ledger.proving import has_digits, is_close
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.explicit_metrics import BIASES, POINT, WEIGHTS
from theory.papers.zavatoneveth2023.letters import R
from theory.papers.zavatoneveth2023.network_values import curvature_witness
from theory.papers.zavatoneveth2023.plane_curvature import scalar_15
from theory.papers.zavatoneveth2023.unit_averages import circles, derivative

SMALLEST64 = float(np.finfo(np.float64).smallest_subnormal)
FLAT_AT = (("0.4", "-0.3"), ("-0.7", "0.2"))


def is_exclusive_or(claim: Claim) -> tuple[Check, ...]:
    """Every pair of signs occurs, and the label is 1 where they differ."""
    points, labels = claim["points"].tolist(), list(claim["labels"])

    def holds() -> bool:
        signs = {(1, 1), (1, -1), (-1, 1), (-1, -1)}
        return {tuple(point) for point in points} == signs and [int(a != b) for a, b in points] == labels

    return (Check("truth table", holds, "exclusive or"),)


def vanishes(claim: Claim) -> tuple[Check, ...]:
    """Two units on two inputs, curvature by definition in 100 digits."""

    def curvature(point: tuple[str, str]) -> float:
        network = explicit_metrics.erf_network([row[:2] for row in WEIGHTS[: claim["units"]]], BIASES[: claim["units"]])
        return christoffel.scalar(network, point)

    if not 0 < claim["units"] <= len(WEIGHTS):
        raise ValueError(f"units: got {claim['units']}, needs 1 to {len(WEIGHTS)}")
    value = float(claim["curvature"])

    def agrees(point: tuple[str, str]) -> bool:
        return abs(curvature(point) - value) < 1e-12

    return tuple(Check(f"at {point}", partial(agrees, point), "definition of curvature") for point in FLAT_AT)


def differentiated() -> float:
    """R of a network of four units at a point, from derivatives of its metric in double precision throughout."""
    weights, biases = np.array(WEIGHTS, dtype=float)[:, :2], np.array(BIASES, dtype=float)
    at = np.array(POINT[:2], dtype=float)

    def metric(points: np.ndarray) -> np.ndarray:
        squares = 2 / np.pi * np.exp(-((points @ weights.T + biases) ** 2)) / len(biases)
        return np.einsum("pj,jm,jn->pmn", squares, weights, weights)

    def slope(axis: int) -> np.ndarray:
        around = metric(circles(at, axis))
        return np.array([[derivative(around[:, [m], n]) for n in (0, 1)] for m in (0, 1)]).real

    slopes, up = np.stack([slope(1), slope(2)]), np.linalg.inv(metric(at[None])[0])
    # The derivatives are symmetric in all indices, so that second derivatives drop out of the Riemann tensor.
    first = slopes / 2
    riemann = np.einsum("rl,rmb,lna->mnab", up, first, first) - np.einsum("rl,rma,lnb->mnab", up, first, first)
    return float(np.einsum("ma,nb,mnab->", up, up, riemann))


def by_definition() -> float:
    """The same from the definition of curvature in 100 digits."""
    return christoffel.scalar(explicit_metrics.erf_network([row[:2] for row in WEIGHTS], BIASES), POINT[:2])


@cache
def formula_b15() -> float:
    """(B.15) as it is printed, for the same network."""
    return float(curvature_witness(R, inputs=2).number(scalar_15(3)))


def stated_curvature(claim: Claim) -> float:
    """What differentiation gives according to the sentence, from (B.15) as printed."""
    return {"an overestimation": formula_b15(), "a third": formula_b15() / 3}[claim["result"]]


def is_what_differentiation_gives(claim: Claim) -> tuple[Check, ...]:
    """As printed (B.15) is right and only rounding, here below 1e-6, separates both."""
    rounding = {"due to numerical issues": 1e-6, "at any precision": 1e-10}[claim["reason"]]
    expected = stated_curvature(claim)
    return (
        Check("double precision", lambda: is_close(differentiated(), expected, rounding), "differentiated metric"),
        Check("100 digits", lambda: is_close(by_definition(), expected, rounding), "definition of curvature"),
        Check("no rounding", lambda: is_close(differentiated(), by_definition(), 1e-10)
              is (claim["reason"] == "at any precision"), "both"),
    )  # fmt: skip


def is_the_logarithm(claim: Claim) -> tuple[Check, ...]:
    """Six units on three inputs: singular values of the Jacobian against the determinant of the metric."""
    draw = np.random.default_rng(0)
    jacobian = draw.normal(size=(6, 3))
    singular = np.linalg.svd(jacobian, compute_uv=False)
    value = {"sum": np.sum(np.log(singular)), "product": np.prod(np.log(singular))}[claim["operation"]]
    volume = math.log(np.linalg.det(jacobian.T @ jacobian)) / 2
    return (Check("six features of three inputs", lambda: is_close(value, volume), "determinant of the metric"),)


def is_expansion(claim: Claim) -> tuple[Check, ...]:
    """The ratio of both widths."""
    ratio = sp.Rational(claim["hidden"], claim["inputs"])
    return (
        Check("ratio", lambda: has_digits(ratio, claim["ratio"]), "arithmetic"),
        Check("pixels", lambda: math.isqrt(claim["inputs"]) == claim["side"], "arithmetic"),
    )


def is_near_the_smallest(claim: Claim) -> tuple[Check, ...]:
    """Eleven binary digits at most are left there."""
    steps = sp.Integer(10) ** claim["power"] / sp.Rational(SMALLEST64)
    return (Check("machine constants", lambda: bool(steps > 1) and bool(steps < 2**11), "float64"),)
