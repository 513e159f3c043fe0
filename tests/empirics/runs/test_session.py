"""Tests of the common parts of every run: finished seeds are kept, and diverged seeds raise or are marked."""

from __future__ import annotations

import inspect
import math
import time
from dataclasses import dataclass
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
import torch

from empirics.runs import session
from empirics.runs.config import Configuration
from empirics.runs.parts import Parts
from empirics.runs.session import RunResult, SeedResult, run_of
from empirics.training import checkpoint as checkpoint_module
from empirics.training.checkpoint import Checkpoint
from empirics.training.loop import DivergedError

VARIABLES = {
    "square": (("seed", "place"), "squares"), "place": (("place",), "same for all"),
    "diverged_at": (("seed",), "when"),
}  # fmt: skip


@dataclass(frozen=True)
class Config(Configuration):
    """Squares of the seeds."""

    experiment: ClassVar[str] = "squares"
    seeds: int = 3
    first_seed: int = 0
    diverges_from: int = 100


LEARNED = []  # seeds, in the order of their learning


def learn(seed, diverged_at=-1):
    LEARNED.append(seed)
    place = np.arange(3.0)
    return SeedResult(
        {"square": place * seed, "place": torch.from_numpy(place)},
        diverged_at,
        {"origin": f"of {seed}"},
    )


@run_of(Config, dtype="float32", unit="step")
def run(config, session):
    """Square the seeds.

    Returns:
        Squares.
    """
    parts = session.one_by_one(
        lambda seed: learn(seed, 5 * seed if seed >= config.diverges_from else -1)
    )
    return RunResult(parts.stacked(VARIABLES), {}, {"origin": parts.state["origin"]})


def test_values_are_stacked_by_seed():
    found = run(Config(seeds=2, first_seed=4))
    assert found.square.dims == ("seed", "place")
    assert found.square.attrs["long_name"] == "squares"
    np.testing.assert_array_equal(found.seed, [4, 5])
    np.testing.assert_array_equal(found.square, [[0, 4, 8], [0, 5, 10]])
    np.testing.assert_array_equal(found.place, [0, 1, 2])
    np.testing.assert_array_equal(found.diverged_at, [-1, -1])
    assert found.diverged_at.dtype == np.int64


@pytest.fixture
def clock(monkeypatch):
    """A clock for which each seed takes a second, and nothing else takes any time."""
    begun = math.ceil(time.monotonic())
    times = dict.fromkeys(("monotonic", "process_time"), lambda: begun + len(LEARNED))
    for module in (checkpoint_module, session):
        monkeypatch.setattr(module, "time", SimpleNamespace(**times))


def test_provenance_is_added(clock):
    attributes = run(Config()).attrs
    assert attributes["experiment"] == "squares"
    assert Config.from_json(attributes["config"]).seeds == 3
    assert (attributes["dtype"], attributes["device"], attributes["origin"]) == (
        "float32",
        "cpu",
        "of 2",
    )
    assert attributes["processor_seconds"] == 3


def test_documentation_has_the_arguments_of_every_run():
    assert inspect.getdoc(run).split("\n\n")[0] == "Square the seeds."
    for line in (
        "Args:",
        "    checkpoint: where",
        "Returns:",
        "    Squares.",
        "Raises:",
        "    TypeError: if",
    ):
        assert f"\n{line}" in inspect.getdoc(run)
    assert list(inspect.signature(run).parameters) == [
        "config",
        "progress",
        "on_divergence",
        "checkpoint",
    ]
    assert (run.__name__, run.__module__) == ("run", __name__)


def test_an_interrupted_run_does_only_what_is_left(clock, tmp_path):
    checkpoint = Checkpoint(tmp_path / "a.checkpoint", "key", seconds=0.0)
    called = []

    def recorded(seed):
        called.append(seed)
        if len(called) == 3:
            raise KeyboardInterrupt
        return learn(seed)

    @run_of(Config)
    def killed(config, session):
        parts = session.one_by_one(recorded)
        return RunResult(parts.stacked(VARIABLES), {}, {"origin": parts.state["origin"]})

    with pytest.raises(KeyboardInterrupt):
        killed(Config(seeds=4), checkpoint=checkpoint)
    state = checkpoint.load()
    assert len(state["seeds"]) == 2
    assert state["origin"] == "of 1"
    learn(0)  # time that passes between the two is no time of the run
    rest = killed(Config(seeds=4), checkpoint=checkpoint)
    assert called == [0, 1, 2, 2, 3]
    assert rest.attrs["origin"] == "of 3"
    assert rest.attrs["processor_seconds"] == 4
    assert rest.equals(run(Config(seeds=4)))


def test_the_time_of_a_run_without_parts_includes_that_before_an_interruption(clock, tmp_path):
    @run_of(Config)
    def counting(config, session):
        learn(0)  # preparation, which the second process repeats
        done = (session.checkpoint.load() or {"seeds": 0})["seeds"]
        while done < config.seeds:
            learn(done)
            done += 1
            session.checkpoint.save({"seeds": done})
            if len(LEARNED) == begun + 3:
                raise KeyboardInterrupt
        return RunResult({"seeds": ((), done, "count")}, {})

    begun = len(LEARNED)
    with pytest.raises(KeyboardInterrupt):
        counting(Config(seeds=3), checkpoint=Checkpoint(tmp_path / "a.checkpoint", "key"))
    learn(0)
    rest = counting(Config(seeds=3), checkpoint=Checkpoint(tmp_path / "a.checkpoint", "key"))
    assert rest.attrs["processor_seconds"] == 3 + 2


def test_divergence_is_raised():
    with pytest.raises(
        DivergedError, match="training diverged: seed 1 at step 5; a smaller"
    ) as error:
        run(Config(diverges_from=1))
    assert error.value.epochs == {"seed 1": 5}


def test_divergence_is_marked_and_the_warning_points_at_whoever_runs():
    line = inspect.currentframe().f_lineno + 2
    with pytest.warns(RuntimeWarning, match="training diverged") as warned:
        found = run(Config(diverges_from=1), on_divergence="mark")
    assert [str(warning.message).partition(";")[0] for warning in warned] == [
        "training diverged: seed 1 at step 5, seed 2 at step 10"
    ]
    assert {(warning.filename, warning.lineno) for warning in warned} == {(__file__, line)}
    np.testing.assert_array_equal(found.diverged_at, [-1, 5, 10])


@pytest.mark.parametrize("on_divergence", ["mark", "raise"])
def test_a_network_that_diverged_before_an_interruption_is_said_after_it(on_divergence, tmp_path):
    checkpoint = Checkpoint(tmp_path / "a.checkpoint", "key", seconds=0.0)
    stopped_at = [2]

    @run_of(Config)
    def killed(config, session):
        def recorded(seed):
            if seed in stopped_at:
                raise KeyboardInterrupt
            return SeedResult({}, 7 if seed == 1 else -1)

        parts = session.one_by_one(recorded)
        return RunResult(parts.stacked({"diverged_at": (("seed",), "")}), {}, {})

    with pytest.raises(KeyboardInterrupt):
        killed(Config(seeds=3), checkpoint=checkpoint, on_divergence="mark")
    stopped_at.clear()
    said = (
        pytest.warns(RuntimeWarning, match="training diverged: seed 1 at epoch 7")
        if on_divergence == "mark"
        else pytest.raises(DivergedError, match="seed 1 at epoch 7")
    )
    with said:
        killed(Config(seeds=3), checkpoint=checkpoint, on_divergence=on_divergence)


def test_a_training_that_raises_is_named_by_seed():
    @run_of(Config)
    def diverging(config, session):
        raise DivergedError({1: 7})

    with pytest.raises(DivergedError, match="diverged: seed 5 at epoch 7;"):
        diverging(Config(first_seed=4), on_divergence="mark")


def test_other_parts_lie_along_their_own_axis():
    parts = Parts(None, "sizes")
    for size in (1.0, 2.0, 4.0):
        parts.add({"error": torch.full((2, 5), size), "factor": torch.full((5,), 3 * size)})
    found = parts.stacked(
        {"error": (("regime", "size", "seed"), ""), "factor": (("size", "seed"), "")}, axis=-2
    )  # fmt: skip
    assert found["error"][1].shape == (2, 3, 5)
    np.testing.assert_array_equal(found["error"][1][1, :, 0], [1, 2, 4])
    np.testing.assert_array_equal(found["factor"][1][:, 0], [3, 6, 12])


def test_a_config_without_the_name_of_its_experiment_is_refused():
    @dataclass(frozen=True)
    class Nameless(Configuration):
        steps: int = 10

    with pytest.raises(
        ValueError, match="Nameless: got no name of its experiment, needs a line like experiment: "
    ):
        run_of(Nameless)


def test_a_body_that_returns_a_dataset_is_refused():
    @run_of(Config)
    def walk(config, session):
        return {"square": config.seeds}

    with pytest.raises(TypeError, match=r"walk\(\): got dict, needs a RunResult"):
        walk(Config(), progress=False)


def test_a_variable_without_a_meaning_is_named():
    with pytest.raises(
        ValueError,
        match=r"variables\['x'\]: got tuple of other parts, needs \(dimensions, values, mean",
    ):
        RunResult({"x": (("seed",), [1.0])}, {})
