"""Random networks of finite width: the tangent kernel against autograd, and both ways of drawing against each other."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
import torch
from scipy import stats

from empirics import experiments
from empirics.experiments.finite_width import Config
from empirics.seeding import generator

RUN = import_module(
    "empirics.experiments.finite_width.run"
)  # the package has a function of this name
SIGNIFICANT = 1e-4  # chance of a false alarm of a comparison, were the seeds not fixed


def written_out(config: Config, seed: int) -> tuple[float, float, float]:
    """Kernel, output and tangent kernel of one network, as a function of a list of parameters."""
    stream = generator(seed, "weights")

    def normal(*shape):
        return torch.randn(shape, generator=stream, dtype=torch.float64)[0].requires_grad_()

    parameters, below = [], torch.tensor([config.norm**0.5], dtype=torch.float64)
    weight, bias = config.weight_variance**0.5, config.bias_variance**0.5
    for _ in range(config.depth):
        matrix, shift = normal(1, config.width, below.numel()), normal(1, config.width)
        parameters += [matrix, shift]
        below = torch.tanh(weight / below.numel() ** 0.5 * matrix @ below + bias * shift)
    readout, last = normal(1, config.width), normal(1)
    parameters += [readout, last]
    output = weight / config.width**0.5 * readout @ below + bias * last
    slopes = torch.autograd.grad(output, parameters)
    tangent = sum(float(slope.square().sum()) for slope in slopes)
    kernel = weight**2 * below.square().mean() + bias**2
    return float(kernel.detach()), float(output.detach()), tangent


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_a_network_is_what_its_parameters_say_and_the_tangent_kernel_that_of_autograd(
    depth, monkeypatch
):
    config = Config("tanh", 7, depth, 0.6, 1.5, 0.3, networks=2, seeds=1, first_seed=5)
    # with one network in memory at a time, parameters are drawn in the order of the layers
    monkeypatch.setattr(RUN, "AT_ONCE", 1)
    drawn = RUN.draw(config, 5)
    first = (float(values[0]) for values in drawn[:3])
    assert tuple(first) == pytest.approx(written_out(config, 5), rel=1e-12)


@pytest.mark.parametrize("act", ["relu", "sin"])
def test_units_given_the_layer_below_have_the_law_of_weights(act):
    base = Config(act, 8, 3, bias_variance=0.2, networks=4000, seeds=1)
    weights, units = (
        experiments.run(base.changed(draw=draw, first_seed=seed), progress=False)
        for seed, draw in enumerate(("weights", "units"))
    )
    for name in ("kernel", "output"):
        both = (trace[name].values.ravel() for trace in (weights, units))
        assert stats.ks_2samp(*both).pvalue > SIGNIFICANT
    assert np.isnan(units["tangent"]).all()
    assert (weights["tangent"] > 0).all()


@pytest.mark.parametrize("act", ["relu", "sin"])
def test_both_ways_of_drawing_have_the_same_kernels_of_two_inputs(act):
    base = Config(
        act, 8, 3, bias_variance=0.2, networks=4000, seeds=1, other_norm=2.0, cosine=-0.6
    )
    weights, units = (
        experiments.run(base.changed(draw=draw, first_seed=seed), progress=False)["matrix"]
        for seed, draw in enumerate(("weights", "units"))
    )
    for entry in ("xx", "xy", "yy"):
        both = (matrix.sel(entry=entry).values.ravel() for matrix in (weights, units))
        assert stats.ks_2samp(*both).pvalue > SIGNIFICANT
    # products of entries depend on the joint law
    both = (matrix.prod("entry").values.ravel() for matrix in (weights, units))
    assert stats.ks_2samp(*both).pvalue > SIGNIFICANT


@pytest.mark.parametrize("draw", ["weights", "units"])
def test_the_first_of_two_inputs_is_the_only_one_of_another_run(draw):
    """The same weights see both inputs; a network that is dead at one input has no number that is not one."""
    two = Config(width=2, depth=4, networks=300, seeds=1, draw=draw, other_norm=3.0)
    trace = experiments.run(two, progress=False)
    assert np.array_equal(trace["kernel"], trace["matrix"].sel(entry="xx"))
    assert (trace["kernel"] == 0).any()
    assert np.isfinite(trace["matrix"]).all()
    assert "matrix" not in experiments.run(two.changed(other_norm=None), progress=False)


def test_kernels_of_two_inputs_are_those_of_the_weights(monkeypatch):
    config = Config("tanh", 5, 1, 0.6, 1.5, 0.3, networks=2, seeds=1, other_norm=0.9, cosine=0.2)
    monkeypatch.setattr(RUN, "AT_ONCE", 1)
    matrix = RUN.draw(config, 5).matrix[0].numpy()
    stream = generator(5, "weights")
    weights, biases = (
        torch.randn(shape, generator=stream, dtype=torch.float64)[0].numpy()
        for shape in ((1, 5, 2), (1, 5, 1))
    )
    sine = (1 - 0.2**2) ** 0.5
    points = np.array([[0.6**0.5, 0.9**0.5 * 0.2], [0, 0.9**0.5 * sine]])
    features = np.tanh(1.5**0.5 * weights @ points + 0.3**0.5 * biases)
    gram = 1.5 * features.T @ features / 5 + 0.3
    assert matrix == pytest.approx(gram[np.triu_indices(2)], rel=1e-12)


def test_the_number_of_networks_in_memory_is_bounded_and_all_are_drawn(monkeypatch):
    config = Config("erf", 5, 2, networks=11, seeds=1)
    monkeypatch.setattr(RUN, "AT_ONCE", 100)
    trace = experiments.run(config, progress=False)
    assert trace.sizes["network"] == 11
    assert len(np.unique(trace["kernel"])) == 11


@pytest.mark.parametrize(
    ("field", "value"),
    [("width", 0), ("depth", 0), ("networks", 1), ("norm", 0.0), ("bias_variance", -1.0), ("draw", "x"),
     ("other_norm", 0.0), ("cosine", 1.0)],
)  # fmt: skip
def test_what_is_no_network_is_refused_by_name(field, value):
    with pytest.raises(ValueError, match=field):
        Config(**{field: value})
