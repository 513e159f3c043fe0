"""Strategies of configurations: valid, with dependent fields adapted, shrinking towards small numbers and defaults."""

from __future__ import annotations

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from empirics.experiments import compression, leaky_resnet, two_point

SEVERAL = settings(max_examples=40, deadline=None, database=None)


@SEVERAL
@given(
    two_point.Config.strategy(
        depth=(1, 30), width=(1, 300), gain=(0.5, 2), optimiser=..., activation=("tanh", "relu")
    )
)
def test_numbers_and_choices_lie_in_their_ranges(config):
    assert 1 <= config.depth <= 30
    assert 0.5 <= config.gain <= 2
    assert config.optimiser in ("gd", "adam")
    assert config.activation in ("tanh", "relu")
    assert config.layers == (config.middle,)
    assert config.epochs == two_point.Config().epochs


@SEVERAL
@given(compression.Config.strategy(width=(1, 50), kept=20, dimension=(2, 6), labels=...))
def test_fields_that_do_not_go_together_are_not_drawn(config):
    assert config.dimension > config.d_parallel
    assert config.kept <= config.width


@SEVERAL
@given(
    leaky_resnet.Config.strategy(dimensions=(6, 2, 6), bias=..., points=st.sampled_from([20, 30]))
)
def test_a_tuple_is_a_value_of_a_field_that_holds_tuples(config):
    assert config.dimensions == (6, 2, 6)
    assert config.points in (20, 30)


@pytest.mark.slow
def test_a_configuration_shrinks_to_few_layers_simple_numbers_and_the_default():
    drawn = two_point.Config.strategy(depth=(2, 30), gain=(0.5, 2), optimiser=("adam", "gd"))
    simplest = find(drawn, lambda config: config.depth > 3)
    assert (simplest.depth, simplest.gain, simplest.optimiser) == (4, 1.0, "gd")


@pytest.mark.parametrize("ranges", [{"depht": (1, 2)}, {"depth": (2, 1)}, {"gain": ...}])
def test_wrong_ranges_are_refused(ranges):
    with pytest.raises(ValueError, match=r"depth|depht|gain"):
        two_point.Config.strategy(**ranges)
