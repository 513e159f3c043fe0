"""Tests of bad input to the measures of geometry, and of the absence of side effects."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch as t
from torch import nn

from empirics import measure
from empirics.measure.models.memory import bytes_of

X = t.tensor([[0.3, -0.7], [1.0, 0.2]], dtype=t.float64)
MEASURES = [
    measure.metric,
    measure.metric_spectrum,
    measure.log_volume_element,
    measure.scalar_curvature,
]


class Mixing(nn.Module):
    """Batch normalisation by hand."""

    def forward(self, x):
        return (x - x.mean(0)) / (1 + x.var(0, correction=0))


def in_float32():
    weight = t.ones(2, 3)
    return lambda y: y @ weight


def convolved_in_float32():
    layer = nn.Conv1d(1, 3, 2)  # whose message about types does not name dtypes
    return lambda y: layer(y[:, None])


def batch_normalised():
    # in training mode, which refuses a single point by a ValueError
    layer = nn.BatchNorm1d(2).double()
    return lambda y: layer(y)


def to_float32(y):
    return t.cat([y, y], 1).float()


def too_large(_y):
    raise t.OutOfMemoryError("CUDA out of memory")


BAD = [
    ({"feature_map": 3}, TypeError, "feature_map: got int"),
    ({"x": "image"}, TypeError, "x: got"),
    ({"x": X > 0}, TypeError, "x: got torch.bool"),
    ({"x": X * 1j}, TypeError, "x: got torch.complex128"),
    ({"x": X[0]}, ValueError, r"x: got shape \[2\], needs \[batch, \*input\]"),
    ({"x": X[:0]}, ValueError, r"x: got shape \[0, 2\]"),
    ({"x": X * math.nan}, ValueError, "x: got values that are not finite"),
    ({"x": X / 0}, ValueError, "x: got values that are not finite"),
    ({"feature_map": lambda y: y.sum()}, ValueError, "feature_map: gives a single number"),
    (
        {"feature_map": lambda y: (y, y)},
        TypeError,
        "feature_map: gives tuple, .*an nn.Module whose forward takes",
    ),
    (
        {"feature_map": lambda batch: {"inputs": X}[batch]},
        TypeError,
        "cannot be called with one tensor .*nn.Module",
    ),
    (
        {"feature_map": lambda y, mask: y * mask},
        TypeError,
        "cannot be called with one tensor .*'mask'",
    ),
    (
        {"feature_map": lambda batch: batch.pixel_values},
        TypeError,
        "cannot be called with one tensor .*'pixel_values'",
    ),
    (
        {"feature_map": lambda y: y / 0},
        ValueError,
        "feature_map: gives values that are not finite",
    ),
    ({"feature_map": Mixing()}, ValueError, "depends on the other points of the batch"),
    (
        {"feature_map": lambda y: y + t.rand_like(y)},
        ValueError,
        "depends on the other points of the batch, or on chance",
    ),
    (
        {"feature_map": nn.Sequential(nn.Linear(2, 4), nn.BatchNorm1d(4))},
        ValueError,
        r"BatchNorm1d '1' .*\.eval\(\)",
    ),
    (
        {"feature_map": nn.BatchNorm1d(2, track_running_stats=False).eval()},
        ValueError,
        "normalises by the batch",
    ),
    (
        {"feature_map": nn.Sequential(nn.Linear(2, 4), nn.Dropout())},
        ValueError,
        "Dropout '1' is in training mode",
    ),
    ({"feature_map": lambda y: y.detach() * 2}, ValueError, "torch sees no path from x"),
    (
        {"feature_map": in_float32()},
        ValueError,
        "fails on torch.float64 inputs .*precision='model'",
    ),
    (
        {"feature_map": convolved_in_float32()},
        ValueError,
        "fails on torch.float64 inputs .*precision='model'",
    ),
    (
        {"feature_map": batch_normalised()},
        ValueError,
        "2 points of x together, .*when training.*other points of the",
    ),
    (
        {"feature_map": lambda y: X @ y},
        ValueError,
        "2 points of x together, and fails on one alone .*other points",
    ),
    (
        {"feature_map": lambda y: y @ X[:1]},
        ValueError,
        "feature_map: fails on one of the points x",
    ),
    (
        {"feature_map": lambda y: (X[y], y), "x": t.ones(3, 2).long()},
        TypeError,
        "feature_map: gives tuple",
    ),
    (
        {"feature_map": lambda y: X[y].sum(), "x": t.ones(3, 2).long()},
        ValueError,
        "feature_map: gives a single number",
    ),
    (
        {"feature_map": lambda y: t.from_numpy(np.tanh(y.numpy()))},
        ValueError,
        "feature_map: fails when torch follows it .*needs torch",
    ),
    ({"feature_map": to_float32}, ValueError, "gives torch.float32 on torch.float64 inputs"),
    ({"feature_map": too_large}, t.OutOfMemoryError, "^CUDA out of memory"),
    ({"precision": "double"}, ValueError, "precision: got 'double'"),
    ({"memory": 0}, ValueError, "memory: got 0 bytes"),
    ({"memory": 4.0}, TypeError, "memory: got float"),
    ({"memory": "4 apples"}, ValueError, "memory: got '4 apples'"),
    ({"memory": "-1GiB"}, ValueError, "memory: got '-1GiB'"),
]


@pytest.mark.parametrize(
    ("change", "error", "complaint"), BAD, ids=[str(i) for i in range(len(BAD))]
)
@pytest.mark.parametrize("function", [measure.metric, measure.scalar_curvature])
def test_bad_input(function, change, error, complaint):
    good = {"feature_map": nn.Sequential(nn.Linear(2, 4), nn.Tanh()), "x": X}
    with pytest.raises(error, match=complaint):
        function(**(good | change))


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("4GiB", 2**32),
        ("1.5 kB", 1500),
        ("7", 7),
        (12, 12),
        ("2mb", 2 * 10**6),
        ("3 MiB", 3 * 2**20),
    ],
)
def test_sizes_of_memory(text, size):
    assert bytes_of(text) == size


def test_same_by_the_batch_and_one_by_one():
    t.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 6), nn.GELU(), nn.Linear(6, 5), nn.Tanh()).double()
    x = t.randn(9, 2, dtype=t.float64)
    for function in MEASURES:
        together = function(net, x)
        alone = t.cat([function(net, one[None]) for one in x])
        t.testing.assert_close(together, alone, rtol=1e-9, atol=1e-12)


class Neighbours(nn.Module):
    """Adds what its forward pass makes in torch's default precision."""

    def __init__(self):
        super().__init__()
        self.map = nn.Linear(2, 3)

    def forward(self, x):
        shift = t.eye(2) + t.full((2, 2), 0.5)
        return t.tanh(self.map(x @ shift)) + t.zeros(3)


def test_tensors_that_a_forward_pass_makes_have_the_precision_of_the_copy():
    t.manual_seed(0)
    own = Neighbours()
    plain = nn.Sequential(nn.Linear(2, 3), nn.Tanh())
    plain[0].load_state_dict({"weight": own.map.weight @ (t.eye(2) + 0.5), "bias": own.map.bias})
    for function in (measure.metric, measure.log_volume_element):
        t.testing.assert_close(function(own, X), function(plain, X), rtol=1e-6, atol=1e-6)
    assert measure.neural_tangent_gram(own, X).dtype == t.float64
    assert t.get_default_dtype() == t.float32


class Third(nn.Module):
    """Has a parameter of its own, and a constant with the digits of torch's default precision."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(t.tensor([0.7, 1.1]))

    def forward(self, x):
        return t.tanh(self.scale * x * t.full((2,), 1 / 3))


def test_constants_of_a_model_in_float64_keep_their_digits():
    net, x = Third().double(), X.double()
    third = float(t.tensor(1 / 3))  # of float32
    inner = net.scale.detach() * x * third
    slopes = (1 - t.tanh(inner).square()) * x * third
    gram = measure.neural_tangent_gram(net, x)
    t.testing.assert_close(gram, slopes @ slopes.T, rtol=1e-14, atol=0)
    scales = (1 - t.tanh(inner).square()) * net.scale.detach() * third
    t.testing.assert_close(
        measure.metric(net, x), t.diag_embed(scales.square()), rtol=1e-14, atol=0
    )


class NamesItsTypes(nn.Module):
    """A forward pass that names the type in which it computes, in several ways."""

    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(2, 5), nn.Linear(5, 3)

    def forward(self, x):
        x = x.float() / 3
        scale = t.linspace(0.1, 0.7, 5, dtype=t.float32)
        hidden = t.tanh(self.first(x).to(t.float32)) + t.zeros(5, dtype=t.float32)
        spectrum = t.fft.rfft(hidden.to(dtype=t.float32)).to(t.complex64) * scale[:3]
        return self.last(
            t.fft.irfft(spectrum, n=5).type(t.float32) * t.full_like(hidden, 2).half()
        )


def test_a_forward_pass_that_names_float32_is_measured_in_float64():
    t.manual_seed(0)
    model = NamesItsTypes()
    twin = NamesItsTypes()
    twin.load_state_dict(model.state_dict())
    weights = [value.double() for value in model.state_dict().values()]

    def written_out(x):
        hidden = t.tanh(x / 3 @ weights[0].T + weights[1])
        scale = t.linspace(0.1, 0.7, 5, dtype=t.float32).double()
        spectrum = t.fft.rfft(hidden) * scale[:3]
        return 2 * t.fft.irfft(spectrum, n=5) @ weights[2].T + weights[3]

    for quantity in (measure.log_volume_element, measure.scalar_curvature):
        t.testing.assert_close(quantity(model, X), quantity(written_out, X), rtol=2e-7, atol=0)
    rows = t.autograd.functional.jacobian(written_out, X[:1])[0, :, 0]
    t.testing.assert_close(measure.metric(model, X[:1])[0], rows.T @ rows, rtol=2e-7, atol=0)
