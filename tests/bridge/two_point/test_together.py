"""Tests that traces fitted together have the results that each has alone, whatever the others are."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from bridge.two_point import estimate, trajectories
from bridge.two_point.alternatives import EFFECTIVE
from bridge.two_point.forecast import deviations
from bridge.two_point.result import TwoPointFit
from bridge.two_point.trace import Trace, read
from theory import two_point as theory

T = np.linspace(0, 60, 301)


def trace_of(seed: int, points: int = 301, noise: float = 0.0) -> Trace:
    """Return a trace of the theory that is bent, so that its residuals are neither zero nor white."""
    rng = np.random.default_rng(seed)
    dh2, dy2 = rng.uniform(0.01, 0.1, size=2)
    curves = theory.trajectory(T, dh2, dy2, dy2, *rng.uniform(2, 6, size=2), 1.0, 0.5)
    curves *= 1 + 0.05 * np.sin(T / rng.uniform(5, 9))
    curves += noise * rng.normal(size=curves.shape)
    columns = dict(zip(("t", "dh2", "dy2", "w"), (T[:points], *curves[:, :points]), strict=True))
    (trace,) = read(columns, dx2=1.0, target2=0.5)
    return replace(trace, label=f"seed {seed}", exact=not noise)


def overflowing() -> Trace:
    trace = trace_of(9)
    state = trace.state.copy()
    state[0, 0] = 1e-320
    return replace(trace, state=state)


def impossible() -> Trace:
    trace = trace_of(8)
    state = trace.state.copy()
    state[0, 0] = -1.0
    return replace(trace, state=state)


MANY = [
    trace_of(0),
    trace_of(1, 90),
    overflowing(),
    trace_of(2, noise=1e-3),
    impossible(),
    trace_of(3),
    trace_of(4, 150),
]


def assert_same(one, other):
    assert type(one) is type(other)
    if not isinstance(one, TwoPointFit):
        assert str(one) == str(other)
        return
    for name in ("tau_h", "tau_y", "errors", "warnings", "initial", "initial_state"):
        assert getattr(one, name) == getattr(other, name), name
    for part in fields(one.estimate):
        np.testing.assert_array_equal(*(getattr(fit.estimate, part.name) for fit in (one, other)))


@pytest.mark.parametrize("law", ["effective", pytest.param("square", marks=pytest.mark.slow)])
def test_each_fit_is_the_one_it_has_alone_next_to_traces_that_fail(law):
    alone = [one for trace in MANY for one in estimate.fit_traces(law, [trace], "data")]
    together = estimate.fit_traces(law, MANY, "data")
    assert [isinstance(one, TwoPointFit) for one in together].count(True) >= 5
    assert isinstance(together[4], ValueError)
    for one, other in zip(alone, together, strict=True):
        assert_same(one, other)


def test_one_overflow_takes_no_other_trace_out_of_the_common_search(monkeypatch):
    sizes, through = [], trajectories.through
    monkeypatch.setattr(
        trajectories, "through", lambda law, traces, begins: sizes.append(len(traces)) or through(law, traces, begins)
    )
    good = [trace_of(seed) for seed in range(4)]
    with pytest.raises(ArithmeticError):
        through(EFFECTIVE, [overflowing()], overflowing().state[None, :, 0])
    found = estimate._through(EFFECTIVE, [*good, overflowing()], [one.state[:, 0] for one in [*good, overflowing()]])
    assert [isinstance(one, ArithmeticError) for one in found] == [False] * 4 + [True]
    assert sizes == [5, 2, 3, 1, 2, 1, 1]


def test_drift_of_several_fits_is_that_of_each():
    fits = estimate.fit_traces("effective", [trace_of(5), trace_of(6, 200), trace_of(7)])
    for fit, root in zip(fits, deviations(fits), strict=True):
        np.testing.assert_array_equal(root, deviations([fit])[0])
