"""Claims of finite width: exact ones hold, planted errors are found, and the map has the exact boundary."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import bridge
from bridge.finite_width import claims
from bridge.results.quantity import quantities
from bridge.validity import recorded
from bridge.validity.decision import decide
from empirics import experiments
from empirics.experiments.finite_width import Config

OF_TWO_INPUTS = (claims.COVARIANCE_XX_XY, claims.COVARIANCE_XY_XY, claims.COVARIANCE_XX_YY)
EXACT = (
    claims.EXACT_SPREAD,
    claims.KURTOSIS,
    claims.TANGENT_MEAN,
    claims.TANGENT_VARIANCE,
    *OF_TWO_INPUTS,
)
FRESH = 5000  # seeds that nothing else uses


@pytest.mark.sampled(3)
@pytest.mark.parametrize("claim", EXACT, ids=[claim.name for claim in EXACT])
def test_what_is_exact_holds_at_a_width_of_twenty(claim):
    config = claim.base.changed(width=20, depth=1, networks=4000)
    assert decide(claim, config, 0.1, first_seed=FRESH).holds is True


PLANTED = (claims.EXACT_SPREAD, claims.KURTOSIS, OF_TWO_INPUTS[1])


@pytest.mark.sampled(3)
@pytest.mark.parametrize("claim", PLANTED, ids=[claim.name for claim in PLANTED])
def test_a_planted_error_of_a_third_is_found(claim):
    def wrong(trace):
        predicted, measured = claim.compare(trace)
        return 4 / 3 * predicted, measured

    planted = dataclasses.replace(claim, compare=wrong)
    assert (
        decide(
            planted, claim.base.changed(width=100, depth=1, networks=2000), 0.1, first_seed=FRESH
        ).holds
        is False
    )


def test_the_first_order_of_relu_is_far_off_where_the_exact_formula_says_so():
    """At width 10 and three layers, exact over first order is (1.5^3 - 1)/1.5 = 1.58."""
    trace = experiments.run(
        claims.RELU.changed(width=10, networks=10_000, seeds=4), progress=False
    )
    predicted, measured = claims.kernel_spread(trace)
    assert predicted == pytest.approx(1.5)
    assert np.mean(measured) / predicted == pytest.approx(1.58, rel=0.1)


@pytest.mark.parametrize(
    "config", [Config("sin"), Config("relu", bias_variance=0.1), Config("gelu")]
)
def test_a_network_of_no_rectifiers_has_no_exact_spread(config):
    trace = experiments.run(config.changed(networks=3, seeds=2), progress=False)
    for claim in (claims.EXACT_SPREAD, claims.KURTOSIS, claims.TANGENT_MEAN):
        predicted, measured = claim.compare(trace)
        assert np.isnan(predicted)
        assert np.isnan(measured).all()


@pytest.mark.parametrize(
    ("act", "sides"),
    [("relu", (1, 0)), ("leaky_relu", (1, 0.01)), ("linear", (1, 1)), ("Abs(z)", (1, -1))],
)
def test_slopes_of_rectifiers(act, sides):
    assert claims.slopes(Config(act)) == pytest.approx(sides)


def test_every_quantity_is_one_of_the_analysis():
    configs = {
        "relu": Config("relu", 10, 1, networks=50),
        "two": Config("sin", 10, 2, bias_variance=0.1, networks=50, other_norm=2.0),
    }
    traces = {label: experiments.run(config, progress=False) for label, config in configs.items()}
    analysis = bridge.analyse("finite-width", traces)
    assert {number.quantity for number in analysis.measured} == set(quantities("finite_width"))


def boundary(width, depth):
    """Whether the first order of ReLU at C = 2 is within a tenth of the exact spread."""
    return abs(((1 + 5 / width) ** depth - 1) / (5 * depth / width) - 1) <= 0.1


@pytest.mark.skipif(
    "finite-width-first-order" not in recorded.recorded(), reason="no map was recorded"
)
def test_the_recorded_map_of_relu_has_the_exact_boundary():
    region = recorded.read(recorded.recorded()["finite-width-first-order"])
    answers = [
        (
            region.holds(width=int(width), depth=depth, activation="relu"),
            boundary(int(width), depth),
        )
        for depth in range(1, 11)
        for width in np.unique(np.round(np.geomspace(10, 400, 60)).astype(int))
    ]
    decided = [(holds, truth) for holds, truth in answers if holds is not None]
    assert len(decided) >= 0.8 * len(answers)
    # each place is decided at a level of its own
    assert np.mean([holds == truth for holds, truth in decided]) >= 0.99
