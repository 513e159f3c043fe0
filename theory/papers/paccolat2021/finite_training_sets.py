r"""Section 3.2.1 and Appendix C.3: what a finite training set does to the perpendicular weights; Eqs. (7) and (8)."""

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
from theory.compression.linear_response import crossover_time, rate, share_0, share_end
from theory.core import Check, Claim, Finding, Scales, Tends, Witness, Word, equal, numerically
from theory.core.evaluation import evaluate
from theory.core.printed import solved
from theory.core.proving import is_close
from theory.papers.paccolat2021.averages import FAR, MIRRORED, normal_density, normal_density_of
from theory.papers.paccolat2021.fixed_points import state_at
from theory.papers.paccolat2021.neuron_paths import STRIPE, path_from
from theory.papers.paccolat2021.paper import entry
from theory.papers.paccolat2021.regimes import is_the_power

z_star, C_perp, omega_perp_dot, beta, N, x_1, pm, mu_i, sigma_i = sp.symbols(
    "z_star C_perp omega_perp_dot beta N x_1 pm mu_i sigma_i", real=True
)
tau, omega, omega_perp, D_perp, p, lam, lam_star, tau_perp, tau_star = sp.symbols(
    "tau omega omega_perp D_perp p lam lam_star tau_perp tau_star", positive=True
)
rho, step = sp.Function("rho"), sp.Function("step")
POINTS = 2000
ACROSS = 1e-4  # perpendicular weights beside an attractor, in units of omega_1
SIZE = 1.3  # omega_1 there


@cache
def second_moment(position: float, side: int) -> float:
    """Mean of the squared perpendicular coordinate where a neuron of infinite amplification is active; quadrature."""
    low, high = (position, FAR) if side > 0 else (-FAR, position)
    active = integrate.quad(normal_density, low, high)[0]
    return float(active * integrate.quad(lambda v: v * v * normal_density(v), -FAR, FAR)[0])


def on_a_training_set(point: Attractor) -> dict[str, Any]:
    """Letters of Eq. (7) for one perpendicular weight of a neuron beside an attractor in five dimensions.

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


velocity = sp.exp(-(z_star**2) / 2) / sp.sqrt(2 * sp.pi) * omega_perp / omega * C_perp


def falls_as(scaling: Scales) -> tuple[Check, ...]:
    """The share omega_perp/omega of a neuron of amplification lambda, as lambda diverges."""
    ratio = (scaling.lhs / scaling.rhs).subs({omega_perp: omega / sp.sqrt(1 + lam**2)})
    return (Check("limit of the ratio", lambda: sp.limit(ratio, lam, sp.oo).is_positive is True, "omega^2 in parts"),)


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
    time = crossover_time().expression.subs({share_end: c / sp.sqrt(p), rate: k / tau_star})
    ratio = (time * scaling.lhs / (tau_perp * scaling.rhs)).subs(p, sp.exp(u))
    return (
        *crossover_time().steps,
        Check("limit", lambda: sp.limit(ratio, u, sp.oo) == 1 / (2 * k), "p = exp(u)"),
    )


def smaller_alpha(claim: Claim) -> tuple[Check, ...]:
    """The alpha at which t* = (tau*/2) log(1/alpha) equals the crossover time, for two training sets."""
    time = crossover_time().expression.subs({share_0: 1, rate: 1, share_end: 1 / sp.sqrt(p)})
    small, large = (float(sp.exp(-2 * time).subs(p, points)) for points in (10**3, 10**5))
    return (Check("two sizes", lambda: (large < small) is (claim["alpha"] == "smaller"), "both times equal"),)


def moments() -> Iterator[dict[str, Any]]:
    """First and second moment of a perpendicular summand at the attractors, at infinite amplification."""
    for point in attractors(STRIPE, 5):
        yield {
            "pm": point.side,
            "z_star": point.position,
            "mu_i": 0.0,
            "sigma_i": math.sqrt(second_moment(point.position, point.side)),
            "rho": normal_density_of,
        }


def is_the_moment(limit: Tends) -> tuple[Check, ...]:
    """The integral of the printed step, evaluated between its edges, against the second moment."""
    return numerically(
        lambda: ({**case, "step": lambda u: float(u > 0)} for case in moments()), "quadrature", tolerance=1e-6
    )(limit)


EQUATIONS = (
    entry(
        "3.2.1 D_perp",
        "3.2.1",
        "The share of the data on which a neuron is active; N is a vector of random variables of variance one.",
        Finding.DEFINITION,
        "It introduces D_perp and N.",
        printed=r"D_\perp^\pm(z^*) = \langle \Theta(\pm(x_1 - z^*)) \rangle_{x_1}",
    ),
    entry(
        "(7)",
        "3.2.1",
        "Fluctuations of a finite training set move the perpendicular weights.",
        Finding.MISPRINT,
        "A training set of 2000 points at each attractor; N is its deviation from the mean in units of the standard "
        "deviation, which is a quadrature. Appendix C.3 has the root as well.",
        printed=equal(omega_perp_dot, beta / tau * (velocity + N / sp.sqrt(p) * D_perp)),
        corrected=equal(omega_perp_dot, beta / tau * (velocity + N / sp.sqrt(p) * sp.sqrt(D_perp))),
        prove=numerically(training_sets, "a training set", tolerance=1e-6),
        witness=Witness(
            {"d": 5, "x_min": -0.3, "p": POINTS},
            lambda: [case["omega_perp_dot"] for case in training_sets()],
            value=lambda flow: [evaluate(solved(flow, omega_perp_dot), case) for case in training_sets()],
            tolerance=1e-6,
        ),
        consequence="The prefactor of lambda* is |J|/sqrt(D_perp), not |J|/D_perp.",
    ),
    entry(
        "3.2.1 first term",
        "3.2.1",
        "The first term of Eq. (7) is proportional to 1/lambda.",
        Finding.CONFIRMED,
        "Its factor is omega_perp/omega; the squares of both weights add up.",
        printed=Scales(omega_perp / omega, 1 / lam),
        prove=falls_as,
    ),
    entry(
        "3.2.1 after tau_perp",
        "3.2.1",
        "",
        Finding.MISPRINT,
        "The flow with a fixed fluctuation, integrated to its rest. The first term stays of the order of the second, "
        "because omega_perp/omega comes to rest at 1/lambda*.",
        printed=Claim(
            "After tau_perp, {scaling}, {how}.",
            {"how": Word("merely", ("in both of its terms",)), "scaling": Scales(omega_perp_dot, beta / sp.sqrt(p))},
        ),
        corrected=Claim(
            "After tau_perp, {scaling}, {how}.",
            {"how": Word("in both of its terms", ("merely",)), "scaling": Scales(omega_perp_dot, beta / sp.sqrt(p))},
        ),
        prove=says_which_terms,
        witness=Witness(
            {"d": 5, "x_min": -0.3, "velocity over that of": "the second term alone"},
            lambda: both_terms(1e6),
            value=lambda claim: 1.0 if claim["how"] == "merely" else exact_share(),
            tolerance=1e-3,
        ),
        consequence="The power of p is as printed; its prefactor is |J|, in which both terms count, and not |C_1|.",
    ),
    entry(
        "(8)",
        "3.2.1",
        "The amplification factor saturates at a value that scales as sqrt(p).",
        Finding.CONFIRMED,
        "The flow with a fixed fluctuation, integrated to its rest.",
        printed=Scales(lam_star, sp.sqrt(p)),
        prove=is_the_power(0),
        closed_form="compression.amplification",
    ),
    entry(
        "footnote 3",
        "3.2.1",
        "The time from which fluctuations make the perpendicular weights.",
        Finding.CONFIRMED,
        "With its constant: log(1 + lambda*/lambda_0) over the rate at which lambda grows, lambda* ~ sqrt(p).",
        printed=Scales(tau_perp, tau_star * sp.log(p)),
        prove=is_the_crossover,
        closed_form="compression.crossover_time",
    ),
    entry(
        "footnote 3, alpha",
        "3.2.1",
        "",
        Finding.CONFIRMED,
        "The alpha at which both times are equal, for two sizes of the training set.",
        printed=Claim(
            "The larger the training set size, the {alpha} alpha needs to be.", {"alpha": Word("smaller", ("larger",))}
        ),
        prove=smaller_alpha,
    ),
    entry(
        "C.3 moment",
        "C.3",
        "The second moment of a perpendicular summand is D_perp in the limit of infinite amplification.",
        Finding.CONFIRMED,
        "Quadrature; the perpendicular coordinate is independent of the activity in the limit. The text has D_perp at "
        "zeta_1, with z* under the integral: they are one there.",
        printed=Tends(mu_i**2 + sigma_i**2, sp.Integral(rho(x_1) * step(pm * (x_1 - z_star)), (x_1, -sp.oo, sp.oo))),
        prove=is_the_moment,
        harmless={
            "printed: sign of mu_i**2": "mu_i vanishes in the limit.",
            "printed: mu_i**2 twice": "mu_i vanishes in the limit.",
            "printed: sign of x_1": MIRRORED,
        },
    ),
    entry(
        "C.3 informative weights",
        "C.3",
        "The bias and the informative weights are not sensitive to corrections by a finite training set.",
        Finding.ASSUMPTION,
        "A statement on leading order: their relative corrections are of the order of 1/sqrt(p).",
    ),
)
