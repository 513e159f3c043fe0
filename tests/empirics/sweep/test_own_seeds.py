"""Configurations of a sweep with seeds of their own."""

from __future__ import annotations

import numpy as np
import pytest

from bridge.validity.identity import first_seed
from empirics.experiments import geometry, two_point
from empirics.runs.config import as_json
from empirics.sweep import own_seeds

CONFIGS = {f"depth {depth}": two_point.Config(depth=depth, seeds=3) for depth in range(2, 20)}


def test_no_two_configurations_share_a_seed():
    found = own_seeds(CONFIGS)
    assert list(found) == list(CONFIGS)
    seeds = np.concatenate([list(config.seed_numbers) for config in found.values()])
    assert len(set(seeds.tolist())) == 3 * len(CONFIGS)
    for label, config in found.items():
        assert config.changed(first_seed=CONFIGS[label].first_seed) == CONFIGS[label]


def test_the_seeds_follow_from_the_settings_alone():
    (alone,) = own_seeds({"x": CONFIGS["depth 5"].changed(seeds=7, first_seed=40)}).values()
    assert alone.first_seed == own_seeds(CONFIGS)["depth 5"].first_seed
    assert own_seeds(own_seeds(CONFIGS)) == own_seeds(CONFIGS)


def test_what_has_no_settings_is_refused():
    with pytest.raises(TypeError, match=r"configs\['x'\]: "):
        own_seeds({"x": 3})
    with pytest.raises(TypeError, match="configs: "):
        own_seeds([CONFIGS["depth 2"]])


def test_an_example_of_require_has_seeds_in_steps_of_a_thousand():
    config = geometry.random_networks.Config()
    assert first_seed(config) % 1000 == 0
    assert first_seed(config) == first_seed(config.changed())
    assert as_json(config)
