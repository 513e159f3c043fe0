"""Tests of the starting values of a search, which are exact for dense traces without noise."""

from __future__ import annotations

import numpy as np
import pytest

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
