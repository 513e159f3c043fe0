"""A transformer of two layers with Adam: sizes see nothing, own updates name the matrices whose rates are wrong."""

import time

import pytest
import torch
from torch import nn

import bridge

VOCABULARY, LENGTH, HEAD, BASE = 64, 16, 16, 32
MATRICES = [f"b{k}.{name}" for k in (1, 2) for name in ("q", "k", "v", "o", "up", "down")] + [
    "head"
]
RATE = 1e-3


class Block(nn.Module):
    """Causal attention with heads of a fixed size, and a layer of two dense ones, each behind a layer norm."""

    def __init__(self, width):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.q, self.k, self.v, self.o = (nn.Linear(width, width, bias=False) for _ in range(4))
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        normed = self.norm1(x)
        queries, keys, values = (
            layer(normed).unflatten(-1, (-1, HEAD)).transpose(1, 2)
            for layer in (self.q, self.k, self.v)
        )
        mixed = nn.functional.scaled_dot_product_attention(queries, keys, values, is_causal=True)
        x = x + self.o(mixed.transpose(1, 2).flatten(2))
        return x + self.down(nn.functional.gelu(self.up(self.norm2(x))))


class Transformer(nn.Module):
    """Weights of size one over the root of the inputs; the readout of the maximal update falls as the width."""

    def __init__(self, width, small_readout):
        super().__init__()
        self.token, self.place = nn.Embedding(VOCABULARY, width), nn.Embedding(LENGTH, width)
        self.b1, self.b2 = Block(width), Block(width)
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, VOCABULARY, bias=False)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.normal_(module.weight, std=module.in_features**-0.5)
        if small_readout:
            nn.init.normal_(self.head.weight, std=BASE**0.5 / width)

    def forward(self, tokens):
        x = self.token(tokens) + self.place.weight
        return self.head(self.norm(self.b2(self.b1(x))))


def checked(scaled, widths, seeds):
    """The check of a transformer whose rates fall as the width in the named matrices."""
    tokens = torch.randint(VOCABULARY, (2, LENGTH + 1), generator=torch.Generator().manual_seed(5))

    def optimizer(model, width):
        matrices = [model.get_submodule(name).weight for name in scaled]
        known = {id(matrix) for matrix in matrices}
        others = [parameter for parameter in model.parameters() if id(parameter) not in known]
        groups = [{"params": others, "lr": RATE}]
        if matrices:
            groups.append({"params": matrices, "lr": RATE * BASE / width})
        return torch.optim.Adam(groups, eps=1e-12)

    return bridge.width_check(
        lambda width: Transformer(width, "head" in scaled),
        widths,
        optimizer,
        batch=(tokens[:, :-1], tokens[:, 1:]),
        loss=lambda logits, target: nn.functional.cross_entropy(
            logits.flatten(0, 1), target.flatten()
        ),
        seeds=seeds,
    )


def named(check, verdict):
    return {layer.name for layer in check.layers if layer.verdict == verdict}


def test_own_updates_grow_in_every_matrix_where_sizes_are_flat():
    check = checked((), (16, 32, 64), seeds=2)
    grown = {layer.name for layer in check.layers if layer.own[0].value > 0.4}
    assert grown == {*MATRICES}
    assert all(abs(layer.size.value) < 0.2 for layer in check.layers)


@pytest.mark.slow
def test_five_widths_take_less_than_two_processor_minutes():
    widths, start = (32, 64, 128, 256, 512), time.process_time()
    standard = checked((), widths, seeds=10)
    assert time.process_time() - start < 120
    assert named(standard, "grows") == {*MATRICES}
    for layer in standard.layers:
        assert abs(layer.size.value) < 0.05
        assert layer.name not in MATRICES or 0.7 < layer.own[0].value < 1.1
    maximal = checked(MATRICES, widths, seeds=20)
    assert maximal.transfers


@pytest.mark.slow
@pytest.mark.parametrize("culprit", ["head", "b1.o", "b2.up"])
def test_the_one_matrix_with_a_wrong_rate_is_named(culprit):
    right = [name for name in MATRICES if name != culprit]
    check = checked(right, (32, 64, 128, 256, 512), seeds=10)
    assert named(check, "grows") == {culprit}
