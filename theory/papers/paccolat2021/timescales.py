r"""Footnotes 2 and 4, Sections 2.4, 3.2.2, Appendix B: boundaries of equiprobable labels, times, weights at time 0."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import sympy as sp
from scipy import special

from theory.compression import attractors
from theory.compression.equiprobable import cylinder_radius
from theory.core import Check, Scales, Step, for_all
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.ledger.proving import has_digits
from theory.papers.paccolat2021.notation import letters
from theory.papers.paccolat2021.regimes import STRIPE, path_from
from theory.papers.paccolat2021.small_network import Training, outputs, slopes

Lambda_at = letters("Lambda_at")
LAZY = 0.02  # relative deviation from the limit of large alpha
ERRORS = 5.0  # standard deviations of Lambda^2 over draws of the weights
x_min, x_max, R = letters("x_min x_max R")
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


def right_boundary(left: float) -> float:
    """Where the probability of the stripe reaches one half; bisection of the normal distribution function."""
    low, high = left, 5.0
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if special.ndtr(middle) - special.ndtr(left) < 0.5 else (low, middle)
    return high


def halves_the_data(boundary: sp.Eq) -> tuple[Step, ...]:
    """The stripe has probability one half."""
    probability = (sp.erf(x_max / sp.sqrt(2)) - sp.erf(x_min / sp.sqrt(2))) / 2
    there = sp.Subs(probability, x_max, solved(boundary, x_max))
    return (Step("probability of the stripe", there, sp.Rational(1, 2), "a unit Gaussian coordinate"),)


def boundaries_agree(numbers: sp.Tuple) -> tuple[Check, ...]:
    """The second number, from the first, to the printed digits."""
    left, right = solved(numbers[0], x_min), solved(numbers[1], x_max)
    return (Check("right boundary", lambda: has_digits(right_boundary(float(left)), right), "bisection"),)


def radius_agrees(numbers: sp.Tuple) -> tuple[Step | Check, ...]:
    """The radius within which half of the data fall, exactly and to the printed digits."""
    exact, rounded = (solved(number, R) for number in numbers)
    return (
        *cylinder_radius().steps[:1],
        Step("probability inside", sp.Subs(1 - sp.exp(-(R**2) / 2), R, exact), sp.Rational(1, 2), "distribution"),
        Check("it is positive", lambda: exact.is_positive, "a radius"),
        Check("digits", lambda: has_digits(math.sqrt(-2 * math.log(1 - 0.5)), rounded), "distribution of the radius"),
    )


def global_factor(width: int, dimension: int = 5) -> float:
    """Lambda of Eq. (9) for unit Gaussian weights."""
    squares = np.random.default_rng(0).normal(size=(width, dimension)) ** 2
    return math.sqrt((dimension - 1) * squares[:, 0].sum() / squares[:, 1:].sum())


def starts_at_one(start: sp.Eq) -> tuple[Check, ...]:
    """Lambda of networks of growing width: within its scatter, which falls as the root of the width."""
    value = float(solved(start, Lambda_at(0)))
    # Variance of the ratio of a mean of h squares to one of h (d - 1) squares, each with variance 2; d = 5.
    scatter = {width: ERRORS * math.sqrt(2 / width * (1 + 1 / 4)) for width in (10, 1000, 100_000)}

    def is_near(width: int) -> bool:
        return value > 0 and abs(global_factor(width) ** 2 - value**2) < scatter[width]

    return (Check("three widths", lambda: for_all(scatter, is_near), "draws of the weights"),)


def time_to_fit(scale: float) -> float:
    """Time at which y F first is one at a point of a small network, along Eq. (2); Euler steps of 1/200 of 1/alpha."""
    training = Training(0, scale)
    training.weights = training.initial.copy()
    step, time = 1 / (200 * scale), 0.0
    while (training.labels * training.predictor(training.weights)).max() < 1:
        training.weights = training.weights + step * training.printed_descent()
        time += step
    return time


def falls_as_alpha(scaling: Scales) -> tuple[Check, ...]:
    """The ratio of both sides for two large scales of the predictor."""

    def ratio(scale: int) -> float:
        return float((scaling.lhs / scaling.rhs).subs({alpha: scale, t_star: time_to_fit(scale)}))

    return (Check("alpha = 10^3, 10^4", lambda: abs(ratio(10**4) / ratio(10**3) - 1) < LAZY, "small network"),)


PROGRAMS: Programs = {
    "footnote 2": Program(halves_the_data, lambda: right_boundary(-0.3), tolerance=1e-12),
    "3 model": boundaries_agree,
    "footnote 4": radius_agrees,
    "3.2.1 tau": makes_the_velocity,
    "2.4 z": is_closest_point,
    "2.4 tau": Program(makes_the_velocity, slope_of_a_neuron, tolerance=1e-6),
    "2.4 predictor": Program(
        is_the_growth,
        lambda: growth_rate(FASTEST),
        value=lambda balance: printed_rate(balance, FASTEST),
        tolerance=1e-6,
    ),
    "2.4 logarithm": solves_the_balance,
    "(9) at time 0": starts_at_one,
    "B lazy time": falls_as_alpha,
}
