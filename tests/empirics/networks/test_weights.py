"""Tests of initial weights: Xavier's variance with the gain, zero biases, and seeds that do not depend on the batch."""

from __future__ import annotations

import itertools
import math

import pytest
import torch

from empirics import networks, seeding


@pytest.mark.parametrize("name", ["fully_connected", "convolution"])
def test_variance_is_xaviers(name):
    net = networks.build(name, inputs=3, outputs=2, width=60, depth=4, channels=8, kernel=7)
    parameters = networks.initial_weights(net, 1.7, range(40))
    fans = [(3, 60), (60, 60), (60, 60), (60, 60), (60, 2)]
    # torch counts fan_in = channels in x kernel, fan_out = channels out x kernel
    if name == "convolution":
        fans = [(3, 60), (7, 56), (56, 56), (56, 56), (480, 2)]
    for (weight, bias), (fan_in, fan_out) in zip(parameters, fans, strict=True):
        expected = 1.7**2 * 2 / (fan_in + fan_out)
        # of a variance estimated from Gaussian numbers
        relative_error = math.sqrt(2 / weight.numel())
        assert abs(float(weight.square().mean()) / expected - 1) < 4 * relative_error
        assert abs(float(weight.mean())) < 4 * math.sqrt(expected / weight.numel())
        assert not bias.any()


def test_a_seed_does_not_depend_on_its_batch():
    net = networks.build("skip", width=7, depth=3)
    batch = networks.initial_weights(net, 1.0, [5, 0, 9])
    alone = networks.initial_weights(net, 1.0, [9])
    assert all(torch.equal(b[0][2], a[0][0]) for b, a in zip(batch, alone, strict=True))
    assert not torch.equal(batch[1][0][0], batch[1][0][1])


def test_float32_weights_are_the_rounded_float64_ones():
    net = networks.build("fully_connected", width=7, depth=3)
    exact, rounded = (
        networks.initial_weights(net, 1.0, [1], dtype) for dtype in (torch.float64, torch.float32)
    )
    assert all(torch.equal(e[0].float(), r[0]) for e, r in zip(exact, rounded, strict=True))


def test_purposes_do_not_share_a_stream():
    draws = [torch.rand(4, generator=seeding.generator(0, purpose)) for purpose in seeding.STREAMS]
    assert not any(torch.equal(one, other) for one, other in itertools.combinations(draws, 2))


@pytest.mark.parametrize(
    ("call", "error", "complaint"),
    [(lambda: seeding.generator(-1, "weights"), ValueError, "seed: got -1"),
     (lambda: seeding.generator(1.5, "weights"), TypeError, "seed: got 1.5"),
     (lambda: seeding.generator(True, "weights"), TypeError, "seed: got True"),
     (lambda: seeding.generator(1, "biases"), ValueError, "purpose: got 'biases'"),
     (lambda: networks.initial_weights(networks.build("skip"), 0.0, [1]), ValueError, "gain: got 0.0"),
     (lambda: networks.initial_weights(networks.build("skip"), math.nan, [1]), ValueError, "gain: got nan"),
     (lambda: networks.initial_weights(networks.build("skip"), 1.0, []), ValueError, "seeds: got none")],
)  # fmt: skip
def test_bad_input(call, error, complaint):
    with pytest.raises(error, match=complaint):
        call()
