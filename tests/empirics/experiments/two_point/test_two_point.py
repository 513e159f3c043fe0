"""Tests of the trace of a two-point run: its shapes, its identities, and training that diverges."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from empirics.experiments import two_point
from empirics.training import DivergedError

ROUNDING = 1e-14
CONFIG = two_point.Config(
    depth=5,
    width=14,
    seeds=3,
    first_seed=7,
    epochs=40,
    layers=(2, 5),
    inputs=3,
    outputs=2,
    learning_rate=0.02,
)
CURVES = ("dh2", "dy2", "w", "loss", "output_mean")


@pytest.fixture(scope="module")
def data():
    return two_point.run(CONFIG, progress=False)


def test_dimensions_and_labels(data):
    assert dict(data.sizes) == {"seed": 3, "step": 41, "layer": 2, "output": 2}
    assert data.seed.values.tolist() == [7, 8, 9]
    assert data.layer.values.tolist() == [2, 5]
    assert data.step.values.tolist() == list(range(41))
    assert data.step.attrs["units"] == "epoch"
    assert data.dh2.dims == ("seed", "step", "layer")
    assert data.output_mean.dims == ("seed", "step", "output")
    assert data.dy2.dims == data.w.dims == data.loss.dims == ("seed", "step")
    assert all(data[name].dtype == np.float64 for name in CURVES)
    assert data.attrs["dx2"] == pytest.approx(1.0, rel=ROUNDING)
    assert data.attrs["target2"] == pytest.approx(0.5, rel=ROUNDING)
    assert np.allclose(
        json.loads(data.attrs["target_mean"]),
        (0.6 + math.sqrt(0.5) / 2) / math.sqrt(2),
        rtol=ROUNDING,
    )
    assert data.attrs["learning_rate"] == 0.02
    assert (data.diverged_at == -1).all()


def test_loss_is_its_two_parts(data):
    """Eq. 9 without its first approximation: L = ½|mean error|² + ¼(w + ½(V - dy2)), exactly."""
    mean_error = data.output_mean - np.array(json.loads(data.attrs["target_mean"]))
    parts = (mean_error**2).sum("output") / 2 + (
        data.w + (data.attrs["target2"] - data.dy2) / 2
    ) / 4
    np.testing.assert_allclose(data.loss, parts, rtol=0, atol=ROUNDING)
    assert float(data.loss.isel(step=0).min()) > 0.1


def test_state_is_possible(data):
    """Cauchy–Schwarz: (dy2 - w)² <= dy2 V; and equal for scalar outputs."""
    dot2 = (data.dy2 - data.w) ** 2
    assert (dot2 <= data.dy2 * data.attrs["target2"] * (1 + ROUNDING)).all()
    scalar = two_point.run(replace(CONFIG, outputs=1), progress=False)
    np.testing.assert_allclose(
        (scalar.dy2 - scalar.w) ** 2, scalar.dy2 * scalar.attrs["target2"], rtol=1e-12
    )


def test_layers_do_not_change_the_training(data):
    every = two_point.run(replace(CONFIG, layers=(1, 2, 3, 4, 5)), progress=False)
    assert every.dh2.sel(layer=[2, 5]).drop_attrs().identical(data.dh2.drop_attrs())


def test_more_epochs_only_go_on(data):
    longer = two_point.run(replace(CONFIG, epochs=150), progress=False)
    assert longer.isel(step=slice(41)).drop_attrs().identical(data.drop_attrs())


def test_float32_follows_float64():
    exact = two_point.run(replace(CONFIG, dtype="float64"), progress=False)
    rounded = two_point.run(CONFIG, progress=False)
    for name in CURVES:
        # 40 steps of 1e-7 relative rounding
        np.testing.assert_allclose(rounded[name], exact[name], rtol=0, atol=1e-5)


def test_default_trains_to_the_end():
    data = two_point.run(
        two_point.Config(depth=3, width=30, seeds=2, epochs=1500, learning_rate=0.02),
        progress=False,
    )
    assert float(data.loss.isel(step=-1).max()) < 1e-6
    assert abs(float(data.dy2.isel(step=-1).mean()) - 0.5) < 1e-3


def test_divergence_is_an_error_that_names_the_seed():
    with pytest.raises(
        DivergedError, match=r"training diverged: seed 7 at epoch \d+, seed 8"
    ) as caught:
        two_point.run(replace(CONFIG, learning_rate=50.0), progress=False)
    assert set(caught.value.epochs) == {"seed 7", "seed 8", "seed 9"}


def test_divergence_can_be_marked():
    config = replace(CONFIG, learning_rate=50.0)
    with pytest.warns(RuntimeWarning, match=r"training diverged: seed 7 at epoch \d+, seed 8"):
        data = two_point.run(config, progress=False, on_divergence="mark")
    for seed in data.seed:
        epoch = int(data.diverged_at.sel(seed=seed))
        assert epoch > 0
        finite = np.isfinite(data.loss.sel(seed=seed)) & np.isfinite(data.dh2.sel(seed=seed)).all(
            "layer"
        )
        assert finite[:epoch].all()
        assert not finite[epoch]


def test_missing_gpu_is_an_error(torch):
    if torch.cuda.is_available():
        pytest.skip("there is a CUDA device")
    with pytest.raises(ValueError, match="torch sees no CUDA device"):
        two_point.run(replace(CONFIG, device="cuda"))


@pytest.mark.gpu
def test_gpu_follows_cpu(torch):
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    for changes in ({}, {"architecture": "skip"}, {"optimiser": "adam", "learning_rate": 1e-3}):
        config = replace(CONFIG, dtype="float64", **changes)
        cpu, gpu = (
            two_point.run(replace(config, device=device), progress=False)
            for device in ("cpu", "cuda")
        )
        for name in CURVES:
            # sums in another order, 40 steps
            np.testing.assert_allclose(gpu[name], cpu[name], rtol=0, atol=1e-9)
