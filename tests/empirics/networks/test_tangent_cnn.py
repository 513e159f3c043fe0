"""Tests of the released network in the tangent parametrisation: sizes by hand, and the scale of its signals."""

from __future__ import annotations

import math

import pytest
import torch

from empirics.experiments.compression.learners import of_equal_norm
from empirics.measure import neural_tangent_gram
from empirics.networks.tangent_cnn import UNIT, TangentCNN, TangentConv


def test_it_has_sixteen_convolutions_and_the_released_number_of_parameters():
    net = TangentCNN(1, 10)
    convolutions = [module for module in net.modules() if isinstance(module, TangentConv)]
    assert len(convolutions) == 16
    # 4h·25 + 4h·25 + 4h·2h; 3·2h·2h + 3·2h·25 + 3·2h·h; ...; 3h·20h; 20h + 1
    by_hand = 1000 + 1000 + 800
    for taken, given in ((20, 10), (10, 10), (10, 30), (30, 30)):
        by_hand += 3 * taken * taken + 3 * taken * 25 + 3 * taken * given
    by_hand += 30 * 200 + 201
    assert sum(weights.numel() for weights in net.parameters()) == by_hand == 23_251
    assert [block.adds for block in net.blocks] == [False, True, False, True]
    assert net.blocks(torch.zeros(2, 20, 14, 14)).shape == (2, 30, 4, 4)


def test_the_activation_keeps_the_mean_square_of_a_normal_input():
    z = torch.linspace(-12, 12, 200_001, dtype=torch.float64)
    density = torch.exp(-z.square() / 2) / math.sqrt(2 * math.pi)
    mean_square = torch.trapezoid((UNIT * z * torch.sigmoid(z)).square() * density, z)
    assert float(mean_square) == pytest.approx(1, abs=1e-3)  # the released factor is 1.6768


def test_a_wide_convolution_keeps_the_size_of_its_signals(seed):
    torch.manual_seed(seed)
    x = torch.randn(4, 64, 9, 9)
    with torch.no_grad():
        given = TangentConv(64, 400, 5)(x)[..., 2:-2, 2:-2]
    assert float(given.square().mean()) == pytest.approx(1, abs=0.1)


def test_the_kernel_is_that_of_weights_which_do_not_move_with_the_fan_in(seed):
    """The kernel of the readout alone: features over the fan-in, and one for the bias."""
    torch.manual_seed(seed)
    net, x = TangentCNN(1, 2).double(), torch.randn(3, 1, 16, 16, dtype=torch.float64)
    for name, weights in net.named_parameters():
        weights.requires_grad_(name.startswith("readout"))
    with torch.no_grad():
        features = net.features(x) / 40
    expected = features @ features.T + 1
    torch.testing.assert_close(neural_tangent_gram(net, x), expected)


def test_images_are_centred_pixel_by_pixel_and_have_one_norm(seed):
    torch.manual_seed(seed)
    images = of_equal_norm(torch.rand(7, 1, 5, 5) + torch.arange(5.0))
    assert torch.allclose(images.flatten(1).norm(dim=1), torch.tensor(5.0))
    raw = torch.rand(7, 1, 5, 5)
    directions = of_equal_norm(raw) * (raw - raw.mean(0)).flatten(1).norm(dim=1).view(-1, 1, 1, 1)
    assert float(directions.mean(0).abs().max()) < 1e-5
