r"""Appendix A.3, second half: Jacobians, eigenvalues and eigenvectors, Eqs. (29) to (35)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Equation, equal
from theory.core.ledger.ledger import Programs
from theory.core.ledger.transition import programs_of
from theory.papers.vanrossem2024.flows import IN_EQ_21, Case
from theory.papers.vanrossem2024.letters import A_high, A_low
from theory.papers.vanrossem2024.rest import NEAR, SETTINGS, jacobian, rays, roots, settings
from theory.papers.vanrossem2024.time_constants import Cases, in_eq_6_along, with_twice
from theory.two_point.symbols import dh2, dx2, target2, tau_h, tau_y, w

HALF, QUARTER = sp.Rational(1, 2), sp.Rational(1, 4)
R = sp.sqrt(A_high**2 + 4 * A_low**2)
trace, determinant, lam, lam_pm, pm, a, b = sp.symbols("trace determinant lam lam_pm pm a b", real=True)
J = sp.MatrixSymbol("J", 2, 2)
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


def constants(case: Case, factor: float) -> dict[str, float]:
    """The time constants of a setting, which are those of Eq. (21), as ``factor`` times those of Eq. (6)."""
    return {name: case[name] * factor / IN_EQ_21 for name in ("tau_h", "tau_y")}


def at_rest(factor: float) -> Iterator[Case]:
    """The Jacobian at the largest root, by central differences, its trace and its determinant."""
    for case in settings():
        slopes = jacobian(case, float(roots(case)[-1]), 0.0)
        values = {"J": slopes, "trace": float(np.trace(slopes)), "determinant": float(np.linalg.det(slopes))}
        yield {**case, **constants(case, factor), **values}


def near_zero(factor: float) -> Iterator[Case]:
    """The Jacobian close to dh2 = 0 in several directions, by central differences."""
    for case in settings():
        for slope in (-0.8, 0.3, 1.1):
            values = {"dh2": NEAR, "w": slope * NEAR, "J": jacobian(case, NEAR, slope * NEAR)}
            yield {**case, **constants(case, factor), **values}


def kept_rays(factor: float) -> Iterator[Case]:
    """Directions that the flow keeps near dh2 = 0, with the rate along each."""
    for case in settings():
        for sign, (slope, rate) in zip((1, -1), rays(case), strict=True):
            values = {"a": 0.7, "b": 0.7 * slope, "lam": rate, "lam_pm": rate, "pm": sign}
            yield {**case, **constants(case, factor), **values, "v_pm": np.array([[1.0], [slope]])}


def _rate(label: str, statement: str, method: str, printed: Any, cases: Cases, where: Case, **fields: Any) -> Equation:
    """The entry of a line that holds rates; ``where`` is the setting of the second case, its witness."""
    at = {name: where[name] for name in ("dh2_0", "dy2_0", "dx2", "target2")}
    at |= {f"{name} of Eq. (6)": value for name, value in constants(where, 1.0).items()}
    evidence = f"{method} Eq. (21) is that of the flow of Eq. (6) with twice the time constants."
    return with_twice(label, "A.3", statement, printed, evidence=evidence, cases=cases, at=at, **fields)


PROGRAMS: Programs = {
    **programs_of(
        (
            _rate(
                "(29)",
                "The Jacobian at the learned state.",
                "Central differences of Eq. (21) on the orbit of Eq. (24).",
                equal(J, learned),
                at_rest,
                SETTINGS[1],
            ),
        )
    ),
    **programs_of(
        (
            _rate(
                "(30)",
                "The trace.",
                "Central differences of Eq. (21). The eigenvalues, which the paper does not give, are -R/(2 tau_y) and "
                "-(A_high + R)/(2 tau_y), R = sqrt(A_high^2 + 4 A_low^2).",
                equal(trace, -1 / tau_y * spread),
                at_rest,
                SETTINGS[1],
            ),
        )
    ),
    **programs_of(
        (
            _rate(
                "(31)",
                "The determinant.",
                "Central differences of Eq. (21).",
                equal(determinant, QUARTER / tau_y**2 * squares),
                at_rest,
                SETTINGS[1],
            ),
        )
    ),
    **programs_of(
        (
            _rate(
                "(32)",
                "The Jacobian at dh2 = 0, up to what vanishes there.",
                "Central differences of Eq. (21) close to dh2 = 0, in three directions.",
                equal(J, merged(w / dh2)),
                near_zero,
                SETTINGS[0],
                tolerance=1e-5,
            ),
        )
    ),
    **programs_of(
        (
            _rate(
                "(33)",
                "Eigenvectors, with w/dh2 replaced by the direction of approach.",
                "Directions that the flow of Eq. (21) keeps near dh2 = 0: the velocities are homogeneous of degree one there, "
                "so that the Jacobian times a direction is the velocity.",
                equal(
                    sp.MatMul(merged(b / a), sp.ImmutableMatrix([a, b]), evaluate=False),
                    sp.MatMul(lam, sp.ImmutableMatrix([a, b]), evaluate=False),
                ),
                kept_rays,
                SETTINGS[0],
                tolerance=1e-5,
                sides=lambda relation: (relation.rhs, relation.lhs),
            ),
        )
    ),
    "(34)": in_eq_6_along(kept_rays, 1e-5),
    **programs_of(
        (
            _rate(
                "(35)",
                "The two eigenvalues.",
                "Rates along the directions that the flow of Eq. (21) keeps near dh2 = 0.",
                equal(lam_pm, 1 / tau_y * (A_high + pm * R) / 2),
                kept_rays,
                SETTINGS[0],
                tolerance=1e-5,
            ),
        )
    ),
}
