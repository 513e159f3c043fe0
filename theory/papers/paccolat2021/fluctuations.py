r"""Sections 2.4 and 3.2.1, Appendix C.3: fluctuations of a finite training set, the amplification factor at rest."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from scipy import integrate

from theory.compression import attractors, neuron_flow
from theory.compression.fixed_points import Attractor
from theory.compression.perpendicular_share import crossover_time, rate, share_0, share_end
from theory.core import Check, Claim, Scales, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.ledger.proving import chosen, is_close, stating
from theory.core.numbers.evaluation import evaluate
from theory.papers.paccolat2021.averages import FAR, normal_density
from theory.papers.paccolat2021.fixed_points import state_at
from theory.papers.paccolat2021.notation import letters
from theory.papers.paccolat2021.regimes import STRIPE, path_from, saturated

beta, omega, omega_perp, omega_perp_dot = letters("beta omega omega_perp omega_perp_dot")
p, lam, tau_perp, tau_star = letters("p lam tau_perp tau_star")
LONG = 1e-2  # relative error of a power between two large training sets
POINTS = 2000
ACROSS = 1e-4  # perpendicular weights next to an attractor, in units of omega_1
SIZE = 1.3  # omega_1 there


@cache
def second_moment(position: float, side: int) -> float:
    """Mean of the squared perpendicular coordinate where a neuron of infinite amplification is active; quadrature."""
    low, high = (position, FAR) if side > 0 else (-FAR, position)
    active = integrate.quad(normal_density, low, high)[0]
    return float(active * integrate.quad(lambda v: v * v * normal_density(v), -FAR, FAR)[0])


def on_a_training_set(point: Attractor) -> dict[str, Any]:
    """Letters of Eq. (7) for one perpendicular weight of a neuron next to an attractor in five dimensions.

    The velocity is the average over all data and the deviation of a training set from it; N is that deviation in units
    of the standard deviation of its summands.
    """
    state = SIZE * state_at(5, point, across=ACROSS)
    inputs = np.random.default_rng(0).normal(size=(POINTS, 2))
    inside = point.side * (inputs[:, 0] - point.position) > 0
    deviation = float((STRIPE(inputs[:, 0]) * inputs[:, 1] * inside).mean())
    average = float(neuron_flow(STRIPE, 5).rates(state)[1])
    return {
        "beta": state[-1],
        "tau": 1.7,
        "omega": SIZE,
        "omega_perp": SIZE * ACROSS,
        "z_star": point.position,
        "C_perp": point.c_perp,
        "D_perp": point.d_perp,
        "p": POINTS,
        "N": math.sqrt(POINTS) * deviation / math.sqrt(second_moment(point.position, point.side)),
        "omega_perp_dot": (average + state[-1] * deviation) / 1.7,
    }


def training_sets() -> Iterator[dict[str, Any]]:
    """One for each attractor of the stripe."""
    yield from map(on_a_training_set, attractors(STRIPE, 5))


def moments() -> Iterator[dict[str, Any]]:
    """First and second moment of a perpendicular summand at the attractors, at infinite amplification."""
    for point in attractors(STRIPE, 5):
        yield {
            "pm": point.side,
            "z_star": point.position,
            "mu_i": 0.0,
            "sigma_i": math.sqrt(second_moment(point.position, point.side)),
            "rho": normal_density,
            "step": lambda u: float(u > 0),
        }


def is_the_power(index: int) -> Any:
    """Proves a power of p from the saturated flow: of the amplification factor (0), the distance from the axis (1)."""

    def ratio(scaling: Scales, points: int) -> float:
        letters = (scaling.lhs / scaling.rhs).free_symbols - {p}
        at = {p: points, **dict.fromkeys(letters, saturated(points)[index])}
        return float((scaling.lhs / scaling.rhs).subs(at))

    def prove(scaling: Scales) -> tuple[Check, ...]:
        return (
            Check(
                "10^8 points against 10^6",
                lambda: abs(ratio(scaling, 10**8) / ratio(scaling, 10**6) - 1) < LONG,
                "integrated flow",
            ),
        )

    return prove


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
    alone = chosen(claim, "how", {"merely": True, "in both of its terms": False})
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


def small_enough() -> str:
    """The alpha at which t* = (tau*/2) log(1/alpha) equals the crossover time, for two training sets."""
    time = crossover_time().expression.rewrite(sp.log).subs({share_0: 1, rate: 1, share_end: 1 / sp.sqrt(p)})
    small, large = (float(sp.exp(-2 * time).subs(p, points)) for points in (10**3, 10**5))
    return "smaller" if large < small else "larger"


PROGRAMS: Programs = {
    "(7)": Program(
        numerically(training_sets, "a training set", tolerance=1e-6),
        lambda: [case["omega_perp_dot"] for case in training_sets()],
        value=lambda flow: [evaluate(solved(flow, omega_perp_dot), case) for case in training_sets()],
        tolerance=1e-6,
    ),
    "C.3 moment": numerically(moments, "quadrature", tolerance=1e-6),
    "3.2.1 first term": falls_as,
    "3.2.1 after tau_perp": Program(
        says_which_terms,
        lambda: both_terms(1e6),
        value=lambda claim: 1.0 if claim["how"] == "merely" else exact_share(),
        tolerance=1e-3,
    ),
    **dict.fromkeys(("(8)", "2.4 saturation"), is_the_power(0)),
    "2.4 distance": is_the_power(1),
    "footnote 3": is_the_crossover,
    "footnote 3, alpha": stating({"alpha": small_enough}, "both times equal"),
}
