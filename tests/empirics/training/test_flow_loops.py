"""Loops of the hinge flow against products of matrices in float64, over shapes that fill no block and no vector."""

import itertools

import numpy as np
import pytest
import torch

from closedform import loops
from empirics.training import flow_loops, hidden_layer
from empirics.training.hinge_flow import HingeFlow
from tests.empirics.training.test_hinge_flow import problem

pytestmark = pytest.mark.skipif(not loops.is_installed(), reason="needs numba, the extra fast")
# Sums of at most 700 numbers in float32, in lanes: their rounding grows as the root, and is a few units of 2^-24.
CLOSE = 2e-6
# Realisations, points, d, neurons. Each d is compiled anew, so that the fast tests of this file share one of them.
SHAPES = [
    (1, 1, 3, 1),
    (2, 37, 3, 21),
    (1, 700, 3, 33),
    (1, 9, 3, 1100),  # two blocks of neurons
    pytest.param((3, 64, 11, 16), marks=pytest.mark.slow),
]


@pytest.fixture
def way(monkeypatch):
    """Switch between the two ways, whatever the size of a network."""
    sizes = {"loops": 0, "products": float("inf")}
    return lambda name: monkeypatch.setattr(hidden_layer, "FEWEST", sizes[name])


def singles(realisations, points, d, width, **options):
    return HingeFlow(
        *(each.float() for each in problem(realisations, points, d, width)), **options
    )


def exactly(flow):
    """Margins and forces of a flow by its definition, in float64."""
    x, y, hidden, output = (
        each.double() for each in (flow.inputs, flow.labels, flow.hidden, flow.output)
    )
    before, beta = (each.double() for each in flow.initial)
    z, h, p = x @ hidden.mT, output.shape[1], y.shape[1]
    f, start = (
        2**0.5 / h * (each.clamp_min(0) * weights[:, None]).sum(dim=2)
        for each, weights in ((z, output), (x @ before.mT, beta))
    )
    margins = y * flow.alpha * (f - start)
    pull = (y * (flow.margins < 1) / p)[..., None] * x
    return margins, ((z > 0).double().mT @ pull), f


@pytest.mark.parametrize("shape", SHAPES)
def test_margins_and_forces_are_those_of_the_definition(way, shape):
    way("loops")
    flow = singles(*shape, alpha=0.5)
    layer = hidden_layer.hidden_layer(flow.inputs, flow.hidden, flow.output)
    assert type(layer).__name__ == "LoopedLayer"
    assert not flow.margins.any()  # the same sums at the start, to the bit
    for _ in range(12):
        flow.step()
    margins, forces, f = exactly(flow)
    torch.testing.assert_close(
        flow.margins.double(), margins, rtol=0, atol=CLOSE * float(f.abs().max())
    )
    # A neuron whose hyperplane runs through a point, to rounding, may count it on either side.
    torch.testing.assert_close(
        flow.forces.double(), forces, rtol=0, atol=CLOSE * float(forces.abs().max())
    )


@pytest.mark.parametrize("loss", ["hinge", "soft_hinge"])
def test_a_training_is_the_same_to_rounding_both_ways(way, loss):
    found = []
    for name in ("products", "loops"):
        way(name)
        flow = singles(2, 90, 3, 40, alpha=1e-3, loss=loss)
        for _ in range(40):
            flow.step()
        found.append(flow)
    slow, fast = found
    assert torch.equal(slow.steps, fast.steps)
    torch.testing.assert_close(slow.time, fast.time, rtol=1e-4, atol=0)
    torch.testing.assert_close(slow.hidden, fast.hidden, rtol=1e-3, atol=1e-4)


def test_fitted_points_and_other_networks_change_nothing(way):
    way("loops")
    flow = singles(3, 13, 3, 50, alpha=1.0)
    while not 0.5 < float(flow.fitted[1]) < 1:  # few points pull
        flow.step()
    rows = torch.arange(3)
    together, alone = (
        flow._evaluate(r, flow.hidden[r], flow.output[r]) for r in (rows, rows[1:2])
    )
    for ours, theirs in zip(together, alone, strict=True):
        assert torch.equal(ours[1:2], theirs)
    _, forces, _ = exactly(flow)
    torch.testing.assert_close(alone[1][0].double(), forces[1], rtol=0, atol=CLOSE)


def beside_each_other(arrays, order):
    """Return copies of the arrays, which lie in one block of memory in this order."""
    block, copies, start = np.zeros(1 << 16, np.uint8), {}, 0
    for i in order:
        copies[i] = block[start : start + arrays[i].nbytes].view(arrays[i].dtype)
        copies[i] = copies[i].reshape(arrays[i].shape)
        copies[i][...] = arrays[i]
        start += arrays[i].nbytes + -arrays[i].nbytes % 4
    return [copies[i] for i in range(len(arrays))]


@pytest.mark.parametrize("loop", ["outputs", "forces"])
def test_the_order_of_arrays_in_memory_changes_no_bit(loop):
    rng = np.random.default_rng(0)
    x, weights, output = (
        rng.standard_normal(shape).astype(np.float32) for shape in [(13, 3), (3, 50), (50,)]
    )
    active, values = np.zeros((13, 50), np.uint8), np.zeros(13, np.float32)
    flow_loops._outputs(3)(x, weights, output, active, values)
    if loop == "outputs":
        function, arrays, result = flow_loops._outputs(3), [x, weights, output, active, values], 4
        values[:] = 0
    else:
        function, arrays, result = flow_loops._add_forces, [x, active, np.zeros_like(weights)], 2
    results = set()
    for order in itertools.permutations(range(len(arrays))):
        copies = beside_each_other(arrays, order)
        function(*copies)
        results.add(copies[result].tobytes())
    assert len(results) == 1


@pytest.mark.parametrize("value", [torch.nan, torch.inf, -torch.inf])
def test_weights_that_are_not_finite_are_seen(way, value):
    way("loops")
    flow = singles(1, 20, 3, 30, alpha=1.0)
    hidden = flow.hidden.clone()
    hidden[0, 7, 1] = value
    margins, _ = flow._evaluate(torch.arange(1), hidden, flow.output)
    assert not margins.isfinite().all()


def test_tensors_in_another_order_of_memory_give_the_same(way):
    way("loops")
    data = [each.float() for each in problem(2, 20, 3, 32)]
    turned = [each.mT.contiguous().mT for each in data]
    plain, other = HingeFlow(*data, alpha=1.0), HingeFlow(*turned, alpha=1.0)
    assert not turned[-1].is_contiguous()
    for _ in range(5):
        plain.step()
        other.step()
    torch.testing.assert_close(other.margins, plain.margins, rtol=0, atol=1e-5)
    torch.testing.assert_close(other.forces, plain.forces, rtol=0, atol=1e-5)


def test_other_types_small_networks_and_many_inputs_are_declined():
    points, hidden = torch.zeros(1, 1000, 6), torch.zeros(1, 1000, 6)
    assert hidden_layer.pays(points, hidden)
    assert not hidden_layer.pays(points.double(), hidden.double())
    assert not hidden_layer.pays(points, hidden[:, :200])
    assert not hidden_layer.pays(torch.zeros(1, 1000, 13), torch.zeros(1, 1000, 13))
