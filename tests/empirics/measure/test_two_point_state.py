"""Tests of the two-point state of any module: against hand calculation and the trainer, without side effects."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from empirics import measure, networks
from empirics.experiments import two_point

ROUNDING = 1e-12


def linear_net():
    """W1 = [[1, 2], [0, 1], [3, 0]], W2 = [[1, -1, 2]]; biases must not matter."""
    model = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1)).double()
    with torch.no_grad():
        model[0].weight.copy_(torch.tensor([[1.0, 2], [0, 1], [3, 0]]))
        model[1].weight.copy_(torch.tensor([[1.0, -1, 2]]))
    return model


def test_by_hand():
    """dx = (1, 1): dh = (3, 1, 3), |dh|² = 19; dy = 3 - 1 + 6 = 8; y2 - y1 = 0.5: w = 64 - 4 = 60."""
    state = measure.two_point_state(linear_net(), "0", [0.5, -1.0], [1.5, 0.0], 1.0, 1.5)
    assert state.dh2 == pytest.approx(19, rel=ROUNDING)
    assert state.dy2 == pytest.approx(64, rel=ROUNDING)
    assert state.w == pytest.approx(60, rel=ROUNDING)


def test_layer_by_name_or_by_module():
    model = linear_net()
    points = ([0.5, -1.0], [1.5, 0.0], 1.0, 1.5)
    assert measure.two_point_state(model, "0", *points) == measure.two_point_state(
        model, model[0], *points
    )


@given(st.tuples(*[st.floats(-3, 3)] * 6))
def test_linear_net_anywhere(numbers):
    x1, x2, (y1, y2) = np.array(numbers[:2]), np.array(numbers[2:4]), numbers[4:]
    if np.array_equal(x1, x2):
        return
    dh = np.array([[1.0, 2], [0, 1], [3, 0]]) @ (x2 - x1)
    dy = float(np.array([1.0, -1, 2]) @ dh)
    state = measure.two_point_state(linear_net(), "0", x1, x2, y1, y2)
    expected = (dh @ dh, dy**2, dy**2 - dy * (y2 - y1))
    np.testing.assert_allclose((state.dh2, state.dy2, state.w), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("shape", [(), (1,), (5,), (3, 8, 8), (1, 2, 3, 4)], ids=str)
def test_points_of_any_shape(shape, rng):
    size = max(1, math.prod(shape))
    model = nn.Sequential(nn.Flatten(), nn.Linear(size, 4), nn.Tanh(), nn.Linear(4, 3)).double()
    x1, x2 = (torch.from_numpy(np.asarray(rng.normal(size=shape))) for _ in range(2))
    y1, y2 = rng.normal(size=(2, 3))
    state = measure.two_point_state(model, "2", x1, x2, y1, y2)
    h = [torch.tanh(model[1](x.reshape(1, -1))) for x in (x1, x2)]
    dh, dy = h[1] - h[0], model[3](h[1]) - model[3](h[0])
    assert state.dh2 == pytest.approx(float((dh**2).sum().detach()), rel=ROUNDING)
    dy = dy[0].detach().numpy()
    assert state.w == pytest.approx(dy @ dy - dy @ (y2 - y1), rel=1e-9)


def test_tokens_stay_integers():
    model = nn.Sequential(nn.Embedding(10, 4), nn.Flatten(), nn.Linear(8, 1))
    state = measure.two_point_state(model, "0", torch.tensor([1, 2]), torch.tensor([1, 3]), 0, 1)
    e = model[0].weight.detach().double()
    assert state.dh2 == pytest.approx(float((e[3] - e[2]).square().sum()), rel=1e-12)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["fully_connected", "convolution", "skip", "dropout"])
def test_is_what_the_trainer_records(name):
    config = two_point.Config(
        architecture=name, depth=4, width=9, seeds=2, epochs=30, dtype="float64", layers=(1, 3, 4), channels=3,
        kernel=3, inputs=2, outputs=2, learning_rate=0.02,
    )  # fmt: skip
    trace = two_point.run(config, progress=False)
    trainer = two_point.trainer(config)
    x, y = config.data()
    for step in (0, 30):
        for index in range(config.seeds):
            model = networks.single(config.network(), trainer.parameters, index).eval()
            row = trace.isel(seed=index, step=step)
            for layer in config.layers:
                state = measure.two_point_state(model, f"hidden.{layer}", *x, *y)
                expected = [float(row.dh2.sel(layer=layer)), float(row.dy2), float(row.w)]
                np.testing.assert_allclose(
                    [state.dh2, state.dy2, state.w], expected, rtol=1e-11, atol=1e-13
                )
        for _ in range(30):
            trainer.observe()
            trainer.update()


class Twice(nn.Module):
    """Reaches one layer twice and never reaches another."""

    def __init__(self):
        super().__init__()
        self.shared, self.idle = nn.Linear(2, 2), nn.Linear(2, 2)

    def forward(self, x):
        return self.shared(self.shared(x))


GOOD = {
    "model": linear_net(),
    "layer": "0",
    "x1": [0.0, 1.0],
    "x2": [1.0, 0.0],
    "y1": 0.0,
    "y2": 1.0,
}
BAD = [
    ({"model": lambda x: x}, TypeError, "model: got function, needs an nn.Module"),
    ({"layer": "encoder"}, ValueError, "layer: got 'encoder', needs one of 0, 1"),
    ({"layer": ""}, ValueError, "layer: got '', needs one of 0, 1"),
    ({"layer": 0}, TypeError, "layer: got int"),
    (
        {"layer": nn.Linear(2, 3)},
        ValueError,
        "layer: got a Linear that is not in it, needs a submodule",
    ),
    ({"x1": [0.0, math.nan]}, ValueError, "x1: got values that are not finite"),
    ({"x2": [math.inf, 0.0]}, ValueError, "x2: got values that are not finite"),
    ({"x1": []}, ValueError, r"x1: got shape \[0\]"),
    ({"x1": "point"}, TypeError, "x1: got str"),
    ({"x1": None}, TypeError, "x1: got NoneType"),
    ({"x1": [1j, 0]}, TypeError, "x1: got torch.complex"),
    ({"x1": [True, False]}, TypeError, "x1: got torch.bool"),
    ({"x2": [1.0, 0.0, 0.0]}, ValueError, r"x2: got shape \[3\], needs that of x1, \[2\]"),
    ({"x2": [0.0, 1.0]}, ValueError, "x2: got the same point as x1"),
    ({"y1": [0.0, 1.0]}, ValueError, r"y1: got 2 numbers, needs 1"),
    ({"y2": math.nan}, ValueError, "y2: got values that are not finite"),
    ({"y2": "one"}, TypeError, "y2: got str"),
    ({"model": Twice(), "layer": "shared"}, ValueError, "layer 'shared': is reached 2 times"),
    ({"model": Twice(), "layer": "idle"}, ValueError, "layer 'idle': is never reached"),
    ({"model": nn.Sequential(nn.LSTM(2, 3)), "layer": "0"}, TypeError, "model: gives tuple"),
]


@pytest.mark.parametrize(
    ("change", "error", "complaint"), BAD, ids=[str(i) for i in range(len(BAD))]
)
def test_bad_input(change, error, complaint):
    with pytest.raises(error, match=complaint):
        measure.two_point_state(**(GOOD | change))


def test_network_that_has_blown_up():
    model = linear_net()
    with torch.no_grad():
        model[0].weight.fill_(math.inf)
    with pytest.raises(ValueError, match="layer '0': gives values that are not finite"):
        measure.two_point_state(**(GOOD | {"model": model}))


def test_model_that_mixes_the_batch_away():
    model = nn.Sequential(nn.Linear(2, 3), nn.Flatten(0))
    with pytest.raises(ValueError, match=r"model: gives shape \[6\] for two points"):
        measure.two_point_state(**(GOOD | {"model": model}))


def test_what_follows_in_place_does_not_reach_the_layer():
    """The representation before a ReLU that works in place, and before one that does not."""
    net = nn.Sequential(nn.Linear(2, 9), nn.ReLU(inplace=True), nn.Linear(9, 1)).double()
    points = ([0.5, -1.0], [1.5, 0.3], 1.0, 1.5)
    in_place = measure.two_point_state(net, "0", *points)
    net[1].inplace = False
    assert in_place == measure.two_point_state(net, "0", *points)
    assert in_place.dh2 != measure.two_point_state(net, "1", *points).dh2
