"""Tests that traces fitted together have the results that each has alone, whatever the others are."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from bridge.fit import estimate as least_squares
from bridge.fit.outcome import together
from bridge.two_point import estimate, mean_output, trajectories
from bridge.two_point.alternatives import EFFECTIVE
from bridge.two_point.forecast import deviations
from bridge.two_point.result import TwoPointFit
from bridge.two_point.state import InitialState
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
    loss = (
        rng.uniform(0.1, 1) * np.exp(-T / rng.uniform(5, 20))
        + (2 * curves[2] - curves[1] + 0.5) / 8
        + 0.01
    )
    columns = dict(
        zip(
            ("t", "dh2", "dy2", "w", "loss"),
            (T[:points], *np.vstack([curves, loss])[:, :points]),
            strict=True,
        )
    )
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
    for name in ("tau_h", "tau_y", "mean", "errors", "warnings", "initial", "initial_state"):
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
    sizes, search = [], trajectories._searches
    monkeypatch.setattr(
        trajectories,
        "_searches",
        lambda law, pairs: sizes.append(len(pairs)) or search(law, pairs),
    )
    traces = [*(trace_of(seed) for seed in range(4)), overflowing()]
    states = [InitialState(trace.state[:, 0]) for trace in traces]
    outcomes = trajectories.through(EFFECTIVE, traces, states)
    assert [isinstance(outcome, ArithmeticError) for outcome in outcomes] == [False] * 4 + [True]
    assert sizes == [5, 1, 1, 1, 1, 1]


def test_a_mean_output_or_noise_that_fails_leaves_the_others(monkeypatch):
    good = [trace_of(seed) for seed in range(4)]
    alone = estimate.fit_traces("effective", good)
    assert all(one.mean for one in alone)

    def failing(compute, of):
        def checked(given):
            if len(given) > 1 or of(given[0]):
                raise ArithmeticError("planted")
            return compute(given)

        return checked

    monkeypatch.setattr(
        mean_output,
        "_search",
        failing(mean_output._search, lambda one: one.trace.label == "seed 2"),
    )
    monkeypatch.setattr(
        least_squares, "_noises", failing(least_squares._noises, lambda one: False)
    )
    together = estimate.fit_traces("effective", good)
    assert isinstance(together[2], ArithmeticError)
    for place in (0, 1, 3):
        assert_same(alone[place], together[place])


def test_equal_kinds_are_computed_together_in_their_order_and_errors_and_none_stay():
    sizes, failure = [], ValueError("before")
    given = [3, None, 10, 5, failure, 12, *range(100, 170)]

    def compute(several):
        sizes.append(len(several))
        if 5 in several:
            raise ArithmeticError("five")
        return [-one for one in several]

    found = together(compute, given, lambda one: one >= 10)
    assert isinstance(found[3], ArithmeticError)
    assert found[:3] + found[4:] == [-3, None, -10, failure, -12, *range(-100, -170, -1)]
    assert sizes == [2, 24, 24, 24, 1, 1]


def test_drift_of_several_fits_is_that_of_each():
    fits = estimate.fit_traces("effective", [trace_of(5), trace_of(6, 200), trace_of(7)])
    for fit, root in zip(fits, deviations(fits), strict=True):
        np.testing.assert_array_equal(root, deviations([fit])[0])
