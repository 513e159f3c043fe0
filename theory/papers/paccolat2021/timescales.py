r"""Section 2.4: the neuron vector, the time constant, the growth of the predictor."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import sympy as sp

from theory.compression import attractors
from theory.core import Check, Scales, Step, for_all
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.papers.paccolat2021.neuron_paths import STRIPE, path_from
from theory.papers.paccolat2021.notation import letters
from theory.papers.paccolat2021.small_network import outputs, slopes

z_n, omega_n, b, beta, x = letters("z_n omega_n b beta x")
w1, w2 = sp.symbols("w1 w2", real=True)
tau, tau_star, h, d, omega, alpha, t_star = letters("tau tau_star h d omega alpha t_star")
FASTEST = 2  # of the attractors of the stripe in five dimensions


def is_closest_point(vector: sp.Eq) -> tuple[Step, ...]:
    """The vector with components z_n lies on the hyperplane, and is as long as the distance of it; two dimensions."""
    first, second = (solved(vector, z_n).subs({omega_n: w, omega**2: w1**2 + w2**2}) for w in (w1, w2))
    return (
        Step("preactivation there", (w1 * first + w2 * second) / sp.sqrt(d) + b, sp.S.Zero, "it is on the hyperplane"),
        Step("its length", first**2 + second**2, d * b**2 / (w1**2 + w2**2), "distance of a plane from the origin"),
    )


def makes_the_velocity(constant: sp.Eq) -> tuple[Step, ...]:
    """Tau is what turns the slope of one neuron's output into beta x."""
    neuron = beta * sp.sqrt(2) * (omega_n * x / sp.sqrt(d) + b) / h
    return (
        Step("tau times the slope in a hidden weight", solved(constant, tau) * sp.Derivative(neuron, omega_n), beta * x,
             "the neuron is active, with slope sqrt(2)"),
    )  # fmt: skip


def slope_of_a_neuron() -> float:
    """Tau from differences: beta x over the slope of the output of one active neuron, at h = 10000 and d = 5."""
    weights, point = np.array([[0.3, -0.2, 0.1, 0.4, 0.2, 0.9, 0.7]]), np.array([[0.5, 0.1, -0.3, 0.2, 0.6]])
    slope = slopes(lambda w: outputs(w, point)[0], weights)[0, 0] / 10000
    return float(0.7 * 0.5 / slope)


@cache
def growth_rate(index: int) -> float:
    """Of the product beta omega_1, which the predictor is made of, on an attractor of the stripe; integrated."""
    path = path_from(attractors(STRIPE, 5)[index], 0.0, 20.0, 22.0)  # per tau
    return math.log((path[2, 0] * path[2, -1]) / (path[1, 0] * path[1, -1])) / 2


def printed_rate(balance: Scales, index: int) -> float:
    """Rate of the growth that the balance states, per tau."""
    rate = sp.diff(sp.expand_log(sp.log(balance.lhs / balance.rhs), force=True), t_star)
    return float(2 * rate.subs({tau: 2, tau_star: 2 * attractors(STRIPE, 5)[index].growth_time}))


def is_the_growth(balance: Scales) -> tuple[Check, ...]:
    """The predictor is alpha times products of two weights; it is of order one at t*."""
    in_alpha = sp.simplify(alpha * sp.diff(sp.log(balance.lhs / balance.rhs), alpha))
    return (
        Check("proportional to alpha", lambda: in_alpha == 1, "F = alpha (f - f_0)"),
        Check("growth on all attractors", lambda: for_all((0, 1, 2), lambda i: bool(
            abs(printed_rate(balance, i) - growth_rate(i)) < 1e-6)), "integrated flow"),
    )  # fmt: skip


def solves_the_balance(time: Scales) -> tuple[Check, ...]:
    """t* from exp(2 t*/tau*) alpha c = 1, tau* ~ tau, as alpha goes to 0: a multiple of what is printed."""
    u, c, multiple = sp.symbols("u c multiple", positive=True)
    exact = multiple * tau / 2 * (sp.log(1 / alpha) - sp.log(c))
    ratio = (exact * time.lhs / (t_star * time.rhs)).subs(alpha, sp.exp(-u))
    return (
        Check("ratio in the limit", lambda: sp.limit(ratio, u, sp.oo).free_symbols == {multiple}, "alpha = exp(-u)"),
    )


PROGRAMS: Programs = {
    "2.4 z": is_closest_point,
    "2.4 tau": Program(makes_the_velocity, slope_of_a_neuron, tolerance=1e-6),
    "2.4 predictor": Program(
        is_the_growth,
        lambda: growth_rate(FASTEST),
        value=lambda balance: printed_rate(balance, FASTEST),
        tolerance=1e-6,
    ),
    "2.4 logarithm": solves_the_balance,
}
