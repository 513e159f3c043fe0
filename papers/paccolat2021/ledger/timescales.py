r"""Footnotes 2 and 4, Sections 2.4, 3.2.2, Appendix B: boundaries of equiprobable labels, times, weights at time 0."""

import math
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from scipy import special

from papers.paccolat2021.ledger.notation import STRIPE, Training, letters, outputs, path_from
from theory.compression import attractors
from theory.compression.equiprobable import equiprobable_radius
from theory.core import (
    Check,
    Program,
    Programs,
    Scales,
    Step,
    for_all,
    numerically,
    solved,
    stating,
)
from theory.core.ledger.proving import deciding, declaring, has_digits, is_close
from theory.core.numbers.differences import slopes

Lambda_at = letters("Lambda_at")
LAZY = 0.02  # relative deviation from the limit of large alpha
ERRORS = 5.0  # standard deviations of Lambda^2 over draws of the weights
x_min, x_max, R = letters("x_min x_max R")
z_n, omega_n, b = letters("z_n omega_n b")
w1, w2 = sp.symbols("w1 w2", real=True)
tau, tau_star, h, d, omega, alpha, t_star = letters("tau tau_star h d omega alpha t_star")
FASTEST = 2  # of the attractors of the stripe in five dimensions


def is_closest_point(vector: sp.Eq) -> tuple[Step, ...]:
    """The vector with components z_n lies on the hyperplane, and is as long as the distance of it; two dimensions."""
    first, second = (
        solved(vector, z_n).subs({omega_n: w, omega**2: w1**2 + w2**2}) for w in (w1, w2)
    )
    return (
        Step(
            "preactivation there",
            (w1 * first + w2 * second) / sp.sqrt(d) + b,
            sp.S.Zero,
            "it is on the hyperplane",
        ),
        Step(
            "its length",
            first**2 + second**2,
            d * b**2 / (w1**2 + w2**2),
            "distance of a plane from the origin",
        ),
    )


def time_constants() -> list[dict[str, Any]]:
    """Tau from the slope of one active neuron's output in a hidden weight, for h = 10000 and d = 5, and others."""
    cases = []
    for width, inputs in ((10_000, 5), (3, 2)):
        # one neuron, which is active
        weights, point = (np.full((1, inputs + 2), 0.7), np.full((1, inputs), 0.5))
        slope = slopes(lambda w, at=point: outputs(w, at)[0], weights)[0, 0] / width  # type: ignore[misc]
        cases.append({"h": width, "d": inputs, "tau": 0.7 * 0.5 / slope})
    return cases


@cache
def growth_rate(index: int) -> float:
    """Of the product beta omega_1, which the predictor is made of, on an attractor of the stripe; integrated."""
    path = path_from(index, 0.0, 20.0, 22.0)  # per tau
    return math.log((path[2, 0] * path[2, -1]) / (path[1, 0] * path[1, -1])) / 2


def printed_rate(balance: Scales, index: int) -> float:
    """Rate of the growth that the balance states, per tau; it states none if it is not proportional to alpha."""
    if sp.simplify(alpha * sp.diff(sp.log(balance.lhs / balance.rhs), alpha)) != 1:
        return math.nan
    rate = sp.diff(sp.expand_log(sp.log(balance.lhs / balance.rhs), force=True), t_star)
    return float(2 * rate.subs({tau: 2, tau_star: 2 * attractors(STRIPE, 5)[index].growth_time}))


def solves_the_balance(time: Scales) -> bool:
    """T* from exp(2 t*/tau*) alpha c = 1, tau* ~ tau, is a multiple of what is printed as alpha goes to 0."""
    u, c, multiple = sp.symbols("u c multiple", positive=True)
    exact = multiple * tau / 2 * (sp.log(1 / alpha) - sp.log(c))
    ratio = (exact * time.lhs / (t_star * time.rhs)).subs(alpha, sp.exp(-u))
    return bool(sp.limit(ratio, u, sp.oo).free_symbols == {multiple})


def right_boundary(left: float) -> float:
    """Where the probability of the stripe reaches one half; bisection of the normal distribution function."""
    low, high = left, 5.0
    middle = (low + high) / 2
    while low < middle < high:
        low, high = (
            (middle, high) if special.ndtr(middle) - special.ndtr(left) < 0.5 else (low, middle)
        )
        middle = (low + high) / 2
    return high


def boundaries() -> list[dict[str, Any]]:
    """Both boundaries of stripes of equiprobable labels; first the paper's."""
    return [{"x_min": x_min, "x_max": right_boundary(x_min)} for x_min in (-0.3, -1.2, -0.05)]


def boundaries_agree(numbers: sp.Tuple) -> bool:
    """The second boundary from the first, by bisection of the probability of the stripe, to the printed digits."""
    left, right = solved(numbers[0], x_min), solved(numbers[1], x_max)
    return has_digits(right_boundary(float(left)), right)


def radius_agrees(numbers: sp.Tuple) -> tuple[Step | Check, ...]:
    """The radius within which half of the data fall, exactly and to the printed digits."""
    exact, rounded = (solved(number, R) for number in numbers)
    return (
        *equiprobable_radius(2).steps[:1],
        Step("probability inside", sp.Subs(1 - sp.exp(-(R**2) / 2), R, exact), sp.Rational(1, 2)),
        Check("it is positive", lambda: exact.is_positive),
        Check("digits", lambda: has_digits(math.sqrt(-2 * math.log(0.5)), rounded)),
    )


def global_factor(width: int, dimension: int = 5) -> float:
    """Lambda of Eq. (9) for unit Gaussian weights."""
    squares = np.random.default_rng(0).normal(size=(width, dimension)) ** 2
    return math.sqrt((dimension - 1) * squares[:, 0].sum() / squares[:, 1:].sum())


def starts_at_one(start: sp.Eq) -> bool:
    """Unit Gaussian weights of 10 to 100,000 neurons: within the scatter, which vanishes in wide networks."""
    value = float(solved(start, Lambda_at(0)))
    # Variance of the ratio of a mean of h squares to one of h (d - 1) squares, each with variance 2; d = 5.
    scatter = {width: ERRORS * math.sqrt(2 / width * (1 + 1 / 4)) for width in (10, 1000, 100_000)}
    return value > 0 and for_all(
        scatter, lambda h: bool(abs(global_factor(h) ** 2 - value**2) < scatter[h])
    )


def time_to_fit(scale: float) -> float:
    """Time at which y F first is one at a point of a small network, along Eq. (2); Euler steps of 1/200 of 1/alpha."""
    training = Training(0, scale)
    training.weights = training.initial.copy()
    step, time = 1 / (200 * scale), 0.0
    while (training.labels * training.predictor(training.weights)).max() < 1:
        training.weights = training.weights + step * training.printed_descent()
        time += step
    return time


def relation_at_the_time() -> str:
    """A small network along Eq. (2): when a tenth of its points first exceed one, at how many y F is equal to it."""
    training = Training(0, 1e3)
    training.weights = training.initial.copy()
    margins = training.labels * training.predictor(training.weights)
    while (margins > 1).mean() < 0.1:
        training.weights = training.weights + training.printed_descent() / 2e4
        margins = training.labels * training.predictor(training.weights)
    return "equality" if (margins == 1).mean() >= 0.1 else "inequality"


def falls_as_alpha(scaling: Scales) -> bool:
    """Whether both sides are in proportion at two large scales of the predictor."""
    few, many = (
        float((scaling.lhs / scaling.rhs).subs({alpha: n, t_star: time_to_fit(n)}))
        for n in (10**3, 10**4)
    )
    return is_close(few, many, LAZY)


PROGRAMS: Programs = {
    "footnote 2": numerically(boundaries, tolerance=1e-12),
    "3 model": declaring(deciding(boundaries_agree), "= ≈"),
    "footnote 4": declaring(radius_agrees, "= ≈"),
    "2.4 tau | 3.2.1 tau": numerically(time_constants, tolerance=1e-8),
    "2.4 z": is_closest_point,
    "2.4 predictor": Program(
        declaring(
            deciding(
                lambda balance, i: bool(abs(printed_rate(balance, i) - growth_rate(i)) < 1e-6),
                "alpha times products of two weights, integrated on all attractors",
                lambda: range(3),
            ),
            "~",
        ),
        lambda attractor: growth_rate(attractor),
        value=lambda balance, attractor: printed_rate(balance, attractor),
        tolerance=1e-6,
        at={"attractor": FASTEST},
        quantity="rate of growth on the fastest attractor, per tau; the paper's stripe, d = 5",
    ),
    "2.4 logarithm": declaring(deciding(solves_the_balance), "~"),
    "(9) at time 0": deciding(starts_at_one),
    "4 equality": Program(
        stating(relation=relation_at_the_time),
        lambda: float(relation_at_the_time() == "equality"),
        value=lambda claim: float(claim["relation"] == "equality"),
        quantity="whether y F is one at a tenth of the points when it first exceeds one there",
    ),
    "B lazy time": declaring(deciding(falls_as_alpha), "~"),
}
