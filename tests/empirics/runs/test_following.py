"""Tests that every configuration of every study can be changed by one option, to which the other fields adapt."""

from __future__ import annotations

import dataclasses
from typing import Literal, get_args, get_origin

import pytest

from empirics import experiments
from empirics.runs.config import field_types
from empirics.runs.following import above, at_most, in_proportion, positions

AMOUNTS = {
    "epochs",
    "most_steps",
    "kernel_steps",
    "adam",
    "polishing",
    "solving",
    "rounds",
    "seeds",
}


def whole_options(config):
    """Names and values of the fields that are integers."""
    for name, kind in field_types(type(config)).items():
        is_whole = kind is int or (int in get_args(kind) and get_origin(kind) is not Literal)
        if is_whole and isinstance(getattr(config, name), int):
            yield name, getattr(config, name)


def refusal(config, **given):
    """The message with which a change is refused, empty where it is not."""
    try:
        config.changed(**given)
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "scale",
    ["laptop", *(pytest.param(scale, marks=pytest.mark.slow) for scale in ("smoke", "paper"))],
)
@pytest.mark.parametrize("name", experiments.STUDIES)
def test_one_option_is_enough(name, scale):
    """No option makes another one invalid: a refusal names the option that was given, and amounts may be any."""
    configs = list(experiments.STUDIES[name].configs(scale).values())
    for config in {configs[0], configs[-1]}:
        for option, value in whole_options(config):
            for given in {1, 14, value // 2, 2 * value} - {0, value}:
                message = refusal(config, **{option: given})
                assert not message or (
                    message.startswith(f"{option}: got") and option not in AMOUNTS
                ), message


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", experiments.STUDIES)
def test_the_value_that_it_has_changes_nothing(name):
    for config in list(experiments.STUDIES[name].configs("laptop").values())[:2]:
        assert config.changed() is config
        for option, value in whole_options(config):
            assert config.changed(**{option: value}) == config


def test_a_value_that_is_given_does_not_follow():
    config = experiments.collapse.Config(collapse_at=(0, 10, 20))
    assert config.changed(epochs=14).collapse_at == (0, 7, 14)
    assert config.changed(epochs=40, collapse_at=(3,)).collapse_at == (3,)
    with pytest.raises(ValueError, match="collapse_at: got 20"):
        config.changed(epochs=14, collapse_at=(20,))


def test_a_default_keeps_its_meaning():
    network = experiments.two_point.Config(depth=20)
    assert network.layers == (11,)
    assert (
        network.changed(depth=10).layers == experiments.two_point.Config(depth=10).layers == (6,)
    )
    assert dataclasses.replace(network, layers=(20,)).changed(depth=10).layers == (10,)
    shells = experiments.compression.Config().changed(labels="shells", dimension=3)
    assert shells == experiments.compression.Config(labels="shells", dimension=3)


@pytest.mark.parametrize("given", ["many", None, 0, -3, 2.5])
def test_a_bad_value_is_named(given):
    with pytest.raises((TypeError, ValueError), match=r"^epochs: got"):
        experiments.STUDIES["geometry-sinusoid"].configs("smoke")["2 → 20 → 2"].changed(
            epochs=given
        )


def test_rules():
    assert positions("depth")((1, 2, 3), {"depth": 3}, {"depth": 5}) == (1, 2, 3, 4, 5)
    assert positions("depth")((3,), {"depth": 3}, {"depth": 5}) == (5,)
    assert positions("epochs")((0, 1, 50, 100), {"epochs": 100}, {"epochs": 10}) == (0, 1, 5, 10)
    assert positions("widths")((1, 2), {"widths": (8, 8)}, {"widths": (4,)}) == (1,)
    assert in_proportion("targets")(2, {"targets": (1, 1, 1)}, {"targets": (1,) * 4}) == 3
    assert at_most("width")(200, {}, {"width": 50}) == 50
    assert at_most("width")(200, {}, {"width": 500}) == 200
    assert above("dimension")((20, 40), {}, {"dimension": 20}) == (40, 80)
    assert above("dimension")((20, 40), {}, {"dimension": 19}) == (20, 40)
