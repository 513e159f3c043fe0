"""The claims that can be tested by name, and what a user's own function becomes."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import typing

import numpy as np
import pytest

import bridge
import theory
from bridge.results.quantity import quantities
from bridge.validity.prediction import as_prediction, paired
from empirics.experiments import EXPERIMENTS

CLAIMS = bridge.claims()
DRAWN = ("blind features", "deep random networks")  # without an experiment
FAST = (
    "two_point.final_distance",
    "geometry.finite_volume_element",
    "compression.lazy_amplification",
)


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_names_what_exists(name):
    claim = CLAIMS[name]
    assert claim.name == name
    assert claim.sentence.endswith(".")
    assert claim.is_of_experiment == (claim.experiment in EXPERIMENTS)
    assert claim.is_of_experiment or claim.experiment in DRAWN
    assert claim.resolution > 0
    assert all(form in theory.catalogue() for form in claim.forms)
    assert all(theory.equations(one.split()[0])[one.partition(" ")[2]] for one in claim.entries)
    assert not claim.quantity or claim.quantity in quantities(name.partition(".")[0])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", FAST)
def test_predicted_and_measured_are_of_each_seed_alone(name):
    claim = CLAIMS[name]
    predicted, measured = claim.pair(claim.base, range(4))
    assert predicted.shape == measured.shape == (4,)
    later, again = claim.pair(claim.base, range(1, 4))
    np.testing.assert_allclose(again, measured[1:], rtol=1e-3)
    np.testing.assert_allclose(later, predicted[1:], rtol=1e-3)


def test_features_that_are_gaussian_have_the_noise_floor_for_any_sizes_of_the_classes():
    claim = CLAIMS["collapse.noise_floor"]
    imbalanced = claim.base.changed(samples=60, ratio=20.0, threshold=-40.0)
    counts = np.bincount(imbalanced.labels)
    assert counts.sum() == 60
    assert counts.min() == 1
    assert counts[0] == pytest.approx(20 * counts[9], rel=0.3)
    predicted, measured = claim.pair(imbalanced, range(60))
    # a standard error is about 1 %
    assert measured.mean() == pytest.approx(predicted[0], rel=0.03)
    sparse = claim.pair(imbalanced.changed(threshold=1.0), range(20))
    assert sparse[1].mean() > 1.2 * predicted[0]


@pytest.mark.slow
def test_a_kernel_deviates_from_infinite_width_by_the_root_of_one_over_the_width():
    claim = CLAIMS["geometry.deep_kernel"]
    narrow, wide = (
        claim.pair(claim.base.changed(width=width), range(100))[1].mean() for width in (50, 800)
    )
    assert narrow / wide == pytest.approx(4, rel=0.2)  # a standard error is about 8 %


def test_networks_that_have_not_learned_measure_nothing():
    claim = CLAIMS["two_point.final_distance"]
    predicted, measured = claim.pair(claim.base.changed(epochs=20), range(2))
    assert np.isnan(predicted).all()
    assert np.isnan(measured).all()


def test_a_function_of_a_configuration_and_a_seed_is_a_claim():
    def unbiased(config, seed):
        """The mean is that of the configuration."""
        return config["mean"], np.random.default_rng(seed).normal(config["mean"])

    claim = as_prediction(unbiased)
    assert (claim.name, claim.sentence, claim.experiment) == (
        "unbiased", "The mean is that of the configuration.", ""
    )  # fmt: skip
    predicted, measured = claim.pair({"mean": 3.0}, range(5))
    assert predicted.tolist() == [3.0] * 5
    assert len(set(measured)) == 5


def test_parameters_of_maps_are_fields_or_axes():
    claim = CLAIMS["two_point.final_distance"]
    deep = claim.at(claim.base, gain=2.0, depth=3)
    assert (deep.gain, deep.depth, deep.layers) == (2.0, 3, (2,))
    assert deep.learning_rate == claim.base.learning_rate / 2.0**3
    assert claim.at(claim.base, gain=1.0, learning_rate=1e-9).learning_rate == 1e-9
    assert (
        claim.at(claim.at(claim.base, learning_rate=1e-9), gain=2.0, depth=3).learning_rate
        == 1e-9 / 2.0**3
    )
    assert CLAIMS["leaky_resnet.directions"].at(
        CLAIMS["leaky_resnet.directions"].base, depth=3
    ).depths == (3.0,)


def test_every_network_is_compared_with_its_own_prediction():
    measured = paired("q", "networks", (np.array([1.0, 2.0, np.nan]), np.array([1.1, 2.3, 5.0])))
    assert measured.predicted == pytest.approx(1.5)
    assert measured.value == pytest.approx(1.7)
    assert measured.error == pytest.approx(0.1)
    assert paired("q", "networks", ([np.nan], [1.0])) is None


@pytest.mark.parametrize(
    ("claim", "error"), [("two_point.final_distanc", ValueError), (3, TypeError)]
)
def test_an_unknown_claim_is_refused(claim, error):
    with pytest.raises(error, match="claim"):
        as_prediction(claim)


# fields that an axis changes
SAYS = {"gain": {"gain", "learning_rate"}, "width": {"widths"}, "depth": {"depths"}}


def others(config):
    """Every numeric or named field of a configuration with another value that is allowed: configuration by field."""
    changed = {}
    for field in dataclasses.fields(config):
        value, kind = getattr(config, field.name), typing.get_type_hints(type(config))[field.name]
        candidates = [2 * value, value + 1, 0.5] if type(value) in (int, float) else []
        candidates += [(*value[:-1], 2 * value[-1])] if isinstance(value, tuple) and value else []
        candidates += (
            [not value]
            if type(value) is bool
            else typing.get_args(kind)
            if isinstance(value, str)
            else []
        )
        for candidate in candidates:
            with contextlib.suppress(TypeError, ValueError, ArithmeticError):
                other = config.changed(**{field.name: candidate})
                if getattr(other, field.name) != value:
                    changed[field.name] = other
                    break
    return changed


def differing(first, second):
    return {
        field.name
        for field in dataclasses.fields(first)
        if getattr(first, field.name) != getattr(second, field.name)
    }


# equal for claims of the same networks
AXES = {(claim.base, name): claim for claim in CLAIMS.values() for name in claim.axes}


@pytest.mark.parametrize(
    ("base", "name"), AXES, ids=lambda part: part if isinstance(part, str) else part.experiment
)
def test_an_axis_changes_what_it_says_of_any_networks_and_leaves_what_else_is_given(base, name):
    """For every other field: it is respected in the base, and where it is given together with the axis."""
    claim = AXES[base, name]
    value = {"gain": 1.7, "width": 12, "depth": 2.5}[name]
    plain = claim.at(base, **{name: value})
    assert differing(base, plain) <= SAYS[name]
    assert name in ("width", "depth") or getattr(plain, name) == value
    bases = others(base)
    assert len(bases) >= 4
    for field, other in bases.items():
        moved = claim.at(other, **{name: value})
        assert differing(other, moved) <= SAYS[name], field
        if field not in SAYS[name]:
            assert getattr(moved, field) == getattr(other, field)
        elif field != name:
            assert moved != plain or name == "depth", f"{name} forgets {field} of the base"
        if field != name and field not in ("widths", "depths"):
            together = claim.at(base, **{field: getattr(other, field), name: value})
            assert getattr(together, field) == getattr(other, field), f"{name} overwrites {field}"
        present = {
            "gain": lambda c: c.gain,
            "width": lambda c: c.widths[0],
            "depth": lambda c: c.depths[0],
        }[name](other)
        if name != "depth" or len(other.depths) == 1:
            assert claim.at(other, **{name: present}) == other, "its present value changes nothing"


PLAIN = list({claim.base: claim for claim in CLAIMS.values()}.values())


@pytest.mark.sampled(3)
@pytest.mark.parametrize("claim", PLAIN, ids=lambda claim: claim.name)
def test_two_fields_that_are_given_together_have_their_values(claim):
    bases = others(claim.base)
    for (first, one), (second, two) in itertools.combinations(bases.items(), 2):
        values = {first: getattr(one, first), second: getattr(two, second)}
        with contextlib.suppress(TypeError, ValueError):  # the two together are not allowed
            config = claim.at(claim.base, **values)
            assert {name: getattr(config, name) for name in values} == values


def test_forms_of_a_claim_may_be_families_and_are_checked_when_it_is_read():
    claim = CLAIMS["geometry.deep_kernel"]
    catalogue = theory.catalogue()
    family = dataclasses.replace(
        claim, forms=(catalogue["geometry.nngp_kernel"], "two_point.loss")
    )
    assert as_prediction(family).forms == ("geometry.nngp_kernel", "two_point.loss")
    assert family.members(claim.base.changed(activation="tanh")) == (
        "geometry.nngp_kernel.tanh",
        "two_point.loss",
    )
    assert family.members(None) == ("two_point.loss",)
    with pytest.raises(
        ValueError, match=r"forms: no closed form 'two_point.los'; did you mean two_point.loss"
    ):
        as_prediction(dataclasses.replace(claim, forms=("two_point.los",)))
    with pytest.raises(TypeError, match=r"forms: got .two_point\.loss., needs a sequence"):
        dataclasses.replace(claim, forms="two_point.loss")
