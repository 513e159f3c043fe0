"""Tests of the network of inverted residual blocks: channels counted by hand, and what is added where."""

from __future__ import annotations

import torch

from empirics.networks.classifiers import InvertedCNN


def test_channels_triple_inside_a_block_and_double_where_it_halves_the_image():
    net = InvertedCNN(1, 4, 5)
    convolutions = [module for module in net.modules() if isinstance(module, torch.nn.Conv2d)]
    assert [module.out_channels for module in convolutions] == [
        4, 12, 12, 4, 12, 12, 8, 24, 24, 8, 24, 24, 16, 48, 48, 16
    ]  # fmt: skip
    assert [block.adds for block in net.blocks] == [True, False, True, False, True]
    assert net.stem(torch.zeros(1, 1, 16, 16)).shape[2:] == (8, 8)
    assert net.blocks(torch.zeros(1, 4, 8, 8)).shape == (1, 16, 2, 2)


def test_a_block_whose_branch_gives_nothing_is_the_identity():
    block = InvertedCNN(1, 4, 1).blocks[0]
    torch.nn.init.zeros_(block.project.weight)
    x = torch.randn(2, 4, 6, 6, generator=torch.Generator().manual_seed(0))
    assert torch.equal(block(x), x)
