"""Decisions on numbers that are not normal: equal, few-valued, bounded, skewed, of predictions that differ or are 0."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bridge.validity.decision import IMPATIENT, decide
from bridge.validity.prediction import Prediction, as_prediction
from tests.calibration.decisions import Drawn, at_the_edge, discrete, shares

RUNS = 12  # of ten examples


def numbers(values, predicted=1.0, **settings):
    """The claim that numbers have this prediction, and the numbers as its configuration."""
    claim = Drawn("numbers", "", compare=None, is_relative=False, predicted=predicted, **settings)
    return claim, np.asarray(values, float)


@pytest.mark.parametrize("sign", [-1, 1])
def test_rare_numbers_that_carry_the_mean_raise_no_alarm(sign):
    """Of 1,000 such runs 985 raised one when a few equal seeds were enough."""
    assert at_the_edge("a tenth far away", sign, RUNS, seed=1).alarms <= 1 / RUNS


@pytest.mark.parametrize("name", ["indicator of mean 0.9", "indicator of mean 0.97"])
def test_an_indicator_of_the_predicted_mean_never_fails(name):
    """Of 1,000 runs of ten examples 860 did when equal seeds counted as a constant."""
    assert discrete(name, RUNS // 2, seed=1).fails == 0


def test_an_indicator_is_decided_by_an_interval_for_bounded_numbers(rng):
    draws = rng.random(400) < 0.5
    claim, values = numbers(draws, predicted=0.9, most=400)
    decision = decide(claim, values, 0.05)
    assert decision.holds is False
    assert len(decision.measured) < 64
    true, values = numbers(np.ones(400), predicted=0.97, most=400)
    assert decide(true, values, 0.05).holds is True


def test_equal_numbers_decide_nothing_and_say_what_is_needed():
    claim, values = numbers([3.0] * 60 + [4.0] * 4, predicted=3.0)
    decision = decide(claim, values, 0.05)
    assert decision.holds is None
    assert "more than half of 64 numbers are equal" in decision.comparison
    assert "needs bounds=" in decision.comparison
    bounded = replace(claim, bounds=(0.0, 10.0))
    assert decide(bounded, values, 3.0).holds is True
    assert "64 seeds see a deviation of" in decide(bounded, values, 0.05).comparison


def test_a_law_without_scatter_is_decided_by_what_it_gives_once():
    claim, values = numbers([1.05] * 8, varies=False)
    assert decide(claim, values, 0.1).holds is True
    assert decide(claim, values, 0.01).holds is False
    with pytest.raises(ValueError, match=r"varies: got networks of numbers that differ"):
        decide(claim, np.array([1.0, 1.1, 1.0, 1.0]), 0.1)


@pytest.mark.parametrize(
    ("bounds", "values", "message"),
    [
        ((0.0, 1.0), [0.5, 1.5, 0.2, 0.4], "bounds: got numbers from 0.2 to 1.5"),
        ((1.0, 0.0), [], "bounds: got"),
        ((0.0, np.inf), [], "bounds: got"),
    ],
)
def test_bounds_are_checked(bounds, values, message):
    with pytest.raises(ValueError, match=message):
        decide(*numbers(values, bounds=bounds), 0.1)


def test_bounds_need_one_prediction():
    claim = replace(as_prediction(lambda config, seed: (0.1 * seed, 0.5)), bounds=(0.0, 1.0))
    with pytest.raises(ValueError, match="bounds: got predictions of <lambda> that differ"):
        decide(claim, None)


def scattered(config, seed):
    """Networks agree with their own predictions to 0.7 %; predictions differ by factors."""
    rng = np.random.default_rng([seed, 5])
    predicted = float(rng.lognormal())
    return predicted, predicted * (1 + config + 0.007 * rng.normal())


def test_predictions_that_differ_between_networks_are_no_noise():
    claim = as_prediction(scattered)
    for bias, holds in ((0.0, True), (0.05, True), (0.2, False)):
        decision = decide(claim, bias, 0.1, 0.05, patience=IMPATIENT)
        assert decision.holds is holds
        assert len(decision.measured) <= 8
        number = decision.number
        assert number.deviation / number.predicted == pytest.approx(bias, abs=0.01)
        assert number.verdict in (
            ("agrees", "differs by less than matters") if holds else ("disagrees",)
        )


def test_a_prediction_of_zero_has_a_resolution_in_its_own_unit(rng):
    draws = 0.02 * rng.normal(size=64)
    claim = Prediction("zero", "", lambda config, seed: (0.0, config + draws[seed]))
    assert decide(claim, 0.0, 0.1).holds is True
    assert decide(claim, 1.0, 0.1).holds is False
    with pytest.raises(ValueError, match="resolution: got none, needs the smallest relevant"):
        decide(claim, 0.0)
    mixed = Prediction("mixed", "", lambda config, seed: (float(seed % 2), 1.0 + draws[seed]))
    assert np.isnan(decide(mixed, None, 0.1).deviations).any()


def test_what_undecided_seeds_see_is_seen_four_times_out_of_five(rng):
    claim, values = numbers(1.05 + 0.2 * rng.normal(size=64))
    undecided = decide(claim, values, 0.1)
    assert undecided.holds is None
    assert (
        f"64 seeds see a deviation of {0.1 * undecided.visible:.3g} here" in undecided.comparison
    )
    draws = 1 + 0.1 * undecided.visible + 0.2 * rng.normal(size=(8, 10, 160))
    fails = np.mean([
        decide(claim, row, 0.1, undecided.level).holds is False for row in draws.reshape(-1, 160)
    ])  # fmt: skip
    assert 0.65 < fails < 0.95
    relative = replace(claim, is_relative=True)
    assert "seeds see a factor of 1." in decide(relative, values, 0.1).comparison


def test_a_claim_that_holds_by_far_is_decided_soon(rng):
    found = shares(1.0, 1 + 0.1 * rng.normal(size=(2, 10, 160)), 1.0)
    assert (found.holds, found.fails) == (1.0, 0.0)
    claim, values = numbers(1 + 0.1 * rng.normal(size=64))
    assert 17 <= len(decide(claim, values, 1.0).measured) <= 24  # which a share of 0.3 is among
    assert len(decide(claim, values, 1.0, patience=IMPATIENT).measured) < 17


@pytest.mark.parametrize(("resolution", "holds"), [(0.08, False), (0.2, True)])
def test_deviations_of_bounded_numbers_are_in_units_of_the_resolution(resolution, holds):
    claim, values = numbers([0.5] * 400, predicted=0.4, bounds=(0.0, 1.0), most=400)
    assert decide(claim, values, resolution).holds is holds
