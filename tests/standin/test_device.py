"""Measures and experiments on a device that exists only on paper, which raises where a real device would.

Measures must find what they find on the CPU. Experiments must run to their end; of their traces only shapes and the
places of NaN are compared, since training amplifies differences in the last bits. See ``tests.standin.device``.
"""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import torch as t
from torch import nn

import bridge
import empirics
from bridge.campaign import driver
from empirics import experiments, measure, seeding
from empirics.experiments import two_point
from empirics.measure.collapse.basis import freeze
from empirics.networks.leaky_resnet import initial_nets, single
from empirics.sweep import store
from empirics.training import Optimisation
from tests.standin.device import PaperTensor, needs_such_devices, paper_device

pytestmark = [pytest.mark.slow, needs_such_devices]
SAME = 1e-9  # sums may be ordered differently
_draw = t.Generator().manual_seed(0)
NET = nn.Sequential(nn.Linear(3, 9), nn.GELU(), nn.Linear(9, 7), nn.Tanh()).double()
X = t.randn(6, 3, generator=_draw, dtype=t.float64)
CLASSES = t.arange(30) % 3
FEATURES = t.randn(30, 4, generator=_draw, dtype=t.float64) + CLASSES[:, None]


@pytest.fixture
def device(monkeypatch):
    with paper_device(monkeypatch) as mode:
        yield mode


def numbers(value):
    """All numbers of a result, in one array."""
    if isinstance(value, t.Tensor):
        return value.detach().cpu().double().numpy().ravel()
    if dataclasses.is_dataclass(value):
        value = [getattr(value, field.name) for field in dataclasses.fields(value)]
    if isinstance(value, (tuple, list)):
        parts = [numbers(part) for part in value]
        return np.concatenate(parts) if parts else np.zeros(0)
    return (
        np.zeros(0)
        if value is None or isinstance(value, str)
        else np.ravel(np.asarray(value, dtype=float))
    )


def spread(accumulator, x, labels):
    for part in (slice(0, 7), slice(7, 30)):
        accumulator.update(x[part], labels[part])
    return accumulator


def two_passes(x, labels):
    means = spread(measure.CollapseMeans(3), x, labels)
    return spread(measure.CollapseScatter(freeze(means)), x, labels).result()


def leaky_state(x):
    model = single(
        initial_nets(seeds=[0], depth=2.0, inputs=3, outputs=2, width=4, layers=3).to(x.device)
    )
    return measure.leaky_resnet_state(model, x)


RESULTS = {  # types that the measures return
    "CallSite", "CurvatureEstimate", "InformationBound", "LeakyResNetState", "NeuralCollapse", "NonsingularVolume",
    "ResampledNC1", "TangentComponents", "TwoPointState", "UsableInformation",
}  # fmt: skip
MEASURES = {
    "metric": lambda net, x, f, y: measure.metric(net, x),
    "metric_spectrum": lambda net, x, f, y: measure.metric_spectrum(net, x),
    "log_volume_element": lambda net, x, f, y: measure.log_volume_element(net, x),
    "scalar_curvature": lambda net, x, f, y: measure.scalar_curvature(net, x),
    "scalar_curvature of a function": lambda net, x, f, y: measure.scalar_curvature(
        lambda z: net(z), x
    ),
    "scalar_curvature_estimate": lambda net, x, f, y: measure.scalar_curvature_estimate(
        net, x[:2], 20
    ),
    "neural_tangent_gram": lambda net, x, f, y: measure.neural_tangent_gram(net, x),
    "boundary_distance": lambda net, x, f, y: measure.boundary_distance(net, x),
    "neural_collapse": lambda net, x, f, y: measure.neural_collapse(f, y),
    "relabelling_digits": lambda net, x, f, y: measure.relabelling_digits(y, 3),
    "amplification": lambda net, x, f, y: measure.amplification(f),
    "neuron_vectors": lambda net, x, f, y: measure.neuron_vectors(f, f[:, 0]),
    "label_information": lambda net, x, f, y: measure.label_information(f, (y > 0).long()),
    "CollapseMeans and CollapseScatter": lambda net, x, f, y: two_passes(f, y),
    "resampled_nc1": lambda net, x, f, y: measure.resampled_nc1(f, y, count=3),
    "layerwise_collapse": lambda net, x, f, y: [
        *measure.layerwise_collapse(net, ["1", "4"], [(f[:, :3], y)], 3).values()
    ],
    "tangent_components": lambda net, x, f, y: (
        measure.tangent_components(net, f[:, :3], (y > 0).long(), components=3).eigenvalues
    ),
    "gram_components": lambda net, x, f, y: (
        measure.gram_components(f @ f.T, (y > 0).long(), components=3).projections
    ),
    "effective_dimension": lambda net, x, f, y: measure.effective_dimension(
        f[:, 0].outer(f[:, 1]).reshape(-1, 3)
    ),
    "two_neighbour_dimension": lambda net, x, f, y: measure.two_neighbour_dimension(f),
    "nonsingular_volume": lambda net, x, f, y: measure.nonsingular_volume(net, x),
    "stretch": lambda net, x, f, y: measure.stretch(net, x, x + 1),
    "call_sites": lambda net, x, f, y: [site.features for site in measure.call_sites(net, x)],
    "path_state": lambda net, x, f, y: measure.path_state(
        f[:12].reshape(4, 3, 4), f[0, :3].abs() + 1, 2.0
    ),
    "leaky_resnet_state": lambda net, x, f, y: leaky_state(x),
    "usable_information": lambda net, x, f, y: (
        measure.usable_information(
            None,
            lambda: nn.Linear(4, 3),
            (f.float(), y),
            optimisation=Optimisation(epochs=2),
            progress=False,
        ).sufficiency.cross_entropy
    ),
    "two_point_state": lambda net, x, f, y: measure.two_point_state(
        net, "1", x[0], x[1], f[0, :1], f[1, :1] + 3
    ),
}
OUTPUTS = {"two_point_state": 1, "layerwise_collapse": 3}


@pytest.mark.parametrize("name", MEASURES)
def test_measures_find_on_the_device_what_they_find_on_the_cpu(name, device):
    call = MEASURES[name]
    net = nn.Sequential(*NET, nn.Linear(7, OUTPUTS[name]).double()) if name in OUTPUTS else NET
    state = {key: value.clone() for key, value in net.state_dict().items()}
    here = numbers(call(net, X, FEATURES, CLASSES))
    try:
        there = call(net.to("paper"), *(part.to("paper") for part in (X, FEATURES, CLASSES)))
    finally:
        net.to("cpu").load_state_dict(state)
    if isinstance(there, t.Tensor):
        assert there.device.type == "paper"
    np.testing.assert_allclose(numbers(there), here, rtol=SAME, atol=SAME)


def test_every_public_measure_is_here():
    named = {word for name in MEASURES for word in name.split()}
    assert set(measure.__all__) - RESULTS <= named


def test_watching_on_the_device(device):
    def watched(place):
        model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 3)).to(place, t.float64)
        with t.no_grad():
            for number, parameter in enumerate(model.parameters()):
                parameter.copy_(
                    t.sin(t.arange(parameter.numel(), dtype=t.float64) + number).reshape(
                        parameter.shape
                    )
                )
        x, y = FEATURES[:, :3].to(place), CLASSES.to(place)
        optimiser = t.optim.SGD(model.parameters(), lr=0.1)
        with empirics.watch(model, x, y, every=2, points=6) as run:
            for _ in range(4):
                optimiser.zero_grad()
                nn.functional.cross_entropy(model(x), y).backward()
                optimiser.step()
        return run.trace, dict(run.left_out)

    (here, left_out), (there, left_out_there) = watched("cpu"), watched("paper")
    assert left_out_there == left_out
    assert set(there.data_vars) == set(here.data_vars)
    for name in here.data_vars:
        if here[name].dtype.kind == "f" and "second" not in name:
            np.testing.assert_allclose(
                there[name], here[name], rtol=1e-6, atol=1e-9, err_msg=str(name)
            )


def test_a_dossier_of_a_network_on_the_device(device, tmp_path):
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 3)).double().to("paper")
    report = bridge.dossier(model, FEATURES[:, :3].to("paper"), CLASSES.to("paper"))
    assert "could not" not in str(report)
    report.write(tmp_path)
    assert (tmp_path / "index.html").exists() or list(tmp_path.iterdir())


def test_a_campaign_on_the_device(monkeypatch, tmp_path):
    """The part of a campaign that its process does."""
    configs = {
        "small": two_point.Config(depth=2, width=5, seeds=2, epochs=20).changed(device="paper")
    }
    problems = []
    with paper_device(monkeypatch):
        driver._work(str(tmp_path), configs, SimpleNamespace(send=problems.append))
    assert problems == [""]
    assert (
        store.load(store.path_of(configs["small"], tmp_path)).attrs["device"].startswith("paper")
    )


def test_the_stand_in_raises_where_a_device_would(device):
    there = t.ones(3, device="paper")
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        there + t.ones(3)
    with pytest.raises(TypeError, match="to numpy"):
        np.asarray(there)
    with pytest.raises(RuntimeError, match="generator and numbers are on different devices"):
        t.randn(3, device="paper", generator=t.Generator())
    with pytest.raises(RuntimeError, match="Expected all tensors"):
        t.ones(3)[t.tensor([0], device="paper")]
    assert isinstance(
        t.randn(3, device="paper", generator=seeding.generator(0, "weights", "paper")), PaperTensor
    )
    assert not sum(device.waits.values())
    assert float(there.sum()) == 3
    assert sum(device.waits.values()) == 1


def test_backward_passes_with_threads(device):
    weight = t.ones(3, device="paper", requires_grad=True)
    with t.autograd.set_multithreading_enabled(True):
        (weight * weight).sum().backward()
    assert weight.grad.tolist() == [2, 2, 2]


def test_the_device_is_registered_before_the_first_backward_pass():
    """In a process in which a test of another folder comes first, and trains."""
    first = "tests/empirics/watching/test_watch.py::test_steps_are_those_of_the_optimizer_of_this_model"
    then = "tests/standin/test_device.py::test_backward_passes_with_threads"
    options = ("-q", "-p", "no:cacheprovider", "-m", "slow or not slow")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, first, then], capture_output=True, text=True
    )
    assert "2 passed" in done.stdout, done.stdout


def experiment_configs():
    """The first small configuration of every experiment that takes a device."""
    found = {}
    for study in experiments.STUDIES.values():
        for label, config in study.configs("smoke").items():
            if hasattr(config, "device"):
                found.setdefault(
                    config.experiment, pytest.param(config, id=f"{config.experiment}: {label}")
                )
    return list(found.values())


@pytest.mark.parametrize("config", experiment_configs())
def test_experiments_run_on_the_device(config, trained, monkeypatch):
    (here,) = trained([config])
    with paper_device(monkeypatch):
        there = experiments.run(dataclasses.replace(config, device="paper"), progress=False)
    assert there.attrs["device"].startswith("paper")
    for name in here.data_vars:
        one, other = here[name].values, there[name].values
        assert one.shape == other.shape, name
        if one.dtype.kind == "f" and "second" not in name:
            assert np.array_equal(np.isnan(one), np.isnan(other)), name
