"""Tests of collapse in all layers of a model: direct measurement, batch normalisation, and no side effects."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from empirics import measure, networks
from empirics.training import Partition

CLASSES = 3
SAME = 1e-12


@pytest.fixture
def sample(rng):
    y = torch.from_numpy(rng.integers(0, CLASSES, 120))
    return torch.from_numpy(rng.normal(size=(120, 6)).astype(np.float32)) + y[:, None], y


@pytest.fixture
def normed():
    torch.manual_seed(1)
    return nn.Sequential(
        nn.Linear(6, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.5), nn.Linear(8, CLASSES)
    )


@pytest.mark.parametrize("memory", [2**29, 0], ids=["one pass", "two passes"])
def test_is_what_one_gets_by_hand(sample, memory):
    x, y = sample
    net = networks.initialised(lambda: networks.mlp(6, (7, 5), CLASSES), 0)
    got = measure.layerwise_collapse(
        net, net.layers, Partition(x, y, 25), CLASSES, classifier="readout", memory=memory
    )
    with torch.no_grad():
        h = {"hidden.1": net.encoder(1)(x), "hidden.2": net.encoder(2)(x)}
        predictions = net(x).argmax(1)
    for name, features in h.items():
        last = name == "hidden.2"
        expected = measure.neural_collapse(
            features, y, predictions=predictions, weights=net.readout.weight if last else None
        )
        for key in ("nc1", "nc2_norm", "nc2_angle", "nc4", "within"):
            assert getattr(got[name], key) == pytest.approx(getattr(expected, key), rel=1e-5)
        assert np.isnan(got[name].nc3) == (not last)
    assert got["hidden.2"].nc3 == pytest.approx(expected.nc3, rel=1e-5)


def test_batch_statistics(sample, normed):
    x, y = sample
    batches = Partition(x, y, 40)
    running = measure.layerwise_collapse(normed, ["1"], batches, CLASSES)["1"]
    batch = measure.layerwise_collapse(normed, ["1"], batches, CLASSES, batch_statistics=True)["1"]
    with torch.no_grad():
        by_hand = torch.cat(
            [
                (h - h.mean(0)) / (h.var(0, correction=0) + 1e-5).sqrt()
                for h in (normed[0](b) for b, _ in batches)
            ]
        )
    labels = torch.cat([b for _, b in batches])
    assert batch.nc1 == pytest.approx(measure.neural_collapse(by_hand, labels).nc1, rel=1e-4)
    assert running.nc1 != pytest.approx(batch.nc1, rel=1e-3)


def test_a_loader_that_shuffles_is_noticed(sample, normed):
    loader = DataLoader(TensorDataset(*sample), batch_size=8, shuffle=True)
    with pytest.raises(
        ValueError, match="the same batches where batch normalisation uses their statistics"
    ):
        measure.layerwise_collapse(normed, ["1"], loader, CLASSES, batch_statistics=True, memory=0)


class Restless(nn.Module):
    """Learns while it is looked at."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(6, CLASSES)

    def forward(self, x):
        self.layer.weight.mul_(1.01)
        return self.layer(x)


def test_weights_that_move_are_noticed(sample):
    with pytest.raises(RuntimeError, match="parameters changed while it was measured"):
        measure.layerwise_collapse(Restless(), ["layer"], Partition(*sample, 60), CLASSES)


class Both(nn.Sequential):
    """A model that gives its logits and its features."""

    def __init__(self):
        super().__init__(nn.Linear(6, 8), nn.Linear(8, CLASSES))

    def forward(self, x):
        features = self[0](x)
        return self[1](features), features


class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared, self.idle, self.pair = nn.Linear(6, 6), nn.Linear(6, 6), nn.LSTM(6, CLASSES)

    def forward(self, x):
        return self.pair(self.shared(self.shared(x)))[0]


@pytest.mark.parametrize(
    ("change", "error", "complaint"),
    [
        ({"model": len}, TypeError, "model: got builtin_function_or_method"),
        ({"layers": "0"}, TypeError, "layers: got '0', needs a sequence"),
        ({"layers": []}, ValueError, "layers: got"),
        ({"layers": ["0", "0"]}, ValueError, "each once"),
        ({"layers": ["7"]}, ValueError, "layers: got '7', needs one of 0, 1, 2, 3, 4"),
        ({"batches": iter([])}, TypeError, "batches: got an iterator"),
        ({"batches": []}, ValueError, "batches: are none"),
        ({"batches": 3}, TypeError, "batches: got int, needs"),
        (
            {"batches": torch.ones(3, 4)},
            TypeError,
            r"batches: got Tensor, needs .*\(inputs, labels\)",
        ),
        (
            {"batches": [torch.ones(3, 4)]},
            TypeError,
            r"batches: got Tensor as a batch, needs \(inputs, labels\)",
        ),
        (
            {"batches": [(torch.ones(4), torch.tensor(0))]},
            ValueError,
            "batches: got a single sample, .*DataLoader",
        ),
        ({"classifier": "2"}, TypeError, "classifier: got ReLU, needs the name of an nn.Linear"),
        ({"classes": 2}, ValueError, "labels: got 0 ... 2"),
        ({"memory": "lots"}, ValueError, "memory: got 'lots'"),
        ({"classes": 4}, ValueError, r"model: gives shape \[60, 3\], needs \[batch, 4\]"),
        (
            {"model": Twice(), "layers": ["shared"]},
            ValueError,
            "'shared': is reached 2 times, needs one call",
        ),
        ({"model": Both()}, TypeError, r"model: gives tuple, needs one tensor \[batch, 3\]"),
    ],
)
def test_bad_input(sample, normed, change, error, complaint):
    good = {
        "model": normed,
        "layers": ["0"],
        "batches": Partition(*sample, 60),
        "classes": CLASSES,
    }
    with pytest.raises(error, match=complaint):
        measure.layerwise_collapse(**(good | change))


def test_inputs_and_labels_are_divided_into_batches(sample, normed):
    x, y = sample
    found = measure.layerwise_collapse(normed, ["0"], (x.numpy(), y.numpy()), CLASSES)["0"].nc1
    assert found == measure.layerwise_collapse(normed, ["0"], Partition(x, y), CLASSES)["0"].nc1


class Block(nn.Module):
    """A residual block as torchvision has it: what follows a layer adds to its output, and rectifies it, in place."""

    def __init__(self, in_place):
        super().__init__()
        self.linear, self.norm, self.relu = (
            nn.Linear(6, 6),
            nn.BatchNorm1d(6),
            nn.ReLU(inplace=in_place),
        )
        self.readout = nn.Linear(6, CLASSES)
        self.in_place = in_place

    def forward(self, x):
        h = self.norm(self.linear(x))
        h = h.add_(x) if self.in_place else h + x
        return self.readout(self.relu(h))


@pytest.mark.parametrize("memory", ["1MB", 0], ids=["one pass", "two passes"])
def test_what_follows_in_place_does_not_reach_a_layer(sample, memory):
    x, y = sample
    one, two = Block(True), Block(False)
    two.load_state_dict(one.state_dict())
    layers = ["linear", "norm", "relu"]
    got, expected = (
        measure.layerwise_collapse(net, layers, Partition(x, y, 40), CLASSES, memory=memory)
        for net in (one, two)
    )
    for layer in layers:
        assert got[layer].nc1 == pytest.approx(expected[layer].nc1, rel=SAME)
    assert abs(got["norm"].nc1 / got["relu"].nc1 - 1) > 0.01  # else the lines above say nothing


def test_batches_of_arrays_and_models_made_in_inference_mode(sample):
    x, y = sample
    torch.manual_seed(0)
    with torch.inference_mode():
        net = nn.Sequential(nn.Linear(6, 5), nn.ReLU(), nn.Linear(5, CLASSES))
        found = measure.layerwise_collapse(net, ["1"], [(x.numpy(), y.numpy())], CLASSES)["1"]
    assert found.nc1 == measure.layerwise_collapse(net, ["1"], [(x, y)], CLASSES)["1"].nc1


def test_inputs_in_another_precision_than_the_model(sample, normed):
    x, y = sample
    expected = measure.layerwise_collapse(normed, ["0"], (x, y), CLASSES)["0"].nc1
    assert (
        measure.layerwise_collapse(normed, ["0"], (x.double().numpy(), y), CLASSES)["0"].nc1
        == expected
    )
    in_double = measure.layerwise_collapse(normed.double(), ["0"], (x, y), CLASSES)["0"].nc1
    assert in_double == pytest.approx(expected, rel=1e-5)
    assert in_double != expected
