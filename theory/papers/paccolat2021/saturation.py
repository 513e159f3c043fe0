r"""Section 3.2.1: how the amplification factor comes to rest; Eq. (8) and footnote 3."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.compression import attractors, neuron_flow
from theory.compression.linear_response import crossover_time, rate, share_0, share_end
from theory.core import Check, Claim, Scales
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import is_close
from theory.papers.paccolat2021.neuron_paths import STRIPE, path_from
from theory.papers.paccolat2021.notation import letters
from theory.papers.paccolat2021.regimes import is_the_power

omega_perp_dot, beta = letters("omega_perp_dot beta")
omega, omega_perp, p, lam, lam_star, tau_perp, tau_star = letters("omega omega_perp p lam lam_star tau_perp tau_star")


def falls_as(scaling: Scales) -> tuple[Check, ...]:
    """The share omega_perp/omega of a neuron of amplification lambda, as lambda diverges."""
    ratio = (scaling.lhs / scaling.rhs).subs({omega_perp: omega / sp.sqrt(1 + lam**2)})

    def is_a_positive_number() -> bool:
        limit = sp.limit(ratio, lam, sp.oo)
        return bool(limit.is_positive) and not limit.free_symbols

    return (Check("limit of the ratio", is_a_positive_number, "omega^2 in parts"),)


@cache
def both_terms(points: float) -> float:
    """Perpendicular velocity at rest, over that from the second term of Eq. (7) alone; integrated, d = 5."""
    point = attractors(STRIPE, 5)[0]
    fluctuation = np.array([0.7, -1.1, 0.4, 0.9])
    flow = neuron_flow(STRIPE, 5, fluctuation=fluctuation, points=points)
    end = flow.integrate(path_from(point, 0.0, 1e-9)[0], [0.0, 60.0])[-1]
    alone = abs(end[-1]) * math.sqrt(point.d_perp / points) * float(np.linalg.norm(fluctuation))
    return float(np.linalg.norm(flow.rates(end)[1:5])) / alone


def exact_share() -> float:
    """The same in closed form: growth of omega_1 over growth of the amplification factor, |C_1|/|J|."""
    point = attractors(STRIPE, 5)[0]
    return abs(float(point.c_parallel) / float(point.current))


def says_which_terms(claim: Claim) -> tuple[Check, ...]:
    """Whether the second term alone makes the velocity, and whether that is proportional to 1/sqrt(p)."""
    alone = claim["how"] == "merely"
    scaling = claim["scaling"]
    power = (scaling.lhs / scaling.rhs) ** 2 * beta**2 / (omega_perp_dot**2 * p)
    same = is_close(both_terms(1e6), both_terms(1e8), 1e-3)
    return (
        Check("second term", lambda: is_close(both_terms(1e6), 1.0, 0.01) is alone, "integrated flow"),
        Check("in both", lambda: alone or is_close(both_terms(1e6), exact_share(), 1e-3), "integrated flow"),
        Check("power", lambda: not power.free_symbols and same, "integrated flow"),
    )


def is_the_crossover(scaling: Scales) -> tuple[Any, ...]:
    """The time at which fluctuations overtake the initial share, for a final share of the order of 1/sqrt(p)."""
    u, c, k = sp.symbols("u c k", positive=True)
    time = crossover_time().expression.rewrite(sp.log).subs({share_end: c / sp.sqrt(p), rate: k / tau_star})
    ratio = (time * scaling.lhs / (tau_perp * scaling.rhs)).subs(p, sp.exp(u))
    return (
        *crossover_time().steps,
        Check("limit", lambda: sp.limit(ratio, u, sp.oo) == 1 / (2 * k), "p = exp(u)"),
    )


def smaller_alpha(claim: Claim) -> tuple[Check, ...]:
    """The alpha at which t* = (tau*/2) log(1/alpha) equals the crossover time, for two training sets."""
    time = crossover_time().expression.rewrite(sp.log).subs({share_0: 1, rate: 1, share_end: 1 / sp.sqrt(p)})
    small, large = (float(sp.exp(-2 * time).subs(p, points)) for points in (10**3, 10**5))
    return (Check("two sizes", lambda: (large < small) is (claim["alpha"] == "smaller"), "both times equal"),)


PROGRAMS: Programs = {
    "3.2.1 first term": falls_as,
    "3.2.1 after tau_perp": Program(
        says_which_terms,
        lambda: both_terms(1e6),
        value=lambda claim: 1.0 if claim["how"] == "merely" else exact_share(),
        tolerance=1e-3,
    ),
    "(8)": is_the_power(0),
    "footnote 3": is_the_crossover,
    "footnote 3, alpha": smaller_alpha,
}
