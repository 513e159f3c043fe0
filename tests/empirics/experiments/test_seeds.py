"""Seeds one after the other: what is done stays done, and a diverged one is raised or marked."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import torch

from empirics.experiments.parts import Parts
from empirics.experiments.seeds import Outcome, one_by_one
from empirics.training.checkpoint import Checkpoint
from empirics.training.loop import DivergedError

VARIABLES = {
    "square": (("seed", "place"), "squares"), "place": (("place",), "same for all"),
    "diverged_at": (("seed",), "when"),
}  # fmt: skip


def learn(seed, diverged_at=-1):
    place = np.arange(3.0)
    return Outcome({"square": place * seed, "place": torch.from_numpy(place)}, diverged_at, {"origin": f"of {seed}"})


def test_values_are_stacked_by_seed():
    found = one_by_one(range(4, 6), learn).stacked(VARIABLES)
    dims, values, meaning = found["square"]
    assert (dims, meaning) == (("seed", "place"), "squares")
    np.testing.assert_array_equal(values, [[0, 4, 8], [0, 5, 10]])
    np.testing.assert_array_equal(found["place"][1], [0, 1, 2])
    np.testing.assert_array_equal(found["diverged_at"][1], [-1, -1])
    assert found["diverged_at"][1].dtype == np.int64


def test_an_interrupted_run_does_only_what_is_left(tmp_path):
    checkpoint = Checkpoint(tmp_path / "a.checkpoint", "key", seconds=0.0)
    called = []

    def killed(seed):
        if seed == 2:
            raise KeyboardInterrupt
        return learn(seed)

    with pytest.raises(KeyboardInterrupt):
        one_by_one(range(4), killed, checkpoint=checkpoint)
    state = checkpoint.load()
    assert len(state["seeds"]) == 2
    assert state["origin"] == "of 1"
    checkpoint.save(state | {"seconds": 100.0})
    rest = one_by_one(range(4), lambda seed: called.append(seed) or learn(seed), checkpoint=checkpoint)
    assert called == [2, 3]
    assert rest.state["origin"] == "of 3"
    assert 100.0 < rest.seconds < 160.0
    whole = one_by_one(range(4), learn)
    np.testing.assert_array_equal(rest.stacked(VARIABLES)["square"][1], whole.stacked(VARIABLES)["square"][1])


def test_divergence_is_raised():
    called = []
    with pytest.raises(DivergedError) as error:
        one_by_one(range(3), lambda seed: called.append(seed) or learn(seed, 5 if seed == 1 else -1))
    assert error.value.epochs == {1: 5}
    assert called == [0, 1]


def test_divergence_is_marked_and_the_warning_points_at_whoever_runs():
    def run():
        return one_by_one(range(3), lambda seed: learn(seed, 5 * seed), on_divergence="mark", when="before epoch")

    with pytest.warns(RuntimeWarning, match="training diverged for seed") as warned:
        line, found = inspect.currentframe().f_lineno, run()
    assert [str(each.message) for each in warned] == [
        "training diverged for seed 0 before epoch 0", "training diverged for seed 1 before epoch 5",
        "training diverged for seed 2 before epoch 10",
    ]  # fmt: skip
    assert {(each.filename, each.lineno) for each in warned} == {(__file__, line)}
    np.testing.assert_array_equal(found.stacked(VARIABLES)["diverged_at"][1], [0, 5, 10])


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
