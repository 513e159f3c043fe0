"""Tests of networks on larger data sets: their data, training against autograd, distances, parity, and resuming."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
import torch

from empirics import networks
from empirics.experiments.two_point import many_points
from empirics.experiments.two_point.many_points.points import points
from empirics.experiments.two_point.many_points.run import Follower, odd_even
from empirics.experiments.two_point.table_2 import TABLE_2
from empirics.seeding import generator
from empirics.training.checkpoint import Checkpoint

ROUNDING = 1e-11  # of float64 sums in another order, after some steps
XOR = many_points.Config(
    depth=2,
    width=9,
    gain=1.1,
    learning_rate=0.2,
    epochs=30,
    records=3,
    seeds=2,
    dtype="float64",
    layer=2,
)
BLOBS = many_points.Config(
    dataset="blobs", side=4, recorded=18, activation="tanh", depth=3, width=8, gain=1.0, learning_rate=0.3, epochs=4,
    records=2, batch_size=5, pairs=11, seeds=2, first_seed=5, dtype="float64",
)  # fmt: skip
PRINTED = """
XOR low weights          leaky_relu 0.7    0.015       1000  500 20
XOR intermediate weights leaky_relu 1.25   0.002       1000  500 20
XOR high weights         leaky_relu 2.0    0.000000003 1000  500 20
XOR 2 layers             leaky_relu 0.0015 0.03        40000 500 1
blobs very low weights   tanh       0.275  0.05        2000  100 4
blobs low weights        tanh       0.5    0.015       1500  100 4
blobs high weights       tanh       2.0    0.0015      750   100 4
MNIST trajectories       leaky_relu 0.5    0.003       200   200 4
MNIST structure          leaky_relu 0.5    0.005       200   200 4
"""


def test_table_2_is_as_printed():
    rows = [line.rsplit(maxsplit=6) for line in PRINTED.strip().splitlines()]
    assert [row[0] for row in rows] == list(TABLE_2)
    for name, *row in rows:
        c = TABLE_2[name]
        assert row[:1] + row[3:] == [c.activation, str(c.epochs), str(c.width), str(c.depth)]
        outputs = 10 if c.dataset == "mnist" else 1  # the printed rate is for a mean over outputs
        assert (c.gain, outputs * c.learning_rate) == (float(row[1]), pytest.approx(float(row[2])))


def naive(config, seed):
    """The network of one seed as a module of torch, trained by its optimiser on the same batches."""
    x, y = points(config).x, points(config).y
    net = networks.build(
        "fully_connected", activation=config.activation, inputs=x.shape[1], outputs=y.shape[1], width=config.width,
        depth=config.depth,
    )  # fmt: skip
    module = networks.single(net, networks.initial_weights(net, config.gain, [seed]))
    optimiser = {"gd": torch.optim.SGD, "adam": torch.optim.Adam}[config.optimiser](
        module.parameters(), lr=config.learning_rate
    )
    stream, size = generator(seed, "batches"), config.batch_size or len(x)
    for _ in range(config.epochs):
        order = torch.randperm(len(x), generator=stream) if size < len(x) else torch.arange(len(x))
        for batch in order.split(size):
            optimiser.zero_grad()
            ((module(x[batch]) - y[batch]).square().sum() / (2 * len(batch))).backward()
            optimiser.step()
    return module, x, y


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "config", [XOR, BLOBS, replace(BLOBS, optimiser="adam", learning_rate=0.01)], ids=str
)
def test_training_is_that_of_a_plain_module(config):
    data = many_points.run(config, progress=False).isel(epoch=-1)
    recorded = points(config).recorded
    for position, seed in enumerate(config.seed_numbers):
        module, x, y = naive(config, seed)
        with torch.no_grad():
            output, hidden = module(x), dict(module.named_children())
            kept = []
            handle = hidden["hidden"][str(config.layer)].register_forward_hook(
                lambda *a, kept=kept: kept.append(a[2])
            )
            module(x[recorded])
            handle.remove()
        loss = (output - y).square().sum(dim=1).mean() / 2
        assert float(data.loss[position]) == pytest.approx(float(loss), rel=ROUNDING)
        np.testing.assert_allclose(data.outputs[position], output[recorded], rtol=0, atol=ROUNDING)
        pairs = itertools.combinations(kept[0], 2)
        expected = [float((a - b).square().sum()) for a, b in pairs]
        np.testing.assert_allclose(
            data.distance2[position], expected, rtol=ROUNDING, atol=ROUNDING
        )


def test_xor_is_the_exclusive_or():
    learned = points(XOR)
    assert (
        learned.y[:, 0].tolist()
        == [int(a) ^ int(b) for a, b in learned.x.tolist()]
        == [0, 1, 1, 0]
    )


def test_blobs_are_where_their_labels_say():
    learned = points(BLOBS)
    assert learned.x.shape == (2 * 4**2, 27)
    images, context = learned.x[:, :25].reshape(-1, 5, 5), learned.x[:, 25:].argmax(dim=1)
    torch.testing.assert_close(images.sum(dim=(1, 2)), torch.ones(32, dtype=torch.float64))
    place = torch.linspace(-1, 1, 5, dtype=torch.float64)
    # rises with the blob's place
    means = torch.stack([images.sum(dim=2) @ place, images.sum(dim=1) @ place], dim=1)
    for number, (image, which) in enumerate(zip(images, context.tolist(), strict=True)):
        first, second = -1 + 2 / 3 * (number % 16 // 4), -1 + 2 / 3 * (number % 4)
        pixel = torch.exp(-((place[:, None] - first) ** 2 + (place - second) ** 2) / 2)
        torch.testing.assert_close(image, pixel / pixel.sum())
        assert float(learned.y[number]) == pytest.approx((first, second)[which])
        assert float(means[number][0]) * first >= 0
    labels = {name: values.tolist() for name, values in learned.labels.items()}
    assert len(learned.recorded) == 18  # 3 x 3 places, 2 contexts
    for position, index in enumerate(learned.recorded.tolist()):
        target = labels["first" if labels["context"][position] == 0 else "second"][position]
        assert float(learned.y[index]) == pytest.approx(target)
        assert int(context[index]) == labels["context"][position]


def test_mnist_is_sorted_by_digit_and_its_classes_are_as_far_apart_as_their_images(read_images):
    config = many_points.Config(
        dataset="mnist", images=40, recorded=12, depth=1, width=6, gain=1.0, learning_rate=0.01, batch_size=16,
        epochs=2, records=5, seeds=1, layer=1,
    )  # fmt: skip
    read_images(config)
    data = many_points.run(config, progress=False)
    assert data.epoch.values.tolist() == [0, 1, 2]  # no more records than epochs
    learned = points(config)
    digits = learned.y.argmax(dim=1)
    assert data.point_digit.values.tolist() == sorted(digits[:12].tolist())
    np.testing.assert_array_equal(data.target.argmax("output"), data.point_digit)
    assert 0 < float(data.accuracy[0, -1]) <= 1
    first, second = 0, 1
    apart = [
        float((a - b).norm())
        for a in learned.x[digits == first]
        for b in learned.x[digits == second]
    ]  # every pair of a zero and a one
    assert float(data.class_distance[first, second]) == pytest.approx(np.mean(apart), rel=1e-5)
    assert float(data.class_count[first]) == int((digits == first).sum())
    with pytest.raises(ValueError, match="images: got 60001"):
        replace(config, images=60001)


def test_a_linear_network_has_no_even_part_and_a_bent_one_that_of_its_formula(rng):
    x = torch.from_numpy(rng.normal(size=(2, 6, 3)))
    for kind in ("linear", "tanh"):
        net = networks.build(
            "fully_connected", activation=kind, inputs=3, outputs=2, width=7, depth=3
        )
        weights = networks.initial_weights(net, 1.5, [0, 1])
        odd, even, out_odd, out_even = odd_even(net, weights, 2, x[0], x[1])
        if kind == "linear":
            assert float(max(even.max(), out_even.max())) < 1e-14
            assert float(min(odd.min(), out_odd.min())) > 0
            continue
        for seed in range(2):
            one, two, last, out = (weight[seed] for weight, _ in weights)

            def encode(point, one=one, two=two):
                return torch.tanh(torch.tanh(point @ one) @ two)

            def decode(h, last=last, out=out):
                return torch.tanh(h @ last) @ out

            h1, h2, middle = encode(x[0]), encode(x[1]), encode((x[0] + x[1]) / 2)
            torch.testing.assert_close(odd[seed], (h2 - h1).norm(dim=1) / 2)
            torch.testing.assert_close(even[seed], ((h1 + h2) / 2 - middle).norm(dim=1))
            torch.testing.assert_close(out_odd[seed], (decode(h2) - decode(h1)).norm(dim=1) / 2)
            between = (decode(h1) + decode(h2)) / 2 - decode((h1 + h2) / 2)
            torch.testing.assert_close(out_even[seed], between.norm(dim=1))


def test_an_interrupted_run_goes_on_to_the_same_bits(tmp_path, monkeypatch):
    whole = many_points.run(BLOBS, progress=False)
    checkpoint = Checkpoint(tmp_path / "run", "key", seconds=0.0)
    learn, passes = Follower.learn, []

    def stop_once(self):
        passes.append(1)
        if len(passes) == 4:
            raise KeyboardInterrupt
        learn(self)

    monkeypatch.setattr(Follower, "learn", stop_once)
    with pytest.raises(KeyboardInterrupt):
        many_points.run(BLOBS, progress=False, checkpoint=checkpoint)
    resumed = many_points.run(BLOBS, progress=False, checkpoint=checkpoint)
    assert len(passes) == 5  # three, the interrupted one, and the last one again
    assert resumed.drop_attrs().identical(whole.drop_attrs())


def test_divergence_is_marked_or_an_error():
    wild = replace(XOR, learning_rate=1e4)
    with pytest.raises(ArithmeticError, match="training diverged: seed 0 at epoch 10"):
        many_points.run(wild, progress=False)
    with pytest.warns(RuntimeWarning, match="training diverged"):
        marked = many_points.run(wild, progress=False, on_divergence="mark")
    assert marked.diverged_at.values.tolist() == [10, 10]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"layer": 3}, "layer: got 3, needs an integer from 1 to 2"),
        ({"batch_size": 0}, "batch_size: got 0"),
        ({"recorded": 1001}, "recorded: got 1001, needs at most 1,000"),
        ({"dataset": "blobs", "recorded": 7}, "recorded: got 7, needs at least 8"),
        ({"learning_rate": 0.0}, "learning_rate: got 0"),
        ({"records": 0}, "records: got 0"),
    ],
)
def test_bad_input(changes, message):
    with pytest.raises(ValueError, match=message):
        replace(XOR, **changes)
