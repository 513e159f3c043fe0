r"""Appendix C.2: the averages of Appendix C.1 at infinite amplification."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from scipy import special

from theory.core import Check, Finding, Tends, Witness, for_all, numerically
from theory.core.ledger.printed import Given
from theory.core.numbers.evaluation import evaluate
from theory.papers.paccolat2021.averages import MIRRORED
from theory.papers.paccolat2021.gaussian_averages import (
    LABELS,
    averages_agree,
    g,
    label,
    mean,
    normal_density_of,
    step,
    x_1,
    zeta,
)
from theory.papers.paccolat2021.paper import entry

pm, x, omega_1 = sp.symbols("pm x omega_1", real=True)
omega, omega_perp = sp.symbols("omega omega_perp", positive=True)
x_min, x_max = sp.symbols("x_min x_max", real=True)
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
        "x_min": LABELS.places[0],
        "x_max": LABELS.places[1],
    }


def is_the_label(statement: Tends | Given) -> tuple[Check, ...]:
    """The third limit at intercepts inside the cells and on their boundaries, as the condition allows."""
    limit, condition = (
        (statement.statement, statement.condition) if isinstance(statement, Given) else (statement, sp.true)
    )
    cases = [of_the_label(at) for at in (-1.1, -0.25, 0.95, 1.5, *LABELS.places)]
    allowed = [case for case in cases if evaluate(condition, case)]
    return (Check("intercepts", lambda: for_all(allowed, lambda case: averages_agree(limit, case)), "quadrature"),)


inner = label(omega_perp / omega * x_1 + omega_1**2 / omega**2 * zeta)

EQUATIONS = (
    entry(
        "C.2 g",
        "C.2",
        "At infinite amplification a neuron is active on one side.",
        Finding.CONFIRMED,
        "Points on both sides, both signs.",
        printed=Tends(g(x), step(pm * x)),
        prove=numerically(both_sides, "at a very large amplification factor", scale=1.0),
    ),
    entry(
        "C.2 C_1",
        "C.2",
        "The average along the axis at infinite amplification, which is C_1.",
        Finding.CONFIRMED,
        "Quadratures at a very large amplification factor, three intercepts, both signs.",
        printed=Tends(mean(label(x_1) * x_1 * g(x_1 - zeta)), mean(label(x_1) * x_1 * step(pm * (x_1 - zeta)))),
        prove=is_the_limit,
    ),
    entry(
        "C.2 C_b",
        "C.2",
        "The average for the bias at infinite amplification, which is C_b.",
        Finding.CONFIRMED,
        "Quadratures at a very large amplification factor, three intercepts, both signs.",
        printed=Tends(mean(label(x_1) * g(x_1 - zeta)), mean(label(x_1) * step(pm * (x_1 - zeta)))),
        prove=is_the_limit,
    ),
    entry(
        "C.2 C_perp",
        "C.2",
        "The average across the axis at infinite amplification, which is C_perp.",
        Finding.CONDITIONAL,
        "Quadratures at a very large amplification factor, at intercepts inside the cells and on their boundaries.",
        printed=Tends(mean(inner), label(zeta)),
        condition=sp.And(sp.Ne(zeta, x_min), sp.Ne(zeta, x_max)),
        prove=is_the_label,
        harmless={
            "printed: sign of omega_perp*x_1/omega": MIRRORED,
            **dict.fromkeys(
                ("printed: omega_perp*x_1/omega twice", "printed: -1 -> 0", "printed: -1 -> 1"),
                "The term vanishes in the limit, whatever its factor is.",
            ),
        },
        witness=Witness(
            {zeta: "x_min", "x_min": -0.3},
            lambda: 0.5 * (1 - 1),  # half of the data on either side of the boundary
            value=lambda limit: evaluate(limit.rhs, of_the_label(LABELS.places[0])),
        ),
        consequence="On a boundary of the stripe the limit is the mean of both labels, zero. The section writes C_perp "
        "without the sign that it has in Section 3.2.1; it does not depend on it.",
    ),
)
