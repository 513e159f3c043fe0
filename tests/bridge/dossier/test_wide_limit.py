"""Infinite width and checkpoints: predictions against random networks, autograd and a network that has moved."""

import copy
from itertools import pairwise

import numpy as np
import pytest
import torch
from torch import nn

import bridge
from bridge.dossier import dense
from bridge.dossier.network import checked
from empirics import measure

DRAWS = 100


def network(activation, widths=(5, 300, 200, 3), bias=True, seed=0):
    torch.manual_seed(seed)
    layers = [
        part for n, m in pairwise(widths) for part in (nn.Linear(n, m, bias=bias), activation())
    ]
    return nn.Sequential(*layers[:-1]).double()


@pytest.fixture(scope="module")
def data():
    generator = torch.Generator().manual_seed(0)
    return torch.randn(16, 5, generator=generator, dtype=torch.float64), torch.arange(16) % 3


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("activation", "bias", "size"),
    [(nn.ReLU, True, 1), (nn.ReLU, True, 0.03), (nn.ReLU, False, 1), (nn.Tanh, True, 1)],
)
def test_predicted_kernels_are_means_over_random_networks(data, activation, bias, size):
    """Every entry within five standard errors, plus 1/n of the entry for the bias of finite width.

    Small inputs and biases that start at zero leave the gradients of the biases, a hundredth of the rest otherwise.
    """
    x = size * data[0][:4].numpy()
    wide = dense.dense_of(checked(network(activation, bias=bias), *data))
    weights, biases = wide.default_variances()
    variances = (weights, biases if size == 1 else [0.0] * 3)
    kernels, tangent = dense.wide_kernels(wide, *variances, x)
    draws = [dense.finite_kernels(wide, *variances, x, seed) for seed in range(DRAWS)]
    for place, predicted in ((0, kernels[0]), (1, kernels[1]), (2, tangent)):
        drawn = np.array([[*k, t][place] for k, t in draws])
        error = drawn.std(axis=0, ddof=1) / DRAWS**0.5
        assert np.all(np.abs(drawn.mean(axis=0) - predicted) < 5 * error + np.abs(predicted) / 200)
        assert np.all(error < 0.05 * np.abs(np.diag(predicted)).max())


@pytest.mark.parametrize("bias", [True, False])
def test_kernels_of_the_network_are_those_of_autograd(data, bias):
    model = network(nn.Sigmoid, bias=bias)
    found = dense.dense_of(checked(model, *data))
    kernels, tangent = dense.kernels_of(found, found.parameters(), data[0].numpy())
    assert np.allclose(tangent, measure.neural_tangent_gram(model, data[0]).numpy(), rtol=1e-12)
    with torch.no_grad():
        h = model[:4](data[0])
    assert np.allclose(kernels[1], (h @ h.T / 200).numpy(), rtol=1e-12)


class Skip(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.act = nn.Linear(5, 5), nn.Linear(5, 3), nn.ReLU()

    def forward(self, x):
        return self.b(self.act(self.a(x)) + x)


class Squared(nn.Module):
    """A function where a linear layer is expected."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(5, 5), nn.Linear(5, 3)

    def forward(self, x):
        return self.b(torch.tanh(torch.relu(torch.sigmoid(self.a(x)))))


class Functions(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(5, 9), nn.Linear(9, 8), nn.Linear(8, 3)

    def forward(self, x):
        return self.c(torch.tanh(self.b(torch.erf(self.a(x.flatten(1))))))


class Recurrent(nn.Module):
    """A layer that is used twice: its two gradients add up before they are squared."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(5, 5), nn.Linear(5, 3)

    def forward(self, x):
        return self.b(torch.tanh(self.a(torch.tanh(self.a(x)))))


def tied():
    model = network(nn.Tanh, widths=(5, 5, 5, 3))
    model[2].weight = model[0].weight
    return model


def test_which_networks_have_an_infinite_width_here(data):
    functions = dense.dense_of(checked(Functions(), *data))
    assert functions.widths == (5, 9, 8, 3)
    assert functions.names == ("erf()", "tanh()")
    assert functions.activations[0].function(0)(0.3) == pytest.approx(
        torch.erf(torch.tensor(0.3)).item(), rel=1e-6
    )
    for model, said in (
        (Skip(), "more than its linear layers"),
        (
            nn.Sequential(nn.Linear(5, 4), nn.LayerNorm(4), nn.Linear(4, 3)),
            "not an elementwise activation",
        ),
        (nn.Linear(5, 3), "only networks of linear layers"),
        (
            nn.Sequential(nn.LayerNorm(5), nn.ReLU(), nn.Linear(5, 3)),
            "only networks of linear layers",
        ),
        (Squared(), "only networks of linear layers"),
        (network(lambda: nn.GELU(approximate="tanh")), "none of the expressions"),
        (network(lambda: nn.GELU(approximate="tanh")).half(), "none of the expressions"),
        (Recurrent(), "share parameters"),
        (tied(), "share parameters"),
    ):
        with pytest.raises(ValueError, match=said):
            dense.dense_of(checked(model, *data))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_the_activation_of_a_network_in_half_precision_is_recognised(data, dtype):
    found = dense.dense_of(checked(network(nn.GELU).to(dtype), *data))
    assert found.activations == dense.dense_of(checked(network(nn.GELU), *data)).activations


@pytest.fixture(scope="module")
def checkpoints(data):
    """A network before and after a few hundred steps, with weights that have clearly moved."""
    model = network(nn.ReLU, widths=(5, 64, 64, 3))
    initial = copy.deepcopy(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(200):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(data[0]), data[1]).backward()
        optimizer.step()
    return {200: model, 0: initial}


@pytest.fixture(scope="module")
def moved(checkpoints, data):
    return bridge.dossier(checkpoints, *data, points=16, progress=False)


def test_a_random_network_does_not_disagree_and_a_trained_one_has_moved(moved):
    verdicts = {row["expectation"]: row["verdict"] for row in moved["network"].tables[0].rows}
    assert verdicts["Before training, kernels are those of infinite width"] != "disagrees"
    rows = moved["infinite width"].tables[0].rows
    assert len(moved["infinite width"].compared) == len(rows) == 6
    assert max(abs(row["after training, z"]) for row in rows) > 5
    initial = {row["quantity"]: row["before training"] for row in rows}
    compared = {
        one.label.removeprefix("before training, "): one.value
        for one in moved["infinite width"].compared
    }
    assert initial == pytest.approx(compared, rel=1e-5)


def test_a_network_with_kinks_has_no_curvature_and_says_so(moved):
    part = moved["geometry"]
    assert all(row["quantity"] != "scalar curvature" for row in part.tables[0].rows)
    assert any("curvature" in doubt.text for doubt in part.doubts)


def test_weights_of_twice_the_size_disagree(checkpoints, data):
    """With the variances of the default initialisation, the kernels of larger weights are beyond the band."""
    large = copy.deepcopy(checkpoints[0])
    with torch.no_grad():
        large[0].weight.mul_(2)
    found = bridge.dossier(large, *data, points=16, progress=False)["infinite width"]
    assert found.findings[0].startswith("The tangent kernel has")  # it may be trained or not
    assert (
        "outside of a recorded map" in found.findings[1]
        or "inside a recorded map" in found.findings[1]
    )
    rows = found.tables[0].rows
    assert rows[0]["quantity"] == "size of the kernel of layer 1"
    assert rows[0]["this network, z"] > 5


def test_checkpoints_are_those_measured_one_by_one(moved, checkpoints, data):
    rows = moved["training"].tables[0].rows
    for picture in moved["training"].pictures:
        axis = picture.figure.axes[0]
        assert all(tick >= 0 for tick in axis.get_xticks() if tick >= axis.get_xlim()[0])
    assert [row["step"] for row in rows] == ["0", "200"]
    last = checkpoints[200]
    with torch.no_grad():
        accuracy = (last(data[0]).argmax(1) == data[1]).double().mean().item()
        features = last[:4](data[0])
    assert rows[1]["accuracy"] == pytest.approx(accuracy)
    assert rows[1]["NC1"] == pytest.approx(
        measure.neural_collapse(features, data[1]).nc1, rel=1e-6
    )
    first, second = (measure.neural_tangent_gram(checkpoints[step], data[0]) for step in (0, 200))
    distance = 1 - (first * second).sum() / first.norm() / second.norm()
    assert rows[0]["distance of the kernel"] == pytest.approx(0, abs=1e-12)
    assert rows[1]["distance of the kernel"] == pytest.approx(distance.item(), rel=1e-9)
    assert moved["network"].findings[0].startswith(f"{accuracy:.1%}")


@pytest.mark.parametrize(
    ("model", "error", "said"),
    [
        ({}, ValueError, "no checkpoint"),
        ({"first": network(nn.ReLU)}, TypeError, "'first', needs numbers"),
        (
            {0: network(nn.ReLU), 1: network(nn.ReLU, widths=(5, 8, 3))},
            ValueError,
            "different layers",
        ),
    ],
)
def test_bad_checkpoints(data, model, error, said):
    with pytest.raises(error, match=said):
        bridge.dossier(model, *data)
