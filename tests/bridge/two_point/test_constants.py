"""Time constants as rates, with their covariance, and one of them known."""

from __future__ import annotations

import json

import numpy as np
import pytest

import bridge

NOISE = 0.01


@pytest.fixture
def noisy(draw):
    """A case with noise, in the columns of 300 points."""
    rng = np.random.default_rng(5)
    case = draw(rng, noise=0.0)
    scales = {
        name: NOISE * np.ptp(column) * (name != "t") for name, column in case.columns.items()
    }
    columns = {}
    for name, column in case.columns.items():
        noise = rng.normal(size=column.size) * (
            np.arange(column.size) > 0
        )  # the first point is exact
        columns[name] = column + scales[name] * noise
    return case, columns


def test_rates_are_reciprocals_with_the_same_relative_error(noisy):
    case, columns = noisy
    fit = bridge.two_point.fit(columns, **case.data)
    of_encoder = fit.learning_rates["encoder"]
    assert of_encoder.value * fit.tau_h == pytest.approx(1)
    assert of_encoder.error / of_encoder.value == pytest.approx(fit.errors["tau_h"] / fit.tau_h)
    assert np.sqrt(np.diagonal(fit.covariance)) == pytest.approx(
        [fit.errors["tau_h"], fit.errors["tau_y"]]
    )
    correlation = fit.covariance[0, 1] / np.sqrt(np.prod(np.diagonal(fit.covariance)))
    assert correlation == pytest.approx(fit.correlation)
    numbers = json.loads(json.dumps(fit.to_dict()))
    assert numbers["learning_rates"]["decoder"]["value"] * numbers["tau_y"] == pytest.approx(1)


def test_the_covariance_over_seeds_has_the_errors_on_its_diagonal(noisy):
    case, columns = noisy
    rng = np.random.default_rng(1)
    several = {
        name: np.tile(column, (3, 1))
        + (name != "t") * NOISE / 10 * rng.normal(size=(3, len(column)))
        for name, column in columns.items()
    }
    fit = bridge.two_point.fit(several, **case.data)
    assert np.sqrt(np.diagonal(fit.covariance)) == pytest.approx(
        [fit.errors["tau_h"], fit.errors["tau_y"]]
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["tau_h", "tau_y"])
@pytest.mark.parametrize("initial", ["data", "fit", "auto"])
def test_a_known_constant_stays_and_the_other_one_is_the_best_beside_it(noisy, name, initial):
    case, columns = noisy
    free = bridge.two_point.fit(columns, initial=initial, **case.data)
    known = 1.1 * getattr(free, name)
    fit = bridge.two_point.fit(columns, initial=initial, fixed={name: known}, **case.data)
    other = {"tau_h": "tau_y", "tau_y": "tau_h"}[name]
    assert getattr(fit, name) == known
    assert fit.errors[name] == 0 < fit.errors[other]
    assert fit.loss > free.loss
    assert "known" in fit.summary()
    if fit.initial == "data":  # then the sum of squares depends on the other constant alone
        state, elapsed = fit.trace.state, fit.trace.elapsed
        for factor in (0.999, 1.001):
            pair = {name: known, other: factor * getattr(fit, other)}
            tau = np.array([[pair["tau_h"], pair["tau_y"]]])
            begin = np.array([fit.initial_state])
            curves = fit.law.curves(elapsed, tau, begin, fit.trace.dx2, fit.trace.target2)[0]
            assert ((curves - state) ** 2).sum() > fit.loss


def test_a_constant_known_at_its_best_value_leaves_the_fit_where_it_is(noisy):
    case, columns = noisy
    free = bridge.two_point.fit(columns, **case.data)
    fit = bridge.two_point.fit(columns, fixed={"tau_y": free.tau_y}, **case.data)
    assert fit.tau_h == pytest.approx(free.tau_h, rel=1e-4)
    share = (
        1 - free.correlation**2
    )  # of the variance that is left when the other constant is known
    assert fit.errors["tau_h"] == pytest.approx(free.errors["tau_h"] * np.sqrt(share), rel=0.2)


@pytest.mark.parametrize(
    "fixed", [{"tau": 3}, {"tau_h": 1, "tau_y": 2}, {"tau_h": -1}, {"tau_y": "3"}, [3]]
)
def test_a_wrong_known_constant_is_named(noisy, fixed):
    case, columns = noisy
    with pytest.raises((TypeError, ValueError), match=r"^fixed"):
        bridge.two_point.fit(columns, fixed=fixed, **case.data)
