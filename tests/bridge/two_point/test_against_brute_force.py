"""Tests of the fit against brute force: Eq. (7) integrated as printed, and a search without derivatives."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

import bridge

SEARCH = 2e-4  # relative: where Nelder and Mead's simplex ends


def test_same_minimum_and_same_fit_loss(integrate, rng):
    data, initial = {"dx2": 0.7, "target2": 1.3}, (0.1, 0.05, 0.05 - 0.15 * np.sqrt(1.3))
    t = np.linspace(0, 25, 50)
    clean = integrate(t, initial, 2.0, 3.0, **data)
    seen = clean + 0.01 * rng.normal(size=clean.shape)

    def fit_loss(logs):
        return float(
            ((integrate(t, initial, *np.exp(logs), **data, method="LSODA") - seen) ** 2).sum()
        )

    grid = np.log([2, 3]) + np.array([[i, j] for i in (-0.5, 0, 0.5) for j in (-0.5, 0, 0.5)])
    begin = min(grid, key=fit_loss)
    found = minimize(
        fit_loss, begin, method="Nelder-Mead", options={"xatol": 1e-5, "fatol": 1e-12}
    )
    columns = dict(zip(("t", "dh2", "dy2", "w"), (t, *seen), strict=True))
    fit = bridge.two_point.fit(columns, initial=initial, **data)
    assert fit.loss == pytest.approx(found.fun, rel=1e-6)
    assert [fit.tau_h, fit.tau_y] == pytest.approx(np.exp(found.x), rel=SEARCH)


def test_fit_loss_is_the_sum_over_epochs_of_three_squared_differences(clean_case):
    shifted = clean_case.columns | {"w": clean_case.columns["w"] + 0.01}
    fit = bridge.two_point.fit(shifted, initial=clean_case.initial, **clean_case.data)
    seen = np.stack([shifted[name] for name in ("dh2", "dy2", "w")])
    assert fit.loss == pytest.approx(
        float(((fit.predict(shifted["t"]) - seen) ** 2).sum()), rel=1e-10
    )
    spread = ((seen - seen.mean(axis=1, keepdims=True)) ** 2).sum()
    assert fit.r_squared == pytest.approx(1 - fit.loss / spread, rel=1e-10)


def test_errors_are_those_of_the_textbook_for_white_equal_noise(clean_case):
    """sigma^2 (J^T J)^-1 with a Jacobian from finite differences of the integrated equations would be the same."""
    rng = np.random.default_rng(5)
    seen = clean_case.clean + 0.01 * rng.normal(size=clean_case.clean.shape)
    columns = clean_case.columns | dict(zip(("dh2", "dy2", "w"), seen, strict=True))
    fit = bridge.two_point.fit(columns, initial=clean_case.initial, **clean_case.data)
    jacobian = fit.estimate.jacobian.reshape(-1, 2)
    covariance = 0.01**2 * np.linalg.inv(jacobian.T @ jacobian)
    # 9003 residuals: 1.5 %
    assert np.diag(fit.estimate.covariance) == pytest.approx(np.diag(covariance), rel=0.1)
