"""Intervals that hold at all times, and what their decisions cost: false alarms and power (docs/calibration.md)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bridge.statistics.anytime import mean_interval
from bridge.testing.requirement import SharedLevel, require, running
from bridge.validity.decision import decide
from bridge.validity.prediction import as_prediction

RUNS = 1000
EXAMPLES = 10
ALLOWED = 0.01
POWER = 0.99  # 64 seeds do not decide every example
SCATTERS = {
    "normal": lambda draw: draw.normal(),
    "exponential": lambda draw: draw.exponential() - 1,
    "Student's t, 3 degrees of freedom": lambda draw: draw.standard_t(3) / math.sqrt(3),
    "log-normal": lambda draw: (
        (draw.lognormal() - math.sqrt(math.e)) / math.sqrt(math.e * (math.e - 1))
    ),
}
WORST = {
    "normal": 0.01,
    "exponential": 0.05,
    "Student's t, 3 degrees of freedom": 0.01,
    "log-normal": 0.1,
}


def claim(bias, shape="normal", scatter=0.1):
    def simulated(config, seed):
        """One, with a bias and a scatter."""
        return 1.0, 1 + bias + scatter * SCATTERS[shape](np.random.default_rng([*config, seed]))

    return as_prediction(simulated)


def test_the_interval_is_that_of_the_likelihood_ratio():
    values = np.array([0.3, 0.5, 0.1, 0.4, 0.6, 0.2, 0.35, 0.45])
    low, high = mean_interval(values, 0.05)
    assert low + high == pytest.approx(2 * values.mean())
    prior, count = 0.1, len(values)
    t2 = (values.mean() - low) ** 2 / values.var(ddof=1) * count
    shrunk = 1 + t2 * prior / (prior + count) / (count - 1)
    log_ratio = (
        math.log(prior / (prior + count)) + count * math.log((1 + t2 / (count - 1)) / shrunk)
    ) / 2
    assert log_ratio == pytest.approx(math.log(1 / 0.05))


def test_few_numbers_and_few_equal_numbers_exclude_nothing():
    for values in ([1.0], [1.0, 2.0], [1.0] * 6):
        assert mean_interval(np.array(values), 0.01) == (-math.inf, math.inf)
    assert mean_interval(np.ones(7), 0.01) == (1.0, 1.0)


def test_all_intervals_of_a_sequence_hold_the_mean_together(rng):
    missed = 0
    for _ in range(200):
        values = rng.normal(size=40)
        intervals = [mean_interval(values[:count], 0.1) for count in range(2, 41)]
        missed += not all(low <= 0 <= high for low, high in intervals)
    assert missed <= 20


@pytest.mark.slow
@pytest.mark.parametrize("shape", SCATTERS)
def test_false_alarms_of_a_run_of_examples_at_the_edge_of_the_claim(shape):
    alarms = 0
    for number in range(RUNS):
        with running(SharedLevel()):
            try:
                for example in range(EXAMPLES):
                    require(
                        claim(0.1, shape).compare,
                        (number, example),
                        resolution=0.1,
                        false_alarm=ALLOWED,
                    )
            except AssertionError:
                alarms += 1
    print(f"{shape}: {alarms} of {RUNS}")
    assert alarms <= WORST[shape] * RUNS


@pytest.mark.slow
def test_power_against_twice_the_resolution():
    found = [decide(claim(0.2), (number, 0), 0.1, ALLOWED) for number in range(RUNS)]
    print(
        f"fails {sum(one.holds is False for one in found)}, seeds {np.mean([len(one.measured) for one in found]):.1f}"
    )
    assert sum(one.holds is False for one in found) >= POWER * RUNS
