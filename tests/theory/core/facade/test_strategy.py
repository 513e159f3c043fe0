"""Strategies of points of a closed form: inside domains and conditions, by construction."""

from __future__ import annotations

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

import theory
from theory.core.numbers.arguments import in_domain

FORMS = theory.catalogue()
CONDITIONED = (  # by name, since to look for conditions is to build every closed form
    "collapse.noise_floor",
    "collapse.simplex_nc1_any_priors",
    "compression.compression_gain",
    "compression.tangent_kernel",
    "geometry.conformal_volume_factor",
    "geometry.nngp_kernel.relu",
    "leaky_resnet.depth_of_mean",
    "leaky_resnet.mode_fit_strength",
    "two_point.dh2",
    "two_point.rotating_dy",
)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["two_point.final_distance", *CONDITIONED])
def test_every_point_is_valid(name):
    form = FORMS[name]
    assert bool(form.conditions) == (name in CONDITIONED)

    @settings(max_examples=25, deadline=None, database=None)
    @given(form.strategy())
    def check(point):
        assert list(point) == [argument.name for argument in form.arguments]
        in_domain(form.arguments, list(point.values()), form.conditions)

    check()


def test_ranges_and_fixed_values_are_kept_and_integers_are_integers():
    form = FORMS["collapse.noise_floor"]

    @settings(max_examples=25, deadline=None, database=None)
    @given(form.strategy(samples=(400, 600), classes=3))
    def check(point):
        assert 400 <= point["samples"] <= 600
        assert point["classes"] == 3
        assert isinstance(point["dimension"], int)
        assert form(**point) > 0

    check()


@pytest.mark.slow
def test_a_point_shrinks_to_simple_numbers():
    form = FORMS["two_point.final_distance"]
    of_data = {"dx2": 1.0, "dy2_0": 1.0, "target2": 1.0}  # which would take their time to shrink
    few = settings(max_examples=100, database=None)
    simplest = find(
        form.strategy(tau_h=(1.0, 9.0), **of_data),
        lambda point: point["tau_h"] > 2.5,
        settings=few,
    )
    assert simplest["tau_h"] == 3.0
    assert isinstance(form.strategy(), st.SearchStrategy)


@pytest.mark.parametrize(
    ("ranges", "message"),
    [
        ({"tau": 1.0}, "no argument 'tau'"),
        (
            {"tau_h": (-1.0, 1.0)},
            r"tau_h: got \(-1, 1\), needs a range \(low, high\) of a positive",
        ),
        ({"tau_h": (2.0, 1.0)}, "tau_h"),
        ({"tau_h": (1.0, 2.0, 3.0)}, "tau_h"),
    ],
)
def test_ranges_outside_the_domain_are_refused(ranges, message):
    with pytest.raises(ValueError, match=message):
        FORMS["two_point.final_distance"].strategy(**ranges)
