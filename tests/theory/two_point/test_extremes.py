"""Tests of digits where terms nearly cancel, against the linear core of the system in 700 digits."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from tests.oracles import two_point_exact
from theory import two_point

# Rates of up to 700/time go into exponentials, which multiplies their rounding.
DIGITS = 1e-12


def states(count: int, seed: int, decades: float) -> list[tuple[float, ...]]:
    """Times, initial states and data over some decades; a third of the outputs along their target."""
    draw = np.random.default_rng(seed)
    found = []
    while len(found) < count:
        t, dh2, dy2, tau_h, tau_y, dx2, target2 = 10 ** draw.uniform(-decades, decades, 7)
        share = draw.choice([draw.uniform(-1, 1), 1.0, -1.0]) * 0.999999
        w = dy2 - share * np.sqrt(dy2 * target2)
        if (dy2 - w) ** 2 < dy2 * target2:
            found.append((t, dh2, dy2, w, tau_h, tau_y, dx2, target2))
    return found


def close(found: float, exact: mpmath.mpf) -> bool:
    return abs(exact) < 1e-290 or abs(found - exact) <= DIGITS * abs(exact)


@pytest.mark.parametrize("decades", [0.5, 2, 4])
def test_trajectories_keep_their_digits(decades: float) -> None:
    for point in states(60, int(10 * decades), decades):
        exact = two_point_exact.state(*point)
        found = two_point.trajectory(*point)
        assert all(close(one, other) for one, other in zip(found, exact, strict=False)), point


def test_the_alignment_at_the_end_and_from_a_learned_state() -> None:
    """Both of its terms fade alike; and at first it may be far below what it is a difference of."""
    for point in (
        (
            0.0520440083,
            0.0339722507,
            1.6608771618,
            2.0556652274,
            0.38801871,
            318.5389082672,
            658.647792389,
            0.3828935984,
        ),
        (
            0.0054337796,
            1.2315936893e-05,
            0.48722390215,
            -1.5745257057e-12,
            1.05944,
            1.501154,
            9.0744523e-08,
            0.7054264,
        ),
        (
            7.397,
            3.9789404780e-12,
            1.8433185834,
            -4.9319706674e-12,
            4.348e11,
            2.4608e8,
            0.3134,
            1.1324e7,
        ),
    ):
        exact = two_point_exact.state(*point)[2]
        assert two_point.trajectory(*point)[2] == pytest.approx(float(exact), rel=DIGITS)


def test_the_loss_late_in_training() -> None:
    """It fades to 1e-30, twice as fast as the two numbers that it is the difference of."""
    start = (0.3, 0.2, 0.1, 2.0, 3.0, 0.7, 1.3)
    for t in (0.5, 10.0, 60.0, 200.0):
        exact = two_point_exact.state(t, *start)[3] / 8
        assert two_point.loss(t, *start, 1.0, 0.0) == pytest.approx(float(exact), rel=1e-10)
