"""Tests of the geometry of ResNets on images: traces, measured points, reproducibility, bad input."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

pytest.importorskip("sklearn", reason="scikit-learn is not installed: no digits")

from empirics import measure
from empirics.experiments.geometry.images import measured, resnet, self_supervised
from empirics.experiments.geometry.images.augmentation import read, resized
from empirics.experiments.geometry.images.measured import decide
from empirics.experiments.geometry.images.training import refresh_batch_norm

SMALL = {
    "dataset": "digits", "image_size": 16, "train_size": 60, "test_size": 100, "width": 2, "epochs": 2,
    "batch_size": 20, "learning_rate": 0.02, "lines": 1, "positions": 5, "resolution": 3, "classes": (3, 8, 6),
    "precision": "model", "seeds": 1,
}  # fmt: skip
SUPERVISED = resnet.Config(**SMALL)
ROUNDING = 1e-5  # float32 features of batches of different sizes


@pytest.fixture(scope="module")
def trace():
    return resnet.run(SUPERVISED, progress=False)


def test_run_records_lines_planes_and_spectra(trace):
    sizes = {
        "seed": 1,
        "epoch": 3,
        "snapshot": 2,
        "line": 2,
        "position": 5,
        "plane": 2,
        "row": 3,
        "column": 3,
    }
    assert {name: trace.sizes[name] for name in sizes} == sizes
    assert trace.position.values.tolist() == [0, 0.25, 0.5, 0.75, 1]
    for name in trace.data_vars:
        assert trace[name].attrs["long_name"]
        if name not in ("training_loss", "line_distance", "plane_distance"):
            assert np.isfinite(trace[name]).all(), name
    assert np.isfinite(trace.training_loss[:, 1:]).all()
    assert (trace.line_distance > 0).all()
    first, second = trace.line_labels.isel(seed=0).values.T
    assert list(first == second) == [str(name).startswith("same") for name in trace.line.values]
    assert trace.plane_labels.isel(seed=0).values.tolist() == [[3, 8, 6], [3, 3, 3]]
    assert (
        trace.plane_images.isel(plane=0, corner=0) == trace.line_images.isel(line=0, end=0)
    ).all()


@pytest.mark.slow
def test_a_run_repeats_to_the_last_bit(trace):
    again = resnet.run(SUPERVISED, progress=False)
    for name in trace.data_vars:
        np.testing.assert_array_equal(trace[name], again[name], err_msg=name)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["barlow_twins", "simclr"])
def test_self_supervision_repeats_probes_and_trains_without_labels(method):
    config = self_supervised.Config(**SMALL, method=method, projection=6)
    one = self_supervised.run(config, progress=False)
    if method == "simclr":  # of the other method, the features are repeated below
        two = self_supervised.run(config, progress=False)
        for name in one.data_vars:
            np.testing.assert_array_equal(one[name], two[name], err_msg=name)
    # a probe, even of features that have learned nothing
    assert float(one.accuracy.sel(split="train").min()) > 0.2
    other = self_supervised.run(replace(config, penalty=100.0), progress=False)
    # the probe does not teach the features
    np.testing.assert_array_equal(one.line_log_volume, other.line_log_volume)
    assert not np.array_equal(one.line_logits, other.line_logits)


def test_the_learning_rate_rises_linearly_and_falls_along_a_cosine():
    rates = [self_supervised.share_of_the_rate(step, 0.25, 20) for step in range(20)]
    assert rates[:5] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
    assert rates[5:] == pytest.approx([(1 + math.cos(math.pi * k / 15)) / 2 for k in range(15)])
    assert {self_supervised.share_of_the_rate(step, 0.0, 20) for step in range(25)} == {1.0}


@pytest.mark.slow
def test_every_step_has_its_learning_rate():
    config = self_supervised.Config(**SMALL, projection=4, optimiser="adamw", warm_up=0.5)
    images = read(config, 0, torch.device("cpu"), self_supervised.IMAGENET)
    training = self_supervised.SelfSupervised(config).training(config.build(), images, 0)
    (group,) = training.changing["optimiser"].param_groups
    used = []
    training.changing["optimiser"].register_step_pre_hook(lambda *_: used.append(group["lr"]))
    for _ in range(config.epochs):
        training.epoch()
    assert used == pytest.approx([0.02 * share for share in (1 / 3, 2 / 3, 1, 1, 0.75, 0.25)])


def test_divergence_is_marked():
    config = replace(SUPERVISED, learning_rate=1e30, epochs=1)
    with pytest.warns(RuntimeWarning, match="diverged: seed 0 at epoch"):
        found = resnet.run(config, progress=False, on_divergence="mark")
    assert int(found.diverged_at[0]) > 0
    assert np.isnan(found.line_log_volume.isel(snapshot=-1)).all()


def test_lines_and_planes_pass_through_their_images():
    images = torch.randn(
        3, 2, 4, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0)
    )
    points = measured.line(images[:2], np.array([0.0, 0.25, 1.0]))
    assert torch.equal(points[0], images[0])
    assert torch.equal(points[2], images[1])
    np.testing.assert_allclose(points[1], 0.75 * images[0] + 0.25 * images[1], rtol=1e-15)
    corners = ((0.0, 0.0), (1.0, 0.0), (0.5, math.sqrt(3) / 2))
    for corner, image in zip(corners, images, strict=True):
        at = measured.plane(images, np.array([corner[0]]), np.array([corner[1]]))
        np.testing.assert_allclose(at[0], image, atol=1e-15)
    middle = measured.barycentric(np.array(0.5), np.array(math.sqrt(3) / 6))
    np.testing.assert_allclose(middle, 1 / 3)
    x, y = measured.plane_axes(5, 0.0)
    np.testing.assert_allclose([x[0], x[-1], np.ptp(y)], [0, 1, 1])
    assert measured.barycentric(x[:, None], y).sum(-1) == pytest.approx(1)
    with pytest.raises(ValueError, match=r"weights: got shape \[2, 2\]"):
        measured.mixed(images, np.ones((2, 2)))


def test_pairs_use_no_image_twice():
    labels = torch.tensor([0, 0, 1, 2, 0, 1, 1, 2, 0, 2, 1])
    for same in (True, False):
        found = measured.pairs(labels, 4, same=same, leave_out=frozenset({3}))
        used = [i for pair in found for i in pair]
        assert len(set(used)) == 8
        assert 3 not in used
        assert all((labels[i] == labels[j]) == same for i, j in found)
    with pytest.raises(ValueError, match="too few"):
        measured.pairs(labels, 6, same=True)


def test_distance_of_a_linear_classifier_is_exact():
    model = torch.nn.Linear(3, 2, dtype=torch.float64).eval()
    points = torch.randn(5, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    logits, distance = decide(model, points)
    normal = (model.weight[0] - model.weight[1]).detach()
    gap = (points @ normal + (model.bias[0] - model.bias[1]).detach()).abs()
    np.testing.assert_allclose(distance, gap / normal.norm(), rtol=1e-12)
    np.testing.assert_allclose(logits, model(points).detach())
    with pytest.raises(ValueError, match="training mode"):
        decide(model.train(), points)


def test_settled_statistics_are_those_of_the_images():
    model = SUPERVISED.build().train()
    images = read(SUPERVISED, 0, torch.device("cpu"), ((0.5,), (0.5,)))
    refresh_batch_norm(model, images.train, len(images.train))
    first = model.stem[0](images.train)
    np.testing.assert_allclose(
        model.stem[1].running_mean,
        first.mean(dim=(0, 2, 3)).detach(),
        rtol=ROUNDING,
        atol=ROUNDING,
    )
    assert model.training
    assert model.stem[1].momentum == 0.1
    volume = measure.log_volume_element(model.eval().features, images.test[:2])
    assert float(volume.min()) > -100  # an unsettled network has exp(-700) here at width 8


def test_settled_statistics_are_the_plain_average_over_the_batches():
    layer, inputs = (
        torch.nn.BatchNorm2d(3),
        torch.randn(7, 3, 2, 2, generator=torch.Generator().manual_seed(0)),
    )
    refresh_batch_norm(layer, inputs, 3)
    batches = inputs.tensor_split(3)
    mean = sum(batch.mean(dim=(0, 2, 3)) for batch in batches) / 3
    variance = sum(batch.var(dim=(0, 2, 3)) for batch in batches) / 3
    np.testing.assert_allclose(layer.running_mean, mean, rtol=ROUNDING, atol=ROUNDING)
    np.testing.assert_allclose(layer.running_var, variance, rtol=ROUNDING)


def test_resizing_averages_or_repeats():
    image = torch.arange(16.0).reshape(1, 1, 4, 4)
    assert resized(image, 2).tolist() == [[[[2.5, 4.5], [10.5, 12.5]]]]
    assert torch.equal(resized(image, 4), image)
    assert torch.equal(resized(resized(image, 8), 4), image)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"image_size": 12}, ValueError, "image_size: got 12"),
        ({"image_size": 4}, ValueError, "image_size: got 4"),
        ({"depth": 20}, ValueError, "depth: got 20"),
        ({"activation": "sine"}, ValueError, "activation: no activation 'sine'; did you mean sin"),
        ({"learning_rate": math.nan}, ValueError, "learning_rate: got nan"),
        ({"momentum": 1.0}, ValueError, "momentum: got 1.0"),
        ({"weight_decay": -1.0}, ValueError, "weight_decay: got -1.0"),
        ({"snapshots": (3,)}, ValueError, "snapshots: got 3"),
        ({"snapshots": "1"}, TypeError, "snapshots: got '1'"),
        ({"classes": (1, 1, 2)}, ValueError, "classes: got"),
        ({"classes": (1, 2, 10)}, ValueError, "classes: got"),
        ({"margin": -0.1}, ValueError, "margin: got -0.1"),
        ({"lines": 0}, ValueError, "lines: got 0"),
    ],
)
def test_bad_values_are_refused(change, error, message):
    with pytest.raises(error, match=message):
        replace(SUPERVISED, **change)


def test_bad_values_of_self_supervision_are_refused():
    for name, value in (
        ("projection", 1), ("temperature", 0.0), ("penalty", -1.0), ("warm_up", 1.0),
        ("smallest_crop", 0.0), ("largest_blur", 0.05), ("together", 0),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=f"{name}: got"):
            self_supervised.Config(**{**SMALL, name: value})
    with pytest.raises(TypeError, match=r"needs a geometry.resnet.Config"):
        resnet.run(self_supervised.Config(**SMALL))
    with pytest.raises(ValueError, match="test_size: got 20"):
        resnet.run(replace(SUPERVISED, test_size=20, lines=15), progress=False)


def test_snapshots_are_measured_in_order_and_once():
    assert replace(SUPERVISED, snapshots=(2, 1, 1)).measured_at == (0, 1, 2)
