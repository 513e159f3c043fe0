"""Tests for all experiments: configurations survive JSON, and ``run`` rejects unusable input."""

from __future__ import annotations

import dataclasses
import json

import pytest

from empirics import experiments
from empirics.runs.config import content_hash, field_types
from empirics.user_choice import choices

CONFIGS = [experiments.EXPERIMENTS[name].Config() for name in experiments.EXPERIMENTS]
every_one = pytest.mark.parametrize("config", CONFIGS, ids=experiments.EXPERIMENTS)


@every_one
def test_a_configuration_is_frozen_and_survives_its_text(config):
    again = type(config).from_json(config.to_json())
    assert again == config
    assert content_hash(again) == content_hash(config)
    assert json.loads(config.to_json())["experiment"] == config.experiment
    assert str(config)
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.first_seed = 1


@every_one
def test_what_no_experiment_takes_is_refused(config):
    other = next(each for each in CONFIGS if each.experiment != config.experiment)
    with pytest.raises(ValueError, match=f"is of another experiment than {config.experiment}"):
        type(config).from_json(other.to_json())
    got = f"config: got {type(other).__name__}, needs a {config.experiment}.Config"
    with pytest.raises(TypeError, match=got):
        experiments.EXPERIMENTS[config.experiment].run(other)
    with pytest.raises(ValueError, match="on_divergence: got 'ignore', needs one of raise, mark"):
        experiments.run(config, on_divergence="ignore")
    if hasattr(config, "device"):
        with pytest.raises(TypeError, match="device: got 0, needs text such as 'cpu' or 'cuda'"):
            dataclasses.replace(config, device=0)
    for name, kind in field_types(type(config)).items():
        allowed = ", ".join(choices(kind))
        if allowed:
            told = "no activation 'x'" if name == "activation" else f"got 'x', needs .*{allowed}"
            with pytest.raises(ValueError, match=f"^{name}: {told}"):
                dataclasses.replace(config, **{name: "x"})


@every_one
def test_seeds_are_one_or_more_and_follow_the_first(config):
    if hasattr(config, "seeds"):
        for count, error in ((0, ValueError), (1.5, TypeError)):
            with pytest.raises(error, match=f"^seeds: got {count}"):
                dataclasses.replace(config, seeds=count)
    if hasattr(config, "seed_numbers"):
        count = getattr(config, "seeds", None) or config.realisations
        moved = dataclasses.replace(config, first_seed=7)
        assert list(moved.seed_numbers) == list(range(7, 7 + count))


@pytest.mark.parametrize("field", ["sizes", "regimes"])
def test_learning_curves_need_sequences(field):
    with pytest.raises(TypeError, match=f"{field}: got 5, needs a sequence"):
        experiments.EXPERIMENTS["compression.learning_curves"].Config(**{field: 5})


def test_equal_labels_have_equal_hashes():
    same = {
        content_hash(experiments.EXPERIMENTS["compression"].Config(first_label=one))
        for one in (1, 1.0, True)
    }
    assert len(same) == 1
