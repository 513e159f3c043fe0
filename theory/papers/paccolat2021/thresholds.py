r"""Section 3 and footnotes 2 and 4: the boundaries at which the two labels are equiprobable."""

from __future__ import annotations

import math

import sympy as sp
from scipy import special

from theory.compression.equiprobable import cylinder_radius
from theory.core import Check, Step
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.ledger.proving import has_digits
from theory.papers.paccolat2021.notation import letters

x_min, x_max, R = letters("x_min x_max R")


def right_boundary(left: float) -> float:
    """Where the probability of the stripe reaches one half; bisection of the normal distribution function."""
    low, high = left, 5.0
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if special.ndtr(middle) - special.ndtr(left) < 0.5 else (low, middle)
    return high


def halves_the_data(boundary: sp.Eq) -> tuple[Step, ...]:
    """The stripe has probability one half."""
    right = solved(boundary, x_max)
    probability = (sp.erf(right / sp.sqrt(2)) - sp.erf(x_min / sp.sqrt(2))) / 2
    return (Step("probability of the stripe", probability, sp.Rational(1, 2), "a unit Gaussian coordinate"),)


def boundaries_agree(numbers: sp.Tuple) -> tuple[Check, ...]:
    """The second number, from the first, to the printed digits."""
    left, right = solved(numbers[0], x_min), solved(numbers[1], x_max)
    return (Check("right boundary", lambda: has_digits(right_boundary(float(left)), right), "bisection"),)


def radius_agrees(numbers: sp.Tuple) -> tuple[Step | Check, ...]:
    """The radius within which half of the data fall, exactly and to the printed digits."""
    exact, rounded = (solved(number, R) for number in numbers)
    return (
        *cylinder_radius().steps[:1],
        Step("probability inside", 1 - sp.exp(-(exact**2) / 2), sp.Rational(1, 2), "distribution of the radius"),
        Check("it is positive", lambda: exact.is_positive, "a radius"),
        Check("digits", lambda: has_digits(math.sqrt(-2 * math.log(1 - 0.5)), rounded), "distribution of the radius"),
    )


PROGRAMS: Programs = {
    "footnote 2": Program(halves_the_data, lambda: right_boundary(-0.3), tolerance=1e-12),
    "3 model": boundaries_agree,
    "footnote 4": radius_agrees,
}
