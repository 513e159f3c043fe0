"""Tests of the subject: members of its family, and its claim wherever it is made."""

import pytest
from closedform_deep_linear.experiment import Config
from hypothesis import given, settings

import theory
from bridge.testing import require


@pytest.mark.parametrize("layers", [1, 2, 3, 6])
def test_steps_of_the_family_hold_and_rates_are_those_of_small_steps(layers):
    """One small step of gradient descent of every factor, without the formula."""
    form = theory.catalogue()["deep_linear.rate"](layers)
    assert {verdict.name for verdict in form.check().values()} == {"HOLDS"}
    s, a, tau, time = 2.0, 0.8, 3.0, 1e-6
    moved = a + time * a ** (layers - 1) * (s - a**layers) / tau
    rate = (moved**layers - a**layers) / time
    assert form(u=a**layers, s=s, tau=tau) == pytest.approx(rate, rel=1e-5)


# a time is told from the slowest mode, which needs to be learned within the steps
@settings(deadline=None, max_examples=5)
@given(Config.strategy(initial=(1e-4, 1e-2), width=(4, 32), noise=(0.01, 0.1)))
def test_half_times_hold_wherever_they_are_claimed(config):
    """On configurations that hypothesis draws, with fresh networks."""
    require("deep_linear.half_time", config)
