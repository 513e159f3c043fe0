"""Tests of the recorded history of a flow: its records, its end, and its continuation after an interruption."""

import math

import pytest
import torch

from empirics.experiments import compression
from empirics.experiments.compression.run import start
from empirics.experiments.compression.trained import follow
from empirics.training.checkpoint import Checkpoint

SMALL = compression.Config(
    points=120, width=15, dimension=3, seeds=3, alpha=1e-3, dtype="float64", shares=(0.1, 0.3)
)


@pytest.mark.slow
def test_shares_are_reached_in_order_between_the_steps_around_them():
    flow = start(SMALL)
    history = follow(flow, SMALL.shares, progress=False)
    time, fitted = (torch.stack(history.curves[name]) for name in ("time", "fitted"))
    assert bool((history.reached[0] < history.reached[1]).all())
    for seed in range(3):
        for share, at in zip(SMALL.shares, history.reached[:, seed], strict=True):
            after = int((fitted[:, seed] >= share).nonzero()[0, 0])
            assert time[after - 1, seed] <= at <= time[after, seed]
    assert bool((flow.fitted >= 0.3).all())
    largest = torch.stack(history.curves["amplification"]).amax(0)
    torch.testing.assert_close(history.largest, largest)


def test_it_stops_at_its_limits_and_says_what_it_did_not_reach():
    history = follow(start(SMALL), SMALL.shares, longest=1.0, progress=False)
    assert bool(history.reached.isnan().all())
    few = follow(start(SMALL), SMALL.shares, rounds=5, progress=False)
    assert few.rounds == 5
    assert len(few.curves["time"]) == 6


@pytest.mark.slow
def test_an_interrupted_run_ends_the_same_bit_for_bit(tmp_path):
    class EveryFifty(Checkpoint):
        asked = 0

        def due(self):
            self.asked += 1
            return self.asked % 50 == 0

    def checkpoint():
        return EveryFifty(tmp_path / "state", "key")

    whole = follow(start(SMALL), SMALL.shares, progress=False)
    cut = start(SMALL)
    follow(
        cut, SMALL.shares, rounds=whole.rounds * 3 // 4, checkpoint=checkpoint(), progress=False
    )
    resumed = follow(start(SMALL), SMALL.shares, checkpoint=checkpoint(), progress=False)
    assert whole.rounds > 100
    assert resumed.rounds == whole.rounds
    assert torch.equal(resumed.reached, whole.reached)
    assert torch.equal(resumed.largest_time, whole.largest_time)
    for name, values in whole.curves.items():
        assert torch.equal(torch.stack(resumed.curves[name]), torch.stack(values)), name
    for name, values in whole.at.items():
        assert torch.equal(resumed.at[name], values), name


def test_a_trace_holds_what_was_asked_for():
    config = compression.Config(
        points=50,
        width=8,
        dimension=3,
        seeds=2,
        alpha=1e-2,
        test_points=30,
        kept=5,
        tracked=4,
        places=7,
    )
    trace = compression.run(config, progress=False)
    assert trace["kept_at"].dims == ("seed", "share", "neuron", "weight")
    assert trace["kept_at"].shape == (2, 1, 5, 5)
    assert trace["tracked"].shape[2:] == (4, 5)
    assert trace["predictor_at"].shape == (2, 1, 7)
    assert float(trace["test_error"][0, 0]) == 0.5  # nothing is learned before the first step
    assert float(trace["test_error"][:, -1].max()) < 0.5
    assert bool((trace["amplification"][:, 0] > 0.5).all())
    assert compression.Config.from_json(trace.attrs["config"]) == config


def test_float32_and_float64_agree():
    base = {"points": 400, "width": 20, "dimension": 3, "seeds": 2, "alpha": 1e-4}
    times = [
        compression.run(compression.Config(**base, dtype=kind), progress=False)
        for kind in ("float32", "float64")
    ]
    single, double = (each["time_at"].values for each in times)
    # of 13 tau: steps fall elsewhere once a rounding refuses one
    assert abs(single - double).max() < 0.05


def test_realisations_are_the_same_whatever_runs_beside_them():
    many = compression.realisations(compression.Config(points=50, seeds=3))
    one = compression.realisations(
        compression.Config(points=50, seeds=1, first_seed=2, device="cpu", alpha=0.5)
    )
    assert torch.equal(many.inputs[2], one.inputs[0])
    assert torch.equal(many.hidden[2], one.hidden[0])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"dimension": 1}, "dimension"),
        ({"alpha": 0.0}, "alpha"),
        ({"alpha": 1e6}, "float32"),
        ({"shares": (0.5, 0.1)}, "shares"),
        ({"shares": (0.0,)}, "shares"),
        ({"shares": (1.5,)}, "shares"),
        ({"d_parallel": 2}, "d_parallel"),
        ({"labels": "shells", "dimension": 2}, "dimension"),
        ({"labels": "shells", "boundaries": (-1.0,)}, "boundaries"),
        ({"kept": 201}, "kept"),
        ({"first_label": 0}, "first_label"),
        ({"longest": math.nan}, "longest"),
    ],
)
def test_bad_configurations(change, said):
    with pytest.raises((ValueError, TypeError), match=said):
        compression.Config(**change)


@pytest.mark.gpu
def test_on_a_gpu_as_on_a_cpu():
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    from dataclasses import replace

    config = replace(SMALL, points=400)
    cpu, gpu = (
        compression.run(replace(config, device=name), progress=False) for name in ("cpu", "cuda")
    )
    assert abs(cpu["time_at"].values - gpu["time_at"].values).max() < 0.02
