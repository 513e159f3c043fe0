"""Tests of the state of Leaky ResNets: laws of critical networks, an independent computation, users' modules."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from empirics import measure
from empirics.data.teacher import teacher_data
from empirics.networks.leaky_resnet import initial_nets, single
from empirics.training.leaky_objective import Objective
from empirics.training.leaky_resnet import LeakySchedule, train_leaky

ROUNDING = 1e-11
DECAY = 0.02
CRITICAL = 1e-9


def critical(bias, mesh="irregular"):
    """A net trained to the last digits (three units, two points), its inputs and targets ``[point, dimension]``."""
    stream = torch.Generator().manual_seed(3)
    x, y = (torch.rand(3, 2, generator=stream, dtype=torch.float64) + 0.2 for _ in range(2))
    nets = initial_nets(
        seeds=[1],
        depth=2.0,
        inputs=3,
        outputs=3,
        width=3,
        layers=8,
        bias=bias,
        gain=0.3,
        mesh=mesh,
    )
    nets.input_map[0] = nets.output_map[0] = torch.eye(3, dtype=torch.float64)
    o = Objective(nets, x[None], y[None], torch.tensor([DECAY], dtype=torch.float64))
    done = train_leaky(o, LeakySchedule(adam=200, rate=0.03, polishing=400), progress=False)
    return single(done.nets), x.T, y.T


@pytest.mark.parametrize("bias", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_critical_nets(bias):
    model, x, y = critical(bias)
    state = measure.leaky_resnet_state(model, x, target=y, decay=DECAY)
    assert state.stationarity.max() < CRITICAL  # W = L̃ B σ(A)' in each layer, on an irregular mesh
    np.testing.assert_allclose(state.exchange, 0, atol=CRITICAL)
    # kinetic minus potential energy is the Hamiltonian where A is in the image
    assert state.image_residual.max() < 1e-9
    parts = state.kinetic_energy - state.cost_of_identity[:-1]  # L̃/2 = 1
    np.testing.assert_allclose(state.hamiltonian, parts, rtol=1e-7)
    weights = np.stack([layer.weight.detach().numpy() for layer in model.layers])
    norms = np.sqrt((weights**2).sum((1, 2)))
    np.testing.assert_allclose(2 * state.weight_from_momenta_norm, norms, rtol=1e-8)


@pytest.mark.slow
def test_hamiltonian_and_balancedness_settle_as_layers_are_added():
    """Both are exact in the continuum only: their spread over layers halves when the layers double."""
    spreads = []
    for layers in (8, 16):
        stream = torch.Generator().manual_seed(3)
        x, y = (torch.rand(3, 2, generator=stream, dtype=torch.float64) + 0.2 for _ in range(2))
        nets = initial_nets(
            seeds=[1], depth=2.0, inputs=3, outputs=3, width=3, layers=layers, gain=0.3
        )
        nets.input_map[0] = nets.output_map[0] = torch.eye(3, dtype=torch.float64)
        done = train_leaky(
            Objective(nets, x[None], y[None], torch.tensor([DECAY], dtype=torch.float64)),
            LeakySchedule(adam=200, rate=0.03, polishing=400), progress=False,
        )  # fmt: skip
        assert float(done.residual[-1, 0]) < 1e-6
        state = measure.leaky_resnet_state(single(done.nets), x.T, target=y.T, decay=DECAY)
        spreads.append([np.ptp(state.hamiltonian), np.abs(state.balancedness).max()])
        assert (
            np.ptp(state.weight_values.max(1) ** 2) > 3 * np.abs(state.balancedness).max() / layers
        )
    ratio = np.array(spreads[:-1]) / np.array(spreads[1:])
    assert bool((ratio > 1.6).all())
    assert bool((ratio < 2.6).all())


@pytest.mark.parametrize("bias", [True, False])
def test_against_plain_linear_algebra(bias, rng):
    """Dense inverses of K + γ, finite differences for B; well conditioned, so that this is enough."""
    nets = initial_nets(
        seeds=[0], depth=3.0, inputs=4, outputs=2, width=6, layers=5, bias=bias, mesh="irregular"
    )
    nets.weights += torch.from_numpy(rng.normal(size=nets.weights.shape))
    model = single(nets)
    x, y = torch.from_numpy(rng.normal(size=(9, 4))), torch.from_numpy(rng.normal(size=(9, 2)))
    state = measure.leaky_resnet_state(model, x, target=y, decay=0.3, gamma=0.05)
    a = nets.path(x.T[None])[0].numpy()
    rho = nets.rho[0].numpy()
    np.testing.assert_allclose(state.path, a, rtol=ROUNDING, atol=1e-13)
    negative = [np.sqrt((layer[layer < 0] ** 2).sum() / (layer**2).sum()) for layer in a]
    np.testing.assert_allclose(state.negative_share, negative, rtol=ROUNDING)
    np.testing.assert_allclose(
        state.position, np.concatenate([[0], np.cumsum(rho)]), rtol=ROUNDING
    )
    for node in range(6):
        s = np.maximum(a[node], 0)
        s = np.vstack([s, np.ones((1, 9))]) if bias else s
        gamma = 0.05 * np.linalg.norm(s, 2) ** 2
        inverse = np.linalg.inv(s.T @ s + gamma * np.eye(9))
        assert state.gamma[node] == pytest.approx(gamma, rel=ROUNDING)
        assert state.stable_cost_of_identity[node] == pytest.approx(
            np.trace(a[node] @ inverse @ a[node].T), rel=1e-9
        )
        b = state.momenta[node]
        at_node = 1.5 * np.sum((b @ s.T) ** 2) - 3 * np.trace(b @ a[node].T)
        assert state.hamiltonian_at_nodes[node] == pytest.approx(at_node, rel=1e-9)
        if node < 5:
            v = (a[node + 1] - a[node]) / rho[node]
            assert state.stable_kinetic_energy[node] == pytest.approx(
                np.trace(v @ inverse @ v.T) / 6, rel=1e-9
            )
            b = state.momenta[node + 1]
            layer = 1.5 * np.sum((b @ s.T) ** 2) - 3 * np.trace(b @ a[node].T)
            assert state.hamiltonian[node] == pytest.approx(layer, rel=1e-9)
            w = nets.weights[0, node].numpy()
            off = np.linalg.norm(w - 3 * b @ s.T) / np.linalg.norm(w)
            assert state.stationarity[node] == pytest.approx(off, rel=1e-9)
            np.testing.assert_allclose(
                state.weight_values[node], np.linalg.svd(w, compute_uv=False), rtol=1e-9
            )
    assert state.path_length == pytest.approx(
        sum(np.linalg.norm(a[i + 1] - a[i]) for i in range(5)), rel=ROUNDING
    )
    np.testing.assert_allclose(
        state.stable_hamiltonian,
        state.stable_kinetic_energy - 1.5 * state.stable_cost_of_identity[:-1],
        rtol=ROUNDING,
    )
    last = -2 / 9 / 0.3 * nets.output_map[0].numpy().T @ (model(x).detach().numpy() - y.numpy()).T
    np.testing.assert_allclose(state.momenta[-1], last, rtol=1e-10, atol=1e-14)


def test_without_a_target_there_are_no_momenta(rng):
    nets = initial_nets(seeds=[0], depth=3.0, inputs=4, outputs=2, width=6, layers=5)
    state = measure.leaky_resnet_state(single(nets), torch.from_numpy(rng.normal(size=(9, 4))))
    assert state.momenta is None
    assert state.hamiltonian is None
    assert state.stationarity is None
    assert state.weight_values.shape == (5, 6)


class Block(nn.Module):
    """A plain residual block as other people write it."""

    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(5, 5)

    def forward(self, a):
        return a + self.inner(torch.relu(a))


class Plain(nn.Module):
    """Residual blocks between two maps, in float32."""

    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(3, 5), nn.Linear(5, 2)
        self.blocks = nn.Sequential(Block(), Block(), Block())

    def forward(self, x):
        return self.last(self.blocks(self.first(x)))


NAMES = ["blocks.0", "blocks.1", "blocks.2"]


def test_plain_residual_module_by_its_layers_names(rng):
    model = Plain()
    x = torch.from_numpy(rng.normal(size=(6, 3))).float()
    y = torch.from_numpy(rng.normal(size=(6, 2))).float()
    state = measure.leaky_resnet_state(model, x, target=y, decay=0.5, layers=NAMES, depth=0)
    assert state.path.shape == (4, 5, 6)
    assert state.weight_values is None
    b, a = state.momenta, state.path
    s = [np.vstack([np.maximum(each, 0), np.ones((1, 6))]) for each in a]
    expected = [0.5 * np.sum((b[l + 1] @ s[l].T) ** 2) for l in range(3)]  # no leak, no potential
    np.testing.assert_allclose(state.hamiltonian, expected, rtol=1e-6)


def test_frozen_parameters_are_no_obstacle(rng):
    model = Plain().requires_grad_(False)
    x = torch.from_numpy(rng.normal(size=(6, 3))).float()
    state = measure.leaky_resnet_state(
        model, x, target=torch.zeros(6, 2), decay=1.0, layers=NAMES, depth=1.0
    )
    assert np.isfinite(state.momenta).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"layers": ["blocks.7"]}, "layers: got"),
        ({"layers": ["blocks.0", "blocks.0"]}, "needs distinct names"),
        ({"layers": None}, "layers: not given"),
        ({"layers": ["first", "last"]}, "gives another shape"),
        ({"decay": None}, "decay: needed together with target"),
        ({"decay": -1.0}, "decay: got -1"),
        ({"target": torch.zeros(6, 3)}, "target: got"),
        ({"gamma": 0.0}, "gamma: got 0"),
        ({"gamma": "small"}, "gamma: got 'small'"),
        ({"model": Plain().to("meta")}, "model: is on the device 'meta'"),
        ({"depth": -1.0}, "depth: got -1"),
        ({"rho": [0.5, 0.5]}, "rho: got"),
        ({"x": torch.full((6, 3), float("nan"))}, "x: got values that are not finite"),
    ],
)
def test_bad_values_are_refused(change, message):
    arguments = {
        "model": Plain(),
        "x": torch.ones(6, 3),
        "target": torch.zeros(6, 2),
        "decay": 1.0,
        "layers": NAMES,
        "depth": 1.0,
    }
    with pytest.raises((TypeError, ValueError), match=message):
        measure.leaky_resnet_state(**(arguments | change))


def test_layer_changed_in_place_is_refused():
    model = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3), nn.ReLU(inplace=True), nn.Linear(3, 3))
    with pytest.raises(ValueError, match="is changed in place later on"):
        measure.leaky_resnet_state(model, torch.randn(4, 3), layers=["0", "1"], depth=1.0)


def test_gap_follows_the_teacher_only_where_it_was_trained():
    """A network at initialisation has no gap at k* + 1; the spectra measured are those of its matrices."""
    data = teacher_data(0, (6, 2, 6), 40)
    nets = initial_nets(seeds=[0], depth=4.0, inputs=6, outputs=6, width=12, layers=8)
    state = measure.leaky_resnet_state(single(nets), data.x.T)
    np.testing.assert_allclose(
        state.activation_values[4], np.linalg.svd(state.path[4], compute_uv=False), rtol=1e-9
    )
    centred = state.path[4] - state.path[4].mean(1, keepdims=True)
    np.testing.assert_allclose(
        state.centred_values[4], np.linalg.svd(centred, compute_uv=False), rtol=1e-9
    )
    assert state.weight_values[4, 2] / state.weight_values[4, 3] < 3


class Normed(nn.Module):
    """A residual block with batch normalisation, ``[point, 4] -> [point, 4]``."""

    def __init__(self):
        super().__init__()
        self.norm, self.linear = nn.BatchNorm1d(4), nn.Linear(4, 4)

    def forward(self, x):
        return x + self.linear(self.norm(x).relu())


def blocks():
    torch.manual_seed(0)
    return nn.Sequential(Normed(), Normed())


def test_of_a_users_network_in_any_mode():
    """In training mode without gradients, on points of another precision."""
    net, x = blocks(), torch.randn(9, 4, dtype=torch.float64)
    given = {"layers": ["0", "1"], "depth": 1.0, "target": torch.ones(9, 4), "decay": 0.1}
    expected = measure.leaky_resnet_state(net, x.float(), **given)
    with torch.no_grad():
        found = measure.leaky_resnet_state(net, x, **given)
    np.testing.assert_array_equal(found.hamiltonian, expected.hamiltonian)
    with torch.inference_mode(), pytest.raises(RuntimeError, match="inference_mode"):
        measure.leaky_resnet_state(net, x, **given)
