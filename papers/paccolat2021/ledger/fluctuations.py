"""Section 3.2.1, Appendix C.3: fluctuations of a training set, and the amplification that they leave."""

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from scipy import integrate

from papers.paccolat2021.ledger.averages import FAR, normal_density
from papers.paccolat2021.ledger.convergence import neuron_vector
from papers.paccolat2021.ledger.notation import STRIPE, Array, letters, path_from, state_at
from theory.compression import attractors, neuron_flow
from theory.compression.attractor import Attractor
from theory.compression.linear_response import crossover_time, rate, share_0, share_end
from theory.core import Check, Claim, Programs, Scales, numerically
from theory.core.ledger.proving import (
    deciding,
    declaring,
    is_close,
    stating,
)

beta, omega, omega_perp, omega_perp_dot = letters("beta omega omega_perp omega_perp_dot")
p, lam, lam_star, z_perp_star, tau_perp, tau_star = letters(
    "p lam lam_star z_perp_star tau_perp tau_star"
)
LONG = 1e-2  # relative error of a power between two large training sets
POINTS = 2000
ACROSS = 1e-4  # perpendicular weights next to an attractor, in units of omega_1
SIZE = 1.3  # omega_1 there
ERRORS = 5  # standard deviations of a mean over a training set


@cache
def second_moment(position: float, side: int) -> float:
    """Mean of the squared perpendicular coordinate where a neuron of infinite amplification is active; quadrature."""
    low, high = (position, FAR) if side > 0 else (-FAR, position)
    active = integrate.quad(normal_density, low, high)[0]
    return float(active * integrate.quad(lambda v: v * v * normal_density(v), -FAR, FAR)[0])


def on_a_training_set(point: Attractor) -> dict[str, Any]:
    """Letters of Eq. (7) next to an attractor; N is what a training set adds, in units of its standard deviation."""
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


def sensitivity() -> str:
    """Velocities at an attractor on 10^2 to 10^6 points: relative corrections of omega_1 and b are as 1/sqrt(p)."""
    point = attractors(STRIPE, 2)[0]
    state, flow = state_at(2, point), neuron_flow(STRIPE, 2)
    average = flow.rates(state)
    for points in (10**2, 10**4, 10**6):
        sampled = flow.rates_on(state, np.random.default_rng(1).normal(size=(points, 2)))
        relative = np.abs(sampled - average) / np.abs(state[-1]) * math.sqrt(points / 2)
        if max(relative[0], relative[2]) > ERRORS or abs(average[1]) > 1e-12 or sampled[1] == 0:
            return "sensitive"
    return "not sensitive"


@cache
def saturated(points: float) -> Array:
    """State and velocity at rest of a neuron with a fixed draw of the fluctuations of so many points, d = 5."""
    flow = neuron_flow(STRIPE, 5, fluctuation=(0.7, -1.1, 0.4, 0.9), points=points)
    end = flow.integrate(path_from(0, 0.0, 1e-9)[0], [0.0, 60.0])[-1]
    return np.array([end, flow.rates(end)])


def at_rest(points: float, size: float) -> dict[Any, float]:
    """Letters of the neuron there, and of one that is larger by a factor."""
    state, velocity = size * saturated(points)
    return {
        p: points,
        lam_star: abs(state[0]) / np.linalg.norm(state[1:5]),
        z_perp_star: np.linalg.norm(neuron_vector(state)[1:]),
        omega_perp_dot: np.linalg.norm(velocity[1:5]),
        beta: abs(state[-1]),
    }


def is_the_power(printed: Scales | Claim) -> bool:
    """The flow with a fixed fluctuation, integrated to its rest: 10^6 points and, three times as large, 10^8."""
    scaling = printed["scaling"] if isinstance(printed, Claim) else printed
    few, many = (
        float((scaling.lhs / scaling.rhs).subs(at_rest(*case)))
        for case in ((10**6, 1), (10**8, 3))
    )
    return is_close(few, many, LONG)


def falls_as(scaling: Scales) -> bool:
    """Its factor is omega_perp/omega, and the squares of both weights add up."""
    ratio = (scaling.lhs / scaling.rhs).subs({omega_perp: omega / sp.sqrt(1 + lam**2)})
    limit = sp.limit(ratio, lam, sp.oo)
    return bool(limit.is_positive) and not limit.free_symbols


def is_the_crossover(scaling: Scales) -> tuple[Any, ...]:
    """When fluctuations overtake the initial share: log(1 + lambda*/lambda_0) over a rate, lambda* ~ sqrt(p)."""
    u, c, k = sp.symbols("u c k", positive=True)
    time = (
        crossover_time()
        .expression.rewrite(sp.log)
        .subs({share_end: c / sp.sqrt(p), rate: k / tau_star})
    )
    ratio = (time * scaling.lhs / (tau_perp * scaling.rhs)).subs(p, sp.exp(u))
    return (
        *crossover_time().steps,
        Check("limit", lambda: sp.limit(ratio, u, sp.oo) == 1 / (2 * k)),
    )


def small_enough() -> str:
    """The alpha at which t* = (tau*/2) log(1/alpha) equals the crossover time, for two training sets."""
    time = (
        crossover_time()
        .expression.rewrite(sp.log)
        .subs({share_0: 1, rate: 1, share_end: 1 / sp.sqrt(p)})
    )
    small, large = (float(sp.exp(-2 * time).subs(p, points)) for points in (10**3, 10**5))
    return "smaller" if large < small else "larger"


PROGRAMS: Programs = {
    "(7)": numerically(lambda: map(on_a_training_set, attractors(STRIPE, 5)), tolerance=1e-6),
    "C.3 moment": declaring(numerically(moments, tolerance=1e-6), "->"),
    "C.3 informative weights": stating(sensitivity=sensitivity),
    "3.2.1 first term": declaring(deciding(falls_as), "~"),
    "(8) | 2.4 distance | 3.2.1 after tau_perp": declaring(deciding(is_the_power), "~"),
    "footnote 3": declaring(is_the_crossover, "~"),
    "footnote 3, alpha": stating(alpha=small_enough),
}
