r"""Programs for the entries of Appendices G.1 and G.2: XOR, curvature by definition, machine numbers."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import sympy as sp

from theory.core import Check, Claim
from theory.core.ledger.proving import has_digits, is_close
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.explicit_metrics import BIASES, WEIGHTS

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
