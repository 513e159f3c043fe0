"""Tests of experiments that are defined by one function of a seed."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import torch

from bridge.cli import script
from empirics import experiments
from empirics.sweep import driver


@experiments.define
def walk(seed, steps=30, scale: float = 1.0, kind="normal"):
    """A random walk."""
    draws = np.random.default_rng(seed).standard_normal(steps)
    return {"place": ("step", scale * torch.from_numpy(draws).cumsum(0)), "first": draws[0]}


def test_the_trace_has_what_the_function_returns_for_each_seed():
    config = walk(steps=7, scale=2, seeds=3, first_seed=4)
    trace = experiments.run(config, progress=False)
    assert dict(trace.sizes) == {"seed": 3, "step": 7}
    assert trace.seed.values.tolist() == [4, 5, 6]
    for seed in (4, 5, 6):
        draws = np.random.default_rng(seed).standard_normal(7)
        np.testing.assert_array_equal(trace.place.sel(seed=seed), 2 * draws.cumsum())
        assert trace["first"].sel(seed=seed) == draws[0]
    assert trace.experiment == "walk"
    assert walk.from_json(trace.config) == config == pickle.loads(pickle.dumps(config))
    assert walk.__doc__ == "A random walk."
    assert str(config) == "steps = 7, scale = 2.0, kind = normal, seeds = 3, first_seed = 4"


def test_a_sweep_stores_it_and_reads_it_again(tmp_path, monkeypatch):
    configs = {f"{n} steps": walk(steps=n) for n in (3, 5)}
    first = driver.sweep(configs, tmp_path, progress=False)
    monkeypatch.setattr(
        walk, "own_run", staticmethod(lambda *_, **__: pytest.fail("it ran again"))
    )
    again = driver.sweep(configs, tmp_path, progress=False)
    assert {label: dict(trace.sizes) for label, trace in again.items()} == {
        "3 steps": {"seed": 5, "step": 3}, "5 steps": {"seed": 5, "step": 5},
    }  # fmt: skip
    assert all(first[label].identical(again[label]) for label in configs)


def test_a_file_with_one_is_found_by_the_command_line():
    class Module:
        __name__ = __name__

    module = Module()
    module.walk = walk
    assert script.chosen(module) == (None, walk)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"steps": 2.5}, TypeError, "steps: got 2.5, needs an integer"),
        ({"scale": "x"}, TypeError, "scale: got 'x', needs a finite number"),
        ({"scale": float("nan")}, ValueError, "scale: got nan"),
        ({"kind": 3}, TypeError, "kind: got 3, needs text"),
        ({"seeds": 0}, ValueError, "seeds: got 0, needs an integer from 1"),
    ],
)
def test_bad_settings_are_named(settings, error, message):
    with pytest.raises(error, match=message):
        walk(**settings)


def no_seed(number, steps=1): ...
def no_default(seed, steps): ...
def a_list(seed, widths=(1, 2)): ...
def taken(seed, seeds=3): ...
def hidden(seed, members=3): ...
def nothing(): ...


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (no_seed, TypeError, "the first argument of no_seed is 'number', needs 'seed'"),
        (nothing, TypeError, "nothing takes no argument, needs 'seed' as the first"),
        (no_default, TypeError, "the setting 'steps' of no_default needs a default"),
        (
            a_list,
            TypeError,
            "the setting 'widths' of a_list needs a default that is a number, a boolean or text",
        ),
        (taken, ValueError, "the setting 'seeds'"),
        (hidden, ValueError, "the setting 'members'"),
    ],
)
def test_a_function_that_cannot_be_an_experiment_is_refused(function, error, message):
    with pytest.raises(error, match=message):
        experiments.define(function)


def test_the_name_of_another_experiment_is_refused():
    def two_point(seed): ...

    with pytest.raises(ValueError, match="needs a name that no experiment has"):
        experiments.define(two_point)


@pytest.mark.parametrize(
    ("returned", "error", "message"),
    [
        (
            lambda seed: {"a": np.zeros(3)},
            ValueError,
            r"a: got dimensions \(\) for the shape \(3,\), needs a name",
        ),
        (lambda seed: {"a": ("seed", np.zeros(3))}, ValueError, "without 'seed'"),
        (
            lambda seed: {"a": ("n", np.zeros(3 + seed))},
            ValueError,
            "a: got the shapes .* for different seeds",
        ),
        (lambda seed: {"a": 1} if seed else {"b": 1}, ValueError, "for different seeds"),
        (lambda seed: {"a": "text"}, TypeError, "a: got values of type <U4, needs real numbers"),
        (lambda seed: np.zeros(3), TypeError, "returned: got ndarray, needs"),
    ],
)
def test_what_it_returns_is_checked(returned, error, message):
    returned.__name__ = returned.__qualname__ = "returned"
    with pytest.raises(error, match=message):
        experiments.run(experiments.define(returned)(), progress=False)
