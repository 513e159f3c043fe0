"""Tests of the thesis' networks: sizes from hand calculation, and cuts between layers."""

from __future__ import annotations

import pytest
import torch

from empirics import networks

PARAMETERS = {  # convolutions, batch normalisations, readout
    ("residual_cnn", 3): 9 * (3 * 3 + 3 * 64 + 64 * 64 + 64 * 128 + 128 * 128 + 128 * 256)
    + 2 * (3 + 64 + 64 + 128 + 128 + 256) + 256 * 10 + 10,
    ("plain_cnn", 3): 25 * (3 * 16 + 16 * 32 + 32 * 64) + 2 * (16 + 32 + 64) + 64 * 10 + 10,
    ("plain_cnn", 1): 25 * (1 * 16 + 16 * 32 + 32 * 64) + 2 * (16 + 32 + 64) + 64 * 10 + 10,
}  # fmt: skip
SHAPES = {
    ("residual_cnn", 32): [[64, 16, 16], [128, 8, 8], [256, 4, 4]],
    ("residual_cnn", 28): [[64, 14, 14], [128, 7, 7], [256, 3, 3]],
    ("plain_cnn", 32): [[16, 10, 10], [32, 3, 3], [64, 1, 1]],
    ("plain_cnn", 28): [[16, 9, 9], [32, 3, 3], [64, 1, 1]],
}


@pytest.mark.parametrize(("name", "channels"), PARAMETERS)
def test_parameters(name, channels):
    net = getattr(networks, name)(channels)
    assert sum(p.numel() for p in net.parameters()) == PARAMETERS[name, channels]
    assert not any("running" in key for key in net.state_dict())


@pytest.mark.parametrize(("name", "size"), SHAPES)
def test_shapes_and_cuts(name, size):
    net = getattr(networks, name)(1, size).eval()
    x = torch.randn(3, 1, size, size, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        for layer, shape in enumerate(SHAPES[name, size], start=1):
            h = net.encoder(layer)(x)
            assert list(h.shape[1:]) == shape
            assert float(h.min()) >= 0
            assert torch.equal(net.decoder(layer)(h), net(x))
        assert torch.equal(net.encoder(0)(x), x)
        assert torch.equal(net.train()(x), net.eval()(x))  # the same in training and evaluation
    assert net.layers == ("hidden.1", "hidden.2", "hidden.3")
    with pytest.raises(ValueError, match=r"layer: got 4, needs an integer from 0 to 3"):
        net.encoder(4)


def test_residual_block_by_hand():
    """relu(pool(bn(conv(relu(x + bn(conv(x))))))) written out with torch's functions."""
    from torch.nn.functional import batch_norm, conv2d, max_pool2d, relu

    block = networks.initialised(lambda: networks.residual_cnn(2, 8, depths=(4, 4, 4)), 3).hidden[
        "1"
    ]
    x = torch.randn(5, 2, 8, 8, generator=torch.Generator().manual_seed(0))

    def normal(h):
        return batch_norm(h, None, None, training=True)

    with torch.no_grad():
        inner = relu(x + normal(conv2d(x, block.same.weight, padding=1)))
        expected = relu(max_pool2d(normal(conv2d(inner, block.wider.weight, padding=1)), 2))
        torch.testing.assert_close(block(x), expected)


def test_mlp():
    net = networks.mlp(12, (5, 4), 3)
    assert list(net(torch.zeros(2, 3, 2, 2)).shape) == [2, 3]
    assert sum(p.numel() for p in net.parameters()) == 12 * 5 + 5 + 5 * 4 + 4 + 4 * 3 + 3


def test_initial_weights_depend_on_the_seed_alone():
    torch.manual_seed(0)
    state = torch.get_rng_state()
    a, b, c = (
        networks.initialised(lambda: networks.mlp(4, (3,), 2), seed).hidden["1"][1].weight
        for seed in (0, 0, 1)
    )
    assert torch.equal(a, b)
    assert not torch.equal(a, c)
    assert torch.equal(torch.get_rng_state(), state)


@pytest.mark.parametrize(
    ("build", "complaint"),
    [
        (lambda: networks.residual_cnn(3, 7), "size: got 7, needs an integer of at least 8"),
        (lambda: networks.plain_cnn(3, 26), "size: got 26, needs an integer of at least 27"),
        (lambda: networks.mlp(3, ()), "widths: got none, needs at least one"),
        (lambda: networks.mlp(3, (4, 0)), "widths: got 0, needs an integer of at least 1"),
    ],
)
def test_impossible_sizes(build, complaint):
    with pytest.raises(ValueError, match=complaint):
        build()
