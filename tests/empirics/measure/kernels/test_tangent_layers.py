"""Tests of tangent kernels through layers whose gradients are computed layer by layer, and of those that are not."""

from __future__ import annotations

import pytest
import torch as t
from torch import nn

from empirics import measure
from empirics.measure.kernels.tangent_factors import factored_layers
from empirics.measure.models.differentiation import by_definition
from empirics.measure.models.feature_map import prepare
from tests.empirics.measure.kernels.test_neural_tangent import ROUNDING, contraction


class Attention(nn.Module):
    """Attention of a sequence to another, with points first or second, and perhaps with a mask."""

    def __init__(self, batch_first=True, mask=False, length=3, **options):
        super().__init__()
        self.attention = nn.MultiheadAttention(4, 2, batch_first=batch_first, **options)
        self.mask = t.eye(length).bool() if mask else None
        self.length = length

    def forward(self, x):
        x = x.reshape(len(x), self.length, -1)[..., :4]
        x = x if self.attention.batch_first else x.transpose(0, 1)
        key, value = x.flip(2)[..., : self.attention.kdim], x[..., : self.attention.vdim] ** 2
        out, _ = self.attention(x, key, value=value, attn_mask=self.mask)
        return (out if self.attention.batch_first else out.transpose(0, 1)).mean(1)


class Twice(nn.Module):
    """A convolution that is used twice, and one whose weight is used by hand."""

    def __init__(self):
        super().__init__()
        self.twice, self.borrowed = nn.Conv2d(2, 2, 3, padding=1), nn.Conv2d(2, 2, 1)

    def forward(self, x):
        h = self.twice(t.tanh(self.twice(x.reshape(-1, 2, 3, 4))))
        return (self.borrowed(h) + h * self.borrowed.weight.sum()).mean((2, 3))


def image(*layers, shape=(2, 3, 4)):
    return nn.Sequential(nn.Unflatten(1, shape), *layers, nn.Flatten(), nn.LazyLinear(2))


def convolution(**options):
    return image(nn.Conv2d(2, 4, **({"kernel_size": 3, "padding": 1} | options)), nn.GELU())


MODELS = {  # name: (model, number of layers whose gradients are computed layer by layer)
    "strides": (lambda: convolution(stride=(1, 2), padding=(1, 2)), 2),
    "dilation and groups": (lambda: convolution(dilation=(1, 2), groups=2, padding=2), 2),
    "depthwise": (lambda: convolution(groups=2, bias=False), 2),
    "circular": (lambda: convolution(padding_mode="circular", padding=(2, 1)), 2),
    "reflect": (lambda: convolution(padding_mode="reflect"), 2),
    "same, even kernel": (lambda: convolution(kernel_size=(2, 4), padding="same"), 2),
    "valid": (lambda: convolution(kernel_size=2, padding="valid"), 2),
    "in place": (lambda: image(nn.Conv2d(2, 3, 2), nn.ReLU(inplace=True), nn.Conv2d(3, 2, 2)), 3),
    "one dimension": (
        lambda: image(
            nn.Conv1d(2, 4, 3, stride=2, dilation=2, groups=2), nn.Tanh(), shape=(2, 12)
        ),
        2,
    ),
    "three dimensions": (lambda: image(nn.Conv3d(1, 2, 2), nn.Tanh(), shape=(1, 2, 3, 4)), 1),
    "transposed": (lambda: image(nn.ConvTranspose2d(2, 3, 2), nn.Tanh()), 1),
    "batch norm": (
        lambda: image(nn.BatchNorm2d(2), nn.Conv2d(2, 3, 2), nn.BatchNorm2d(3), nn.Tanh()),
        4,
    ),
    "group norm": (lambda: image(nn.Conv2d(2, 4, 2), nn.GroupNorm(2, 4), nn.Tanh()), 3),
    "layer norm": (
        lambda: image(nn.LayerNorm((3, 4)), nn.Linear(4, 5), nn.LayerNorm(5), nn.Tanh()),
        4,
    ),
    "sequence": (lambda: image(nn.Linear(4, 3, bias=False), nn.Tanh()), 2),
    "attention": (Attention, 1),
    "attention to other sizes": (lambda: Attention(kdim=2, vdim=3, bias=False), 1),
    "attention to an added key": (lambda: Attention(add_bias_kv=True), 0),
    "attention to zero": (lambda: Attention(add_zero_attn=True), 0),
    "points second": (lambda: Attention(batch_first=False), 0),
    "points second, two of length two": (lambda: Attention(batch_first=False, length=2), 0),
    "mask": (lambda: Attention(mask=True), 0),
    "transformer": (
        lambda: image(nn.TransformerEncoderLayer(4, 2, 5, batch_first=True), shape=(6, 4)),
        6,
    ),
    "shared": (Twice, 0),
}


@pytest.mark.sampled(2)
@pytest.mark.filterwarnings("ignore:Using padding='same' with even kernel lengths:UserWarning")
@pytest.mark.parametrize("name", MODELS)
def test_against_the_contraction(name):
    t.manual_seed(0)
    make, layers = MODELS[name]
    model = make().double()
    x, y = t.randn(4, 24, dtype=t.float64), t.randn(3, 24, dtype=t.float64)
    model(x)  # makes lazy layers, and running statistics
    for parameter in model.parameters():
        # no weight of a normalisation is one, no bias zero
        parameter.data += 0.3 * t.randn_like(parameter)
    model.eval()
    ready = prepare(model, x)
    for parameter in ready.module.parameters():
        parameter.requires_grad_()
    assert len(factored_layers(ready.module, ready)) == layers
    with by_definition():
        exact = contraction(model, x, y)
    t.testing.assert_close(
        measure.neural_tangent_gram(model, x, y), exact, rtol=ROUNDING, atol=ROUNDING
    )


def test_frozen_parameters_of_layers_do_not_count():
    t.manual_seed(0)
    model = image(nn.Conv2d(2, 3, 2), nn.BatchNorm2d(3), nn.Tanh()).double()
    x = t.randn(5, 24, dtype=t.float64)
    model(x)
    model.eval()
    model[1].bias.requires_grad_(False)
    model[2].weight.requires_grad_(False)
    exact = contraction(model, x, x)
    t.testing.assert_close(
        measure.neural_tangent_gram(model, x), exact, rtol=ROUNDING, atol=ROUNDING
    )


def test_blocks_of_points_have_the_gradients_of_every_layer():
    t.manual_seed(0)
    model, x = convolution().double(), t.randn(9, 24, dtype=t.float64)
    model(x)
    whole = measure.neural_tangent_gram(model, x)
    blocks = measure.neural_tangent_gram(model, x, memory="45kB")
    t.testing.assert_close(blocks, whole, rtol=ROUNDING, atol=0)
    with pytest.raises(ValueError, match="memory"):
        measure.neural_tangent_gram(model, x, memory="12kB")
