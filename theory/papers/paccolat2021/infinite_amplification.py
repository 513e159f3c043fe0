r"""Appendix C.2: the averages of Appendix C.1 at infinite amplification."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import special

from theory.core import Check, Tends, for_all, numerically
from theory.core.ledger.ledger import Programs
from theory.papers.paccolat2021.gaussian_averages import (
    LABELS,
    averages_agree,
    normal_density_of,
)

LARGE = 1e9  # amplification factor that stands for infinity


def steep(side: int) -> dict[str, Any]:
    """The functions of Appendix C.2 at a very large amplification factor of this sign."""
    return {
        "pm": side,
        "g": lambda u: special.ndtr(side * LARGE * u),
        "step": lambda u: np.heaviside(u, 0.5),
        "rho": normal_density_of,
    }


def both_sides() -> Iterator[dict[str, Any]]:
    """Points on both sides of zero, both signs of the amplification factor."""
    yield from ({**steep(side), "x": at} for side in (-1, 1) for at in (-0.7, 0.4))


def is_the_limit(limit: Tends) -> tuple[Check, ...]:
    """Means over x_1 of what is printed on both sides, at three intercepts and for both signs."""
    cases = [{**steep(side), "zeta": at} for side in (-1, 1) for at in (-1.1, 0.2, 1.5)]
    return (Check("intercepts", lambda: for_all(cases, lambda case: averages_agree(limit, case)), "quadrature"),)


def of_the_label(zeta_1: float) -> dict[str, Any]:
    """Letters of the third limit at an intercept, for a very large amplification factor."""
    return {
        **steep(1),
        "zeta": zeta_1,
        "omega_1": 1.3,
        "omega_perp": 1e-6,
        "omega": math.hypot(1.3, 1e-6),
        "label": lambda u: float(LABELS(u)),
    }


def is_the_label(limit: Tends) -> tuple[Check, ...]:
    """The third limit at intercepts inside the cells."""
    cases = [of_the_label(at) for at in (-1.1, -0.25, 0.85, 0.95, 1.5)]
    return (Check("intercepts", lambda: for_all(cases, lambda case: averages_agree(limit, case)), "quadrature"),)


PROGRAMS: Programs = {
    "C.2 g": numerically(both_sides, "at a very large amplification factor", scale=1.0),
    "C.2 C_1": is_the_limit,
    "C.2 C_b": is_the_limit,
    "C.2 C_perp": is_the_label,
}
