"""Tests of the third time constant, which is fitted to the loss (Eq. 9)."""

from __future__ import annotations

import json

import numpy as np
import pytest

import bridge


def with_loss(case, tau_mean, mean2_0, noise=0.0, rng=None):
    """The case's columns with the loss of Eq. (9), typed from the paper."""
    t, (_, dy2, w) = case.columns["t"], case.clean
    target2 = case.data["target2"]
    loss = mean2_0 / 2 * np.exp(-2 * t / tau_mean) + (w + (target2 - dy2) / 2) / 4
    return case.columns | {
        "loss": np.maximum(
            loss + (noise * np.ptp(loss) * rng.normal(size=t.size) if noise else 0), 0
        )
    }


def test_noiseless(clean_case):
    fit = bridge.two_point.fit(with_loss(clean_case, 70.0, 0.9), **clean_case.data)
    assert fit.tau_mean == pytest.approx(70, rel=1e-6)
    assert fit.mean.mean2_0 == pytest.approx(0.9, rel=1e-6)
    assert fit.predict_loss(clean_case.columns["t"]) == pytest.approx(
        with_loss(clean_case, 70.0, 0.9)["loss"], abs=1e-7
    )
    assert fit.mean.r_squared > 0.999999


@pytest.mark.slow
def test_errors_cover(draw):
    values = []
    for index in range(30):
        rng = np.random.default_rng([11, index])
        case = draw(rng)
        tau = float(case.columns["t"][-1] * rng.uniform(0.05, 0.3))
        fit = bridge.two_point.fit(
            with_loss(case, tau, case.data["target2"], 0.01, rng), **case.data
        )
        values.append(np.log(fit.tau_mean / tau) / (fit.errors["tau_mean"] / fit.tau_mean))
    assert (np.abs(values) < 3).mean() >= 0.96  # one of 30 may
    assert 0.43 < (np.abs(values) < 1).mean() < 0.94  # 0.683 +- 3 standard errors of 0.085


def test_the_recorded_output_mean_is_used_and_contradictions_are_said(clean_case):
    columns = with_loss(clean_case, 70.0, 0.81)
    import pandas as pd

    dataset = pd.DataFrame(columns).set_index("t").to_xarray()
    dataset["output_mean"] = (("t", "output"), np.full((3001, 1), 1.9))
    dataset.attrs |= clean_case.data | {"target_mean": json.dumps([1.0])}
    fit = bridge.two_point.fit(dataset)
    assert fit.mean.mean2_0 == pytest.approx(0.81)
    assert fit.warnings == ()
    dataset["loss"] = 2 * dataset["loss"]  # the mean squared error, not half of it
    assert any(
        "half the mean squared error" in warning
        for warning in bridge.two_point.fit(dataset).warnings
    )


def test_none_where_the_mean_starts_at_its_target(clean_case):
    fit = bridge.two_point.fit(with_loss(clean_case, 70.0, 0.0), **clean_case.data)
    assert fit.tau_mean is None
    assert "tau_mean" not in fit.errors
    assert any("tau_mean is not determined" in warning for warning in fit.warnings)
