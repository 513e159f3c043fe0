"""Tests of the initial state of noisy traces: a run and a noisy version of it give nearly the same constants."""

from __future__ import annotations

import numpy as np
import pytest

import bridge
from bridge.fit.estimate import Beginning, estimate


@pytest.fixture(scope="module")
def slowed(trace_maker):
    """A run that slows down half-way, which no choice of the two constants can follow; and its data."""
    trace = trace_maker(seeds=(0,), slowed=0.4)
    curves = np.stack([trace[name].values.reshape(-1) for name in ("dh2", "dy2", "w")])
    return trace["step"].values.astype(float), curves, {"dx2": 1.0, "target2": 0.5}


def fitted(slowed, noise, seed=0, **options):
    t, curves, data = slowed
    seen = curves + noise * np.ptp(curves, axis=1)[:, None] * np.random.default_rng(seed).normal(
        size=curves.shape
    )
    return bridge.two_point.fit(
        dict(zip(("t", "dh2", "dy2", "w"), (t, *seen), strict=True)), **data, **options
    )


@pytest.mark.parametrize(
    ("noise", "allowed"),
    [
        (1e-6, 0.001),
        (1e-2, 0.1),
        *(pytest.param(*case, marks=pytest.mark.slow) for case in ((1e-4, 0.003), (1e-3, 0.02))),
    ],
)
def test_a_little_noise_changes_little(slowed, noise, allowed):
    clean = fitted(slowed, 0.0)
    assert clean.initial == "data"
    for seed in range(2):
        noisy = fitted(slowed, noise, seed)
        assert noisy.initial == "drawn"
        assert noisy.tau_h == pytest.approx(clean.tau_h, rel=allowed)
        assert noisy.tau_y == pytest.approx(clean.tau_y, rel=allowed)


@pytest.mark.slow
def test_where_the_theory_holds_the_beginning_is_free(draw):
    for index in range(10):
        case = draw(np.random.default_rng([9, index]), noise=0.02)
        auto = bridge.two_point.fit(case.columns, **case.data)
        free = bridge.two_point.fit(case.columns, initial="fit", **case.data)
        assert auto.initial == "fit"
        assert auto.tau_h == free.tau_h


def test_a_clean_and_a_noisy_version_of_a_trace_of_the_theory_agree(draw):
    """For 200 points in time; with few, noise cannot be told from the curve, and the first point is taken as exact."""
    for index in range(2):
        case = draw(np.random.default_rng(index), noise=0.0, points=200)
        drawn = (
            np.random.default_rng(100 + index).normal(size=case.clean.shape)
            * np.ptp(case.clean, axis=1)[:, None]
        )
        for noise, allowed in ((0.0, 1e-6), (1e-4, 3e-3), (1e-3, 2e-2), (1e-2, 6e-2)):
            columns = dict(zip(("dh2", "dy2", "w"), case.clean + noise * drawn, strict=True))
            fit = bridge.two_point.fit({"t": case.columns["t"], **columns}, **case.data)
            assert (fit.tau_h, fit.tau_y) == pytest.approx((case.tau_h, case.tau_y), rel=allowed)


def test_a_first_point_that_noise_made_negative_is_no_error(clean_case):
    columns = {name: column.copy() for name, column in clean_case.columns.items()}
    columns["dy2"][0] = -1e-9
    fit = bridge.two_point.fit(columns, **clean_case.data)
    assert fit.initial in ("fit", "drawn")
    assert fit.tau_h == pytest.approx(clean_case.tau_h, rel=1e-3)


def line(parameters):
    """``[set, 1, time]``: a + b t."""
    return (parameters[:, :1] + parameters[:, 1:] * np.arange(20.0))[:, None, :]


def test_a_known_beginning_is_one_more_observation(rng):
    """Ordinary least squares with a heavier row, by hand."""
    observed = (1 + 0.5 * np.arange(20.0) + 0.1 * rng.normal(size=20))[None]
    known = Beginning(values=np.array([1.1]), errors=np.array([0.02]), weights=np.array([25.0]))
    bounds = {"lower": np.full(2, -9.0), "upper": np.full(2, 9.0)}
    found = estimate(
        line, np.arange(20.0), observed, np.array([0.9, 0.4]), **bounds, beginning=known
    )
    design = np.concatenate([np.stack([np.ones(20), np.arange(20.0)], axis=1), [[5.0, 0.0]]])
    target = np.append(observed[0], 5 * 1.1)
    expected = np.linalg.lstsq(design, target, rcond=None)[0]
    assert found.parameters == pytest.approx(expected, rel=1e-6)
    assert found.residuals.shape == (1, 20)
    left = ((design[:20] @ expected - observed[0]) ** 2).sum() / 18
    inverse = np.linalg.inv(design.T @ design)
    meat = left * design[:20].T @ design[:20] + (25 * 0.02) ** 2 * np.outer([1, 0], [1, 0])
    assert found.covariance == pytest.approx(inverse @ meat @ inverse, rel=1e-4)
