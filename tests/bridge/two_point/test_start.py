"""Tests of the starting values of a search, which are exact for dense traces without noise."""

from __future__ import annotations

import numpy as np
import pytest

import bridge
from bridge.two_point import start as start_module
from bridge.two_point.alternatives import Effective
from bridge.two_point.start import time_constants
from bridge.two_point.trace import read
from theory import two_point as theory

TAU_H, TAU_Y, DATA = 30.0, 12.0, {"dx2": 0.8, "target2": 1.3}
T = np.linspace(0, 400, 20_001)
STATE = theory.trajectory(T, 0.02, 0.001, 0.001, TAU_H, TAU_Y, **DATA)


def start(dh2, dy2, w):
    (trace,) = read({"t": T, "dh2": dh2, "dy2": dy2, "w": w}, **DATA)
    return time_constants(trace)


def test_a_dense_trace_gives_both_constants():
    assert start(*STATE) == pytest.approx((TAU_H, TAU_Y), rel=1e-5)


def test_the_final_distance_decides_where_the_outputs_do_not_follow_eq_24():
    dh2, dy2, w = STATE
    falling = np.r_[dy2[0], dy2[0] * np.linspace(1, 0, len(T) - 1)]
    assert start(dh2, falling, w) == pytest.approx((TAU_H, TAU_Y), rel=1e-5)


PLATEAU = np.linspace(0, 3000, 3001)
SLOW = (128.0, 25.0)  # time constants
LATE = theory.trajectory(PLATEAU, 1.25e-4, 1.3e-7, 2.5e-4, *SLOW, dx2=1.0, target2=0.5)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "wrong", [(1.2, 1.9), (0.75, 1.4), (1.0, 180.0), (0.8, 500.0), (2.2, 2.2)]
)
def test_a_poor_regression_does_not_end_in_another_valley(monkeypatch, wrong):
    """Curves that leave the plateau at the wrong time have a minimum of their own."""
    monkeypatch.setattr(
        start_module, "time_constants", lambda _: (wrong[0] * SLOW[0], wrong[1] * SLOW[1])
    )
    curves = dict(zip(("dh2", "dy2", "w"), LATE, strict=True))
    fit = bridge.two_point.fit({"t": PLATEAU, **curves}, dx2=1.0, target2=0.5, initial="data")
    assert (fit.tau_h, fit.tau_y) == pytest.approx(SLOW, rel=1e-6)


class Overflowing(Effective):
    """The theory, with curves that overflow for time constants below 20."""

    def curves(self, elapsed, tau, initial, dx2, target2):
        curves = super().curves(elapsed, tau, initial, dx2, target2)
        return np.where((tau < 20).any(axis=1)[:, None, None], np.nan, curves)


def test_curves_that_overflow_are_no_starts():
    (trace,) = read(
        dict(zip(("t", "dh2", "dy2", "w"), (PLATEAU, *LATE), strict=True)), dx2=1.0, target2=0.5
    )
    ((coarse, _),) = start_module.searches([trace], trace.state[None, :, 0], Overflowing())
    assert bool((coarse > np.log(20)).all())
