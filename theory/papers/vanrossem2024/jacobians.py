r"""Appendix A.3, second half: Jacobians, eigenvalues and eigenvectors, Eqs. (29) to (35)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Finding, equal, numerically
from theory.papers.vanrossem2024.letters import A_high, A_low
from theory.papers.vanrossem2024.paper import entry
from theory.papers.vanrossem2024.rest import NEAR, SETTLED, jacobian, rays, roots, settings
from theory.two_point.symbols import dh2, dx2, target2, tau_h, tau_y, w

HALF, QUARTER = sp.Rational(1, 2), sp.Rational(1, 4)
R = sp.sqrt(A_high**2 + 4 * A_low**2)
trace, determinant, lam, lam_pm, pm, a, b = sp.symbols("trace determinant lam lam_pm pm a b", real=True)
J, v_pm = sp.MatrixSymbol("J", 2, 2), sp.MatrixSymbol("v_pm", 2, 1)
dh2_inf = sp.Symbol("dh2_inf", positive=True)
spread = HALF * A_high + R
squares = 2 * A_low**2 + HALF * (A_high + R) ** 2
learned = sp.ImmutableMatrix([[0, -1 / tau_h * dx2], [QUARTER * tau_h / tau_y**2 / dx2 * squares, -1 / tau_y * spread]])


def merged(slope: sp.Expr) -> sp.ImmutableMatrix:
    """The Jacobian near dh2 = 0 as printed, with w/dh2 = slope."""
    return sp.ImmutableMatrix(
        [
            [0, -1 / tau_h * dx2],
            [
                HALF * (1 / tau_h * dx2 * slope**2 - 1 / tau_y * target2),
                HALF / tau_y * A_high - 1 / tau_h * dx2 * slope,
            ],
        ]
    )


def at_rest(same_targets: bool = False) -> Iterator[dict[str, Any]]:
    """The Jacobian at the largest root, by central differences, its trace and its determinant."""
    for case in settings(same_targets):
        slopes = jacobian(case, float(roots(case)[-1]), 0.0)
        yield {**case, "J": slopes, "trace": float(np.trace(slopes)), "determinant": float(np.linalg.det(slopes))}


def near_zero() -> Iterator[dict[str, Any]]:
    """The Jacobian close to dh2 = 0 in several directions, by central differences."""
    for case in settings():
        for slope in (-0.8, 0.3, 1.1):
            yield {**case, "dh2": NEAR, "w": slope * NEAR, "J": jacobian(case, NEAR, slope * NEAR)}


def kept_rays() -> Iterator[dict[str, Any]]:
    """Directions that the flow keeps near dh2 = 0, with the rate along each."""
    for case in settings():
        for sign, (slope, rate) in zip((1, -1), rays(case), strict=True):
            direction = np.array([[1.0], [slope]])
            yield {**case, "a": 0.7, "b": 0.7 * slope, "lam": rate, "lam_pm": rate, "pm": sign, "v_pm": direction}


EQUATIONS_LEARNED = (
    entry(
        "(29)",
        "A.3",
        "The Jacobian at the learned state.",
        Finding.CONFIRMED,
        "Central differences of Eq. (21) on the orbit of Eq. (24).",
        printed=equal(J, learned),
        prove=numerically(at_rest, "central differences", tolerance=SETTLED),
    ),
    entry(
        "(30)",
        "A.3",
        "The trace.",
        Finding.CONFIRMED,
        "Central differences. The eigenvalues, which the paper does not give, are -R/(2 tau_y) and "
        "-(A_high + R)/(2 tau_y), R = sqrt(A_high^2 + 4 A_low^2).",
        printed=equal(trace, -1 / tau_y * spread),
        prove=numerically(at_rest, "central differences", tolerance=SETTLED),
    ),
    entry(
        "(31)",
        "A.3",
        "The determinant.",
        Finding.CONFIRMED,
        "Central differences.",
        printed=equal(determinant, QUARTER / tau_y**2 * squares),
        prove=numerically(at_rest, "central differences", tolerance=SETTLED),
    ),
)

EQUATIONS_MERGED = (
    entry(
        "(32)",
        "A.3",
        "The Jacobian at dh2 = 0, up to what vanishes there.",
        Finding.CONFIRMED,
        "Central differences of Eq. (21) close to dh2 = 0, in three directions.",
        printed=equal(J, merged(w / dh2)),
        prove=numerically(near_zero, "central differences", tolerance=1e-5),
    ),
    entry(
        "(33)",
        "A.3",
        "Eigenvectors, with w/dh2 replaced by the direction of approach.",
        Finding.CONFIRMED,
        "Directions that the flow keeps near dh2 = 0: the velocities are homogeneous of degree one there, so that the "
        "Jacobian times a direction is the velocity.",
        printed=equal(
            sp.MatMul(merged(b / a), sp.ImmutableMatrix([a, b]), evaluate=False),
            sp.MatMul(lam, sp.ImmutableMatrix([a, b]), evaluate=False),
        ),
        prove=numerically(kept_rays, "rays of the flow", tolerance=1e-5),
    ),
    entry(
        "(34)",
        "A.3",
        "The two directions.",
        Finding.CONFIRMED,
        "Directions that the flow keeps near dh2 = 0.",
        printed=equal(v_pm, sp.ImmutableMatrix([1, -tau_h / tau_y * (A_high + pm * R) / (2 * dx2)])),
        prove=numerically(kept_rays, "rays of the flow", tolerance=1e-5),
    ),
    entry(
        "(35)",
        "A.3",
        "The two eigenvalues.",
        Finding.CONFIRMED,
        "Rates along the directions that the flow keeps near dh2 = 0.",
        printed=equal(lam_pm, 1 / tau_y * (A_high + pm * R) / 2),
        prove=numerically(kept_rays, "rays of the flow", tolerance=1e-5),
    ),
)
