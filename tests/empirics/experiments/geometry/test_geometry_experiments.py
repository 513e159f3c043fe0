"""Tests of the geometry experiments: configurations, tiny runs, and known values."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

from empirics import data, measure
from empirics.experiments.geometry import (
    bayesian,
    mnist,
    random_networks,
    symmetric_units,
    trained,
)
from empirics.experiments.geometry.gaussian_start import drawn, output_scales
from empirics.experiments.geometry.mnist.records import build, choose, features_of, triangle
from empirics.experiments.geometry.trained.run import (
    batches,
    initial,
    logits,
    points,
    scaled,
)
from empirics.networks.staged import initialised
from empirics.seeding import generator, generators
from empirics.training.loop import DivergedError

PLANE = trained.Config(
    task="xor", widths=(6, 3), layers=(1, 2), epochs=20, checkpoints=(0, 20), grid=5, seeds=2
)
IMAGES = mnist.Config(
    dataset="digits", widths=(70,), train_size=40, test_size=30, batch_size=20, epochs=1, checkpoints=(0, 1), images=3,
    lines=2, steps=3, triples=(7, 6, 1, 0, 3, 5), plane=3,
)  # fmt: skip
RANDOM = random_networks.Config(widths=(5, 8, 11), realisations=3, inputs=3, directions=2)
BAYESIAN = bayesian.Config(widths=(4, 6, 8), realisations=3, draws=5, inputs=2)
UNITS = symmetric_units.Config(radii=2, angles=2)


@pytest.mark.parametrize(
    ("config", "field", "value", "message"),
    [
        (RANDOM, "activation", "relu", "activation: got 'relu'"),
        (RANDOM, "widths", (5, 8), "widths: .* at least 3, increasing"),
        (RANDOM, "widths", (2, 8, 9), "widths: got 2, needs an integer of at least 3"),
        (RANDOM, "zeta", 0.0, "zeta: got 0.0"),
        (BAYESIAN, "degree", 7, "degree: got 7, needs at most 6"),
        (BAYESIAN, "squared_target", 0.0, "squared_target: got 0.0"),
        (BAYESIAN, "widths", (8, 9), "widths: .* at least 3, increasing"),
        (UNITS, "units", 2, "units: got 2"),
        (PLANE, "checkpoints", (0, 21), "checkpoints: got 21, needs an integer from 0 to 20"),
        (PLANE, "layers", (3,), "layers: got 3"),
        (PLANE, "widths", (), "widths: got none"),
        (PLANE, "momentum", 1.0, "momentum: got 1.0"),
        (IMAGES, "widths", (64,), "widths: .* more than 64 units"),
        (IMAGES, "steps", 4, "steps: got 4, needs an odd number"),
        (IMAGES, "curved_lines", 3, "curved_lines: got 3, needs at most lines = 2"),
        (IMAGES, "checkpoints", (2,), "checkpoints: got 2, needs an integer from 0 to 1"),
        (IMAGES, "probes", 1, "probes: got 1"),
        (IMAGES, "first_line", (7, 7), "first_line: .* two distinct classes, or none"),
        (IMAGES, "first_line", (7,), "first_line: .* two distinct classes, or none"),
        (IMAGES, "first_line", (7, 10), "first_line: got 10, needs an integer from 0 to 9"),
        (IMAGES, "start", "normal", "start: got 'normal'"),
    ],
)
def test_impossible_configurations_are_refused(config, field, value, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(config, **{field: value})


def test_random_networks_are_what_was_drawn_and_depend_on_the_seed_alone():
    found = random_networks.run(RANDOM, progress=False)
    again = random_networks.run(RANDOM, progress=False)
    assert found.equals(again)
    assert dict(found.sizes) == {"width": 3, "realisation": 3, "direction": 2, "input": 3}
    network = random_networks.draw(RANDOM, 8, 1 * 3 + 2)  # second width, third realisation
    # second direction: the opposite one
    at = torch.tensor([[0.0, 0.0], [-2.0, 0.0]], dtype=torch.float64)
    metric = measure.metric(network, at).numpy()
    cell = found["volume_element"].isel(width=1, realisation=2, direction=1).values
    np.testing.assert_allclose(cell[:2], np.sqrt(np.linalg.det(metric)), rtol=1e-10)
    values = found["volume_element"].isel(input=0).values
    # at the origin, all directions are one
    np.testing.assert_allclose(values[..., 0], values[..., 1], rtol=1e-12)


def test_metric_of_sampled_networks_is_that_of_their_features():
    config = dataclasses.replace(BAYESIAN, degree=3)
    weights = bayesian.draw(config, 4, seed=1)
    x = torch.tensor([[0.3, -0.8]], dtype=torch.float64)
    for one, found in zip(weights, bayesian.metrics(config, weights, x[0]), strict=True):
        expected = measure.metric(lambda z, one=one: config.activation(z @ one.T) / 2, x)[0]
        torch.testing.assert_close(found, expected, rtol=1e-12, atol=0)


def test_posterior_samples_have_the_posterior_mean_of_the_kernel():
    """For one input dimension in effect: the mean of K under the density of K, by weighted samples of the prior."""
    config = dataclasses.replace(BAYESIAN, degree=1, squared_target=4.0, draws=40_000)
    kernel = bayesian.draw(config, 4, seed=0)[..., 0].square().mean(dim=1).numpy()
    prior = np.random.default_rng(0).chisquare(4, size=1_000_000) / 4
    weight = prior**-0.5 * np.exp(-2.0 / prior)
    error = kernel.std() / np.sqrt(kernel.size)
    # the prior mean is 40 errors away
    assert abs(kernel.mean() - (weight * prior).sum() / weight.sum()) < 5 * error


def test_tasks_are_as_printed():
    x, labels = points("xor", 9, 0)
    assert {(tuple(point), label) for point, label in zip(x.tolist(), labels.tolist(), strict=True)} == {
        ((-1.0, -1.0), 0), ((-1.0, 1.0), 1), ((1.0, -1.0), 1), ((1.0, 1.0), 0),
    }  # fmt: skip
    x, labels = points("sinusoid", 300, 1)
    assert x.shape == (300, 2)
    assert float(x.abs().max()) <= 1
    np.testing.assert_array_equal(labels, x[:, 1] > 0.5 * torch.sin(7 * x[:, 0] - 1))


def test_networks_trained_together_are_those_trained_alone():
    """Against torch's own layers and optimiser, one network at a time."""
    config = dataclasses.replace(PLANE, weight_decay=1e-3, widths=(6,), layers=(1,))
    found = trained.run(config, progress=False)
    for s, seed in enumerate(config.seed_numbers):
        parts = initial(config.widths, [seed], torch.device("cpu"))
        layers = [nn.Linear(2, 6, dtype=torch.float64), nn.Linear(6, 2, dtype=torch.float64)]
        for layer, (weight, bias) in zip(layers, parts, strict=True):
            layer.weight.data, layer.bias.data = (
                weight[0].T.detach().clone(),
                bias[0, 0].detach().clone(),
            )
        net = nn.Sequential(layers[0], nn.Sigmoid(), layers[1])
        optimiser = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-3)
        x, labels = points("xor", 4, seed)
        for _ in range(config.epochs):
            optimiser.zero_grad()
            nn.functional.cross_entropy(net(x), labels).backward()
            optimiser.step()
        one = found.isel(seed=s, epoch=-1)
        corner = torch.tensor([[one.x.values[-1], one.y.values[0]]])
        logits = net(corner)[0].detach()
        assert float(one.margin[0, -1]) == pytest.approx(float(logits[1] - logits[0]), rel=1e-9)
        features = nn.Sequential(net[0], net[1])
        # two inputs, divided by sqrt(6)
        volume = float(measure.log_volume_element(features, corner)) - np.log(6.0)
        assert float(one.log_volume.isel(layer=0)[0, -1]) == pytest.approx(volume, rel=1e-9)


def test_curvature_is_zero_for_two_units_and_not_for_three():
    found = trained.run(dataclasses.replace(PLANE, widths=(2, 3)), progress=False)
    assert (found["curvature"].sel(layer=1) == 0).all()
    assert (np.abs(found["curvature"].sel(layer=2)) > 0).any()


def test_divergence_is_raised_or_marked():
    config = dataclasses.replace(PLANE, activation="softplus", learning_rate=1e200)
    with pytest.raises(DivergedError):
        trained.run(config, progress=False)
    with pytest.warns(RuntimeWarning, match="training diverged"):
        found = trained.run(config, progress=False, on_divergence="mark")
    assert (found["diverged_at"] == 20).all()
    assert np.isfinite(found["loss"].isel(epoch=0)).all()


def test_images_are_measured_where_they_are_said_to_be():
    pytest.importorskip("sklearn")
    found = mnist.run(IMAGES, progress=False)
    assert found.equals(
        mnist.run(IMAGES, progress=False).assign({n: found[n] for n in found if "seconds" in n})
    )
    one = found.isel(seed=0)
    assert (one["line_label"][:, 0] != one["line_label"][:, 1]).all()
    np.testing.assert_array_equal(one["anchor_label"], [[7, 6, 1], [0, 3, 5]])
    for name in (
        "image_log_volume",
        "image_curvature",
        "line_log_volume",
        "spectrum",
        "plane_log_volume",
    ):
        assert np.isfinite(one[name]).all(), name
    assert np.isfinite(one["line_curvature"][:, 0]).all()
    assert np.isnan(one["line_curvature"][:, 1]).all()  # asked for on one segment only
    pixels = data.load(
        IMAGES.dataset, split="train", count=IMAGES.train_size, seed=int(one["seed"]), flatten=True
    ).images.numpy()
    assert int(one["constant_pixels"]) == sum(len(set(values)) == 1 for values in pixels.T)
    # the log-volume of an anchor is half the sum of the logarithms of its spectrum
    corners = [int(np.argmax(one["weight"].values[:, c])) for c in range(3)]
    half = np.log(one["spectrum"].values[-1]).sum(axis=1) / 2
    np.testing.assert_allclose(one["plane_log_volume"].values[-1, 0, corners], half, rtol=1e-9)
    assert (one["plane_log_volume"][0] != one["plane_log_volume"][-1]).all()  # through training
    assert ((one["image_entropy"] > 0) & (one["image_entropy"] <= np.log(10))).all()


def test_triangle_weights():
    weights = triangle(4, 0.0)
    assert weights.shape == (10, 3)
    torch.testing.assert_close(weights.sum(dim=1), torch.ones(10, dtype=torch.float64))
    assert float(weights.min()) >= -1e-15
    assert float(triangle(4, 0.5).min()) == pytest.approx(1 / 3 - 1.5 / 3)


def test_a_gaussian_start_divides_the_output_of_every_later_layer():
    config = trained.Config(
        task="xor", widths=(6, 3), start="gaussian", seeds=2, epochs=1, checkpoints=(0,), grid=3
    )
    parameters = initial(config.widths, (0, 1), torch.device("cpu"), "gaussian")
    networks = scaled(parameters, output_scales(config.widths, config.start))
    x = torch.zeros(2, 4, 2, dtype=torch.float64) + torch.tensor([0.3, -0.7])
    hidden = torch.sigmoid(x @ parameters[0][0] + parameters[0][1])
    hidden = torch.sigmoid((hidden @ parameters[1][0] + parameters[1][1]) / 6**0.5)
    expected = (hidden @ parameters[2][0] + parameters[2][1]) / 3**0.5
    assert_close(logits(networks, x, "sigmoid"), expected)
    many = initial((400,), range(20), torch.device("cpu"), "gaussian")
    for numbers in many[0]:
        assert float(numbers.detach().mean()) == pytest.approx(0.0, abs=0.05)
        assert float(numbers.detach().var()) == pytest.approx(1.0, abs=0.05)


def test_classifiers_of_images_have_the_same_gaussian_start():
    """Against the released program by hand: N(0, 1), and outputs of later layers over the root of their inputs."""
    config = dataclasses.replace(IMAGES, widths=(70, 80), start="gaussian")
    model = initialised(lambda: build(config), 3)
    (a, p), (b, q), (c, r) = drawn((64, 70, 80, 10), generator(3, "weights"))
    assert float(a.var()) == pytest.approx(1.0, abs=0.1)  # 4,480 numbers: five errors are 0.11
    x = data.load("digits", split="test", count=5, seed=0, flatten=True).images.double()
    hidden = torch.sigmoid((torch.sigmoid(x @ a + p) @ b + q) / 70**0.5)
    assert_close(model.double()(x), (hidden @ c + r) / 80**0.5, rtol=1e-5, atol=1e-5)
    assert_close(features_of(model, config)(x), hidden / 80**0.5, rtol=1e-5, atol=1e-6)
    shallow = dataclasses.replace(config, widths=(70,))
    (a, p), _ = drawn((64, 70, 10), generator(3, "weights"))
    jacobian = torch.func.vmap(torch.func.jacrev(lambda x: torch.sigmoid(x @ a + p[0]) / 70**0.5))(
        x
    )
    expected = torch.linalg.svdvals(jacobian).log().sum(dim=1)
    volume = measure.log_volume_element(
        features_of(initialised(lambda: build(shallow), 3), shallow), x
    )
    assert_close(volume, expected, rtol=1e-5, atol=1e-4)


def test_the_first_line_joins_the_classes_that_are_asked_for():
    test = data.load("digits", split="test", count=60, seed=4, flatten=True)
    usual, asked = (
        choose(test, dataclasses.replace(IMAGES, first_line=ends, lines=5), 4)
        for ends in ((), (7, 6))
    )
    assert asked.ends[0].tolist() == [7, 6]
    assert usual.ends[0].tolist() != [7, 6]
    assert (asked.ends[:, 0] != asked.ends[:, 1]).all()
    corners = asked.anchors[0]  # the first images of 7, 6 and 1, as without the option
    assert torch.equal(asked.line[0, [0, -1]], corners[:2])
    assert torch.equal(corners, usual.anchors[0])
    ends = asked.line[:, [0, -1]].reshape(10, -1)
    assert len(torch.unique(ends, dim=0)) == 10  # no image is on two lines


def test_batches_are_of_each_seeds_own_order_and_drop_the_rest():
    config = trained.Config(points=10, batch_size=4, seeds=2, epochs=1, checkpoints=(0,), grid=3)
    x = torch.arange(20.0).reshape(2, 10, 1).expand(2, 10, 2)
    drawn = list(batches(config, x, x[..., 0].long(), generators((0, 1), "batches")))
    assert [tuple(inputs.shape) for inputs, _ in drawn] == [(2, 4, 2)] * 2
    labels = torch.cat([targets for _, targets in drawn], dim=1)
    assert all(len(set(row.tolist())) == 8 for row in labels)
    assert (labels[0] < 10).all()
    assert (labels[1] >= 10).all()
    assert not torch.equal(labels[0], labels[1] - 10)
    whole = trained.Config(points=10, seeds=2, epochs=1, checkpoints=(0,), grid=3)
    assert len(list(batches(whole, x, x[..., 0].long(), []))) == 1


def test_a_run_in_batches_has_the_same_bits_and_is_not_that_of_all_points():
    config = trained.Config(
        points=20,
        batch_size=5,
        start="gaussian",
        height=0.6,
        seeds=2,
        epochs=6,
        checkpoints=(0, 6),
        grid=3,
    )
    whole = trained.run(config, progress=False)
    again = trained.run(config, progress=False)
    assert (whole["margin"] == again["margin"]).all()
    other = trained.run(dataclasses.replace(config, batch_size=None), progress=False)
    assert not (whole["margin"][:, -1] == other["margin"][:, -1]).any()
