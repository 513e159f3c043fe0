r"""Appendix A.3, second half: Jacobians, eigenvalues and eigenvectors, Eqs. (29) to (35)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from theory.core.ledger.ledger import Programs
from theory.papers.vanrossem2024.flows import IN_EQ_21, Case
from theory.papers.vanrossem2024.rest import NEAR, jacobian, rays, roots, settings
from theory.papers.vanrossem2024.time_constants import in_eq_6_along, twice


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


PROGRAMS: Programs = {
    **dict.fromkeys(("(29)", "(30)", "(31)"), twice(at_rest)),
    "(32)": twice(near_zero, 1e-5),
    "(33)": twice(kept_rays, 1e-5, lambda relation: (relation.rhs, relation.lhs)),
    "(34)": in_eq_6_along(kept_rays, 1e-5),
    "(35)": twice(kept_rays, 1e-5),
}
