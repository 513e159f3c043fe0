"""Strategies of points of a closed form: inside domains and conditions, by construction."""

from __future__ import annotations

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

import theory
from theory.core.formula.arguments import in_domain

FORMS = theory.catalogue()
CONDITIONED = sorted(name for name in FORMS if "." in name and FORMS[name].conditions)


@pytest.mark.parametrize("name", ["two_point.final_distance", *CONDITIONED[:12]])
def test_every_point_is_valid(name):
    form = FORMS[name]

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


def test_a_point_shrinks_to_simple_numbers():
    form = FORMS["two_point.final_distance"]
    simplest = find(form.strategy(tau_h=(1.0, 9.0)), lambda point: point["tau_h"] > 2.5)
    assert simplest["tau_h"] == 3.0
    assert isinstance(form.strategy(), st.SearchStrategy)


@pytest.mark.parametrize(
    ("ranges", "message"),
    [
        ({"tau": 1.0}, "no argument 'tau'"),
        ({"tau_h": (-1.0, 1.0)}, r"tau_h: got \(-1, 1\), needs a range \(low, high\) of a positive"),
        ({"tau_h": (2.0, 1.0)}, "tau_h"),
        ({"tau_h": (1.0, 2.0, 3.0)}, "tau_h"),
    ],
)
def test_ranges_outside_the_domain_are_refused(ranges, message):
    with pytest.raises(ValueError, match=message):
        FORMS["two_point.final_distance"].strategy(**ranges)
