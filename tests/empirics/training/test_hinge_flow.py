"""Tests of the hinge flow against autograd with tiny steps, the flow of one neuron, its invariant, and batches."""

import math

import numpy as np
import pytest
import torch

from empirics.measure import amplification
from empirics.training.hidden_layer import BLOCK
from empirics.training.hinge_flow import HingeFlow, turned
from theory.compression import Stripes, neuron_flow

LABELS = Stripes((-0.3, 1.18549233272))


def problem(realisations=2, points=60, d=3, width=20, seed=0):
    generator = torch.Generator().manual_seed(seed)
    inputs = torch.randn(realisations, points, d, generator=generator, dtype=torch.float64)
    labels = torch.tensor(LABELS(inputs[..., 0].numpy()), dtype=torch.float64)
    hidden = torch.randn(realisations, width, d + 1, generator=generator, dtype=torch.float64)
    return (
        inputs,
        labels,
        hidden,
        torch.randn(realisations, width, generator=generator, dtype=torch.float64),
    )


def by_autograd(inputs, labels, hidden, output, alpha, loss, time, steps):
    """Plain Euler on the definition, one realisation; times in tau, the loss divided by alpha."""
    d, h = inputs.shape[1], len(output)
    w, b = hidden[:, :-1].clone().requires_grad_(), hidden[:, -1].clone().requires_grad_()
    beta = output.clone().requires_grad_()

    def network():
        return math.sqrt(2) / h * torch.relu(inputs @ w.T / math.sqrt(d) + b) @ beta

    start = network().detach()
    for _ in range(steps):
        margin = labels * alpha * (network() - start)
        cost = (
            torch.relu(1 - margin) if loss == "hinge" else torch.nn.functional.softplus(1 - margin)
        )
        gradients = torch.autograd.grad(cost.mean() / alpha, (w, b, beta))
        with torch.no_grad():
            for parameter, gradient in zip((w, b, beta), gradients, strict=True):
                parameter -= time / steps * h * math.sqrt(d / 2) * gradient
    return (labels * alpha * (network() - start)).detach()


def advance(flow, time):
    """To a common time, by steps that end there."""
    while (flow.time < time - 1e-12).any():
        flow.step_length = torch.minimum(flow.step_length, (time - flow.time).clamp_min(1e-15))
        flow.step(flow.time < time - 1e-12)


@pytest.mark.parametrize("loss", ["hinge", pytest.param("soft_hinge", marks=pytest.mark.slow)])
def test_against_autograd_with_tiny_steps(loss):
    """One network through the time when it fits most of its points."""
    data = problem(1)
    flow = HingeFlow(*data, alpha=0.1, loss=loss, turning=1e-3, moving=0.02)
    advance(flow, 3.5)
    margins = by_autograd(*(each[0] for each in data), 0.1, loss, 3.5, 1250)
    assert float(margins.max()) > (1 if loss == "hinge" else 0.5)
    assert float((flow.margins[0] - margins).abs().max()) < 0.03


def test_one_neuron_follows_its_flow():
    inputs, labels, hidden, output = problem(1, points=400, width=1)
    flow = HingeFlow(inputs, labels, hidden, output, alpha=1e-9, turning=1e-5)
    advance(flow, 2.0)
    state = np.append(hidden[0, 0].numpy(), output[0, 0])
    path = neuron_flow(LABELS, 3).integrate(state, [0.0, 2.0], inputs[0].numpy())[-1]
    np.testing.assert_allclose(
        np.append(flow.hidden[0, 0].numpy(), flow.output[0, 0]), path, rtol=3e-3, atol=3e-3
    )


def test_the_invariant_of_every_neuron_is_kept_to_rounding():
    flow = HingeFlow(*problem(3), alpha=1e-3)
    before = flow.output.square() - flow.hidden.square().sum(-1)
    for _ in range(60):
        flow.step()
    after = flow.output.square() - flow.hidden.square().sum(-1)
    assert int(flow.steps.min()) > 20
    assert float(((after - before).abs() / (flow.output.square() + before.abs())).max()) < 1e-12


def test_realisations_do_not_see_each_other():
    data = problem(3)
    together = HingeFlow(*data, alpha=1e-2)
    alone = HingeFlow(*(each[1:2] for each in data), alpha=1e-2)
    for _ in range(30):
        together.step()
        alone.step()
    torch.testing.assert_close(together.hidden[1], alone.hidden[0], rtol=1e-9, atol=1e-9)
    assert float(together.time[1]) == pytest.approx(float(alone.time[0]), rel=1e-12)


def test_realisations_that_are_done_stand_still():
    flow = HingeFlow(*problem(2), alpha=1e-2)
    before = flow.hidden.clone()
    for _ in range(5):
        flow.step(torch.tensor([True, False]))
    assert torch.equal(flow.hidden[1], before[1])
    assert not torch.equal(flow.hidden[0], before[0])
    assert float(flow.time[1]) == 0


def test_where_there_are_no_forces_none_has_turned():
    nothing = torch.zeros(1, 2, 4)
    assert turned(nothing, nothing, torch.ones(1, 2)) == 0


def test_a_fitted_training_set_is_at_rest():
    flow = HingeFlow(*problem(1, points=3, d=8, width=50), alpha=1.0)
    for _ in range(1000):
        flow.step()
        if float(flow.fitted) == 1:
            break
    assert float(flow.fitted) == 1
    assert float(flow.mean_loss) == 0
    rest = flow.hidden.clone()
    assert bool(flow.step().all())
    assert torch.equal(flow.hidden, rest)


@pytest.mark.slow
def test_jumps_of_the_forces_do_not_stop_the_clock():
    """Twenty neurons on ten points: nearly every step crosses a jump, which no shorter step avoids."""
    flow = HingeFlow(*problem(2, points=10), alpha=1e-4, turning=1e-4)
    for _ in range(1500):
        flow.step()
    assert bool((flow.time > 2).all())
    assert bool((flow.jumps > 50).all())
    assert bool((flow.jumps <= flow.steps).all())


def test_a_restored_flow_goes_on_bit_for_bit():
    data = problem()
    through, first, second = (HingeFlow(*data, alpha=1e-2) for _ in range(3))
    for number in range(40):
        through.step()
        (first if number < 20 else second).step()
        if number == 19:
            second.restore(first.state())
    for name, value in through.state().items():
        assert torch.equal(torch.as_tensor(value), torch.as_tensor(second.state()[name])), name
    with pytest.raises(ValueError, match="state: hidden"):
        HingeFlow(*problem(3), alpha=1.0).restore(first.state())


# of both realisations, and of one after the other
@pytest.mark.parametrize("block", [17 * 2 * 20, 7 * 20])
def test_points_in_blocks_give_the_same(monkeypatch, block):
    data = problem()
    whole = HingeFlow(*data, alpha=1e-2)
    monkeypatch.setitem(BLOCK, "cpu", block)
    parts = HingeFlow(*data, alpha=1e-2)
    for _ in range(10):
        whole.step()
        parts.step()
    torch.testing.assert_close(whole.hidden, parts.hidden, rtol=1e-10, atol=1e-10)


def test_the_predictor_on_the_training_points_is_the_margin():
    inputs, labels, hidden, output = problem()
    flow = HingeFlow(inputs, labels, hidden, output, alpha=1e-2)
    for _ in range(10):
        flow.step()
    torch.testing.assert_close(labels * flow.predictor(inputs), flow.margins)


def test_weights_align_with_the_informative_direction():
    flow = HingeFlow(*problem(2, points=500, width=50), alpha=1e-6)
    assert bool((amplification(flow.weights) < 1.6).all())
    for _ in range(150):
        flow.step()
    assert bool((amplification(flow.weights) > 4).all())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"alpha": 0.0}, "alpha"),
        ({"alpha": math.nan}, "alpha"),
        ({"turning": -1.0}, "turning"),
        ({"loss": "square"}, "loss"),
        ({"inputs": torch.ones(3, 4)}, "inputs"),
        ({"inputs": torch.full((2, 60, 3), math.inf, dtype=torch.float64)}, "inputs"),
        ({"labels": torch.zeros(2, 60, dtype=torch.float64)}, "labels"),
        ({"labels": torch.ones(2, 59)}, "labels"),
        ({"hidden": torch.ones(2, 20, 3)}, "hidden"),
        ({"output": torch.ones(2, 19)}, "output"),
    ],
)
def test_bad_input(change, said):
    names = ("inputs", "labels", "hidden", "output")
    given = dict(zip(names, problem(), strict=True)) | {"alpha": 1.0} | change
    with pytest.raises(ValueError, match=said):
        HingeFlow(**given)


def test_amplification_is_one_for_isotropic_weights_and_refuses_bad_input():
    weights = torch.randn(3, 20000, 4, generator=torch.Generator().manual_seed(1))
    torch.testing.assert_close(
        amplification(weights), torch.ones(3, dtype=torch.float64), rtol=0.02, atol=0
    )
    torch.testing.assert_close(
        amplification(weights, (0, 2)), torch.ones(3, dtype=torch.float64), rtol=0.02, atol=0
    )
    stretched = weights * torch.tensor([3.0, 1, 1, 1])
    torch.testing.assert_close(amplification(stretched), 3 * amplification(weights))
    for bad, options in (
        (torch.ones(3), {}), (torch.zeros(2, 3), {}), (torch.full((2, 3), math.nan), {}),
        (torch.ones(2, 3), {"informative": (3,)}), (torch.ones(2, 3), {"informative": (0, 1, 2)}),
        (torch.ones(2, 3), {"informative": ()}),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"weights|informative"):
            amplification(bad, **options)
