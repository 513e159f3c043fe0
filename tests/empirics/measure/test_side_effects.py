"""A measure leaves the model, its gradients, modes, buffers and hooks, the inputs and the random state as they are."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from empirics import measure

LABELS = torch.arange(12) % 3


class Block(nn.Module):
    """A residual block with every kind of state, which counts its passes and may overwrite what it is given."""

    def __init__(self, in_place):
        super().__init__()
        self.in_place = in_place
        self.norm, self.drop, self.linear = nn.BatchNorm1d(3), nn.Dropout(0.5), nn.Linear(3, 3)
        self.register_buffer("passes", torch.zeros(()))

    def forward(self, x):
        self.passes += 1
        x = x.mul_(1.5) if self.in_place else 1.5 * x
        return self.linear(self.drop(self.norm(x))).add_(x)


def layerwise(model, x, **options):
    return measure.layerwise_collapse(model, ["0"], [(x, LABELS)], 3, memory=0, **options)


MEASURES = {
    "metric": measure.metric,
    "metric_spectrum": measure.metric_spectrum,
    "log_volume_element": measure.log_volume_element,
    "scalar_curvature": lambda model, x: measure.scalar_curvature(nn.Sequential(model, SMOOTH), x),
    "scalar_curvature_estimate": measure.scalar_curvature_estimate,
    "neural_tangent_gram": measure.neural_tangent_gram,
    "in its precision": lambda model, x: measure.neural_tangent_gram(model, x, precision="model"),
    "layerwise_collapse": layerwise,
    "batch statistics": lambda model, x: layerwise(model, x, batch_statistics=True),
    "two_point_state": lambda model, x: measure.two_point_state(
        model, "0", x[0], x[1], [0.0] * 3, [1.0] * 3
    ),
    "leaky_resnet_state": lambda model, x: measure.leaky_resnet_state(
        model, x, target=torch.ones(12, 3), decay=1.0, layers=["0", "1"], depth=1.0
    ),
}
OF_ANY_MODE = ("layerwise_collapse", "batch statistics", "two_point_state", "leaky_resnet_state")
SMOOTH = nn.Sequential(nn.Linear(3, 5), nn.GELU()).double().eval()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("needs_gradients", [True, False])
@pytest.mark.parametrize("name", MEASURES)
def test_everything_is_left_as_it_was(name, needs_gradients):
    torch.manual_seed(0)
    in_place = name != "leaky_resnet_state"  # which takes no layers that are overwritten
    model = nn.Sequential(Block(in_place), Block(in_place))
    model(torch.randn(30, 3)).sum().backward()
    model.train(name in OF_ANY_MODE)
    model[1].norm.eval()  # a mixture of modes
    x = torch.randn(12, 3)
    given, state = x.clone(), {key: value.clone() for key, value in model.state_dict().items()}
    gradients = [parameter.grad.clone() for parameter in model.parameters()]
    modes = [part.training for part in model.modules()]
    random_state = torch.get_rng_state()
    with torch.set_grad_enabled(needs_gradients):
        found = MEASURES[name](model, x.requires_grad_(needs_gradients))
        assert torch.is_grad_enabled() == needs_gradients
    assert not getattr(found, "requires_grad", False)
    assert torch.equal(x, given)
    assert x.requires_grad == needs_gradients
    assert torch.equal(torch.get_rng_state(), random_state)
    for key, value in model.state_dict().items():
        assert value.dtype == state[key].dtype, key
        assert torch.equal(value, state[key]), key
    assert all(p.requires_grad for p in model.parameters())
    assert all(torch.equal(p.grad, g) for p, g in zip(model.parameters(), gradients, strict=True))
    assert [part.training for part in model.modules()] == modes
    assert model[0].norm.track_running_stats
    assert not any(part._forward_hooks or part._forward_pre_hooks for part in model.modules())
