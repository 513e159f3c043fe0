"""Tests of the grid of final distances: every cell is a two-point run of its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from empirics.experiments import two_point
from empirics.experiments.two_point import final_distances
from empirics.training.checkpoint import Checkpoint

ROUNDING = 1e-12  # of sums in another order, float64
CONFIG = final_distances.Config(
    input_distances=(0.7, 1.3), target_distances=(0.4, 0.0, 0.9), depth=3, width=12, epochs=60, learning_rate=0.05,
    seeds=2, first_seed=3, dtype="float64",
)  # fmt: skip


@pytest.fixture(scope="module")
def grid():
    return final_distances.run(CONFIG, progress=False)


def test_a_cell_is_a_two_point_run_of_its_seed():
    config = replace(CONFIG, architecture="dropout", seeds=1, first_seed=1)
    grid = final_distances.run(config, progress=False)
    for position, seed in enumerate(grid.seed.values):
        for number, (dx, dy) in enumerate(config.cells):
            one = replace(
                config.cell(dx, dy), first_seed=int(seed) * len(config.cells) + number, seeds=1
            )
            alone = two_point.run(one, progress=False).isel(seed=0)
            cell = grid.isel(seed=position).sel(input_distance=dx, target_distance=dy)
            for name, moment in (
                ("dh2_0", 0),
                ("dy2_0", 0),
                ("dh2", -1),
                ("dy2", -1),
                ("w", -1),
                ("loss", -1),
            ):
                alike = alone[name.removesuffix("_0")].isel(step=moment).values.item()
                assert cell[name].item() == pytest.approx(alike, rel=ROUNDING, abs=ROUNDING), (
                    name,
                    dx,
                    dy,
                )


def test_networks_that_stop_do_so_where_their_loss_is_first_small():
    config = replace(CONFIG, epochs=500, stop_at=1e-3)
    grid = final_distances.run(config, progress=False)
    assert grid.attrs["left_out_above"] == pytest.approx(1e-2)
    loss = grid.loss.values.ravel()
    assert np.sum(loss <= 1e-3) > len(loss) / 2
    for number, (dx, dy) in enumerate(config.cells):
        seed = config.first_seed * len(config.cells) + number
        alone = replace(config.cell(dx, dy), first_seed=seed, seeds=1)
        curve = two_point.run(alone, progress=False).isel(seed=0)
        small = np.flatnonzero(curve.loss.values <= 1e-3)
        last = small[0] if len(small) else -1
        cell = grid.isel(seed=0).sel(input_distance=dx, target_distance=dy)
        for name in ("dh2", "dy2", "w", "loss"):
            assert cell[name].item() == pytest.approx(
                curve[name].isel(step=last).values.item(), rel=ROUNDING, abs=ROUNDING
            )
        assert cell.dh2_0.item() == pytest.approx(curve.dh2.values[0].item(), rel=ROUNDING)


def test_dimensions(grid):
    assert dict(grid.sizes) == {"seed": 2, "input_distance": 2, "target_distance": 3}
    assert grid.seed.values.tolist() == [3, 4]
    assert (grid.network_diverged_at == -1).all()
    assert (grid.dh2 > 0).all()


def test_the_layer_just_past_the_middle_is_recorded():
    assert final_distances.Config().layer == 11
    assert replace(CONFIG, layer=3).layer == 3


def test_a_diverging_cell_is_marked(tmp_path):
    with pytest.warns(RuntimeWarning, match=r"seed 3, dx 0\.7, dy 0\.4 at epoch"):
        marked = final_distances.run(
            replace(CONFIG, learning_rate=90.0), progress=False, on_divergence="mark"
        )
    assert (marked.network_diverged_at > 0).all()
    assert np.isfinite(marked.dh2_0).all()
    checkpoint = Checkpoint(tmp_path / "grid.checkpoint", "key", seconds=0.0)
    for _ in range(2):  # the second time every network is in the checkpoint
        with pytest.warns(RuntimeWarning, match=r"seed 4, dx 1\.3, dy 0\.9 at epoch"):
            alone = final_distances.run(
                replace(CONFIG, learning_rate=90.0, stop_at=1e-9),
                progress=False,
                on_divergence="mark",
                checkpoint=checkpoint,
            )
        assert alone.network_diverged_at.equals(marked.network_diverged_at)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"input_distances": ()}, "input_distances: got none, needs at least one"),
        ({"input_distances": (0.0,)}, "input_distances: got 0"),
        ({"target_distances": (-1.0,)}, "target_distances: got -1"),
        ({"layer": 4}, "layer: got 4, needs an integer from 1 to 3"),
        ({"epochs": 0}, "epochs: got 0"),
        ({"gain": -1.0}, "gain: got -1"),
        ({"stop_at": -1e-4}, "stop_at: got -0.0001"),
        ({"kernel": 4}, "kernel: got 4, needs an odd number"),
    ],
)
def test_bad_input(changes, message):
    with pytest.raises(ValueError, match=message):
        replace(CONFIG, **changes)
    with pytest.raises(TypeError, match=r"target_distances: got 1\.0, needs a sequence"):
        replace(CONFIG, target_distances=1.0)
