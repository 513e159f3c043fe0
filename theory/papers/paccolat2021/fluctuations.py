r"""Section 3.2.1 and Appendix C.3: fluctuations of a finite training set; Eq. (7)."""

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
from theory.core import Check, Tends, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.numbers.evaluation import evaluate
from theory.papers.paccolat2021.fixed_points import state_at
from theory.papers.paccolat2021.gaussian_averages import FAR, normal_density, normal_density_of
from theory.papers.paccolat2021.neuron_paths import STRIPE
from theory.papers.paccolat2021.notation import letters

z_star, C_perp, omega_perp_dot, beta, N, x_1, pm, mu_i, sigma_i = letters(
    "z_star C_perp omega_perp_dot beta N x_1 pm mu_i sigma_i"
)
tau, omega, omega_perp, D_perp, p, rho, step = letters("tau omega omega_perp D_perp p rho step")
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


PROGRAMS: Programs = {
    "(7)": Program(
        numerically(training_sets, "a training set", tolerance=1e-6),
        lambda: [case["omega_perp_dot"] for case in training_sets()],
        value=lambda flow: [evaluate(solved(flow, omega_perp_dot), case) for case in training_sets()],
        tolerance=1e-6,
    ),
    "C.3 moment": is_the_moment,
}
