"""Tests of the measures of geometry on a CUDA device: the numbers of the CPU, on the device, within the budget."""

from __future__ import annotations

import pytest
import torch as t
from torch import nn

from empirics import measure
from empirics.networks.resnet import resnet

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not t.cuda.is_available(), reason="needs a CUDA device"),
]


def test_same_numbers_on_the_device():
    t.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 20), nn.GELU(), nn.Linear(20, 15), nn.Tanh())
    x = t.randn(6, 3)
    for function in (
        measure.metric,
        measure.metric_spectrum,
        measure.log_volume_element,
        measure.scalar_curvature,
    ):
        here = function(net.cpu(), x)
        # the points follow the module
        for there in (function(net.cuda(), x.cuda()), function(net, x)):
            assert there.device.type == "cuda"
            t.testing.assert_close(there.cpu(), here, rtol=1e-10, atol=1e-12)
        opaque = net.double().cuda()
        there = function(lambda y, opaque=opaque: opaque(y), x.cuda())
        t.testing.assert_close(there.cpu(), here, rtol=1e-10, atol=1e-12)
        net.float()


def test_estimate_and_kernel():
    t.manual_seed(0)
    net = nn.Sequential(nn.Linear(5, 20), nn.GELU(), nn.Linear(20, 15), nn.Tanh()).double()
    x = t.randn(4, 5)
    here, there = (measure.scalar_curvature_estimate(n, x, 20) for n in (net.cpu(), net.cuda()))
    t.testing.assert_close(
        there.value.cpu(),
        measure.scalar_curvature_estimate(net.cpu(), x, 20).value,
        rtol=1e-9,
        atol=0,
    )
    assert here.value.shape == there.value.shape
    kernel = measure.neural_tangent_gram(net.cpu(), x)
    t.testing.assert_close(
        measure.neural_tangent_gram(net.cuda(), x).cpu(), kernel, rtol=1e-11, atol=0
    )


@pytest.mark.parametrize("memory", [10**9, 3 * 10**9])
def test_memory_of_a_resnet(memory):
    net = resnet(34, "gelu", seed=0).eval().cuda()
    x = t.randn(1, 3, 32, 32, generator=t.Generator().manual_seed(0)).cuda()
    measure.log_volume_element(net.features, x[:, :, :16, :16], memory, precision="model")
    t.cuda.reset_peak_memory_stats()
    before = t.cuda.memory_allocated()
    value = measure.log_volume_element(net.features, x, memory, precision="model")
    assert t.cuda.max_memory_allocated() - before < memory
    assert value.isfinite().all()


@pytest.mark.parametrize("activation", ["gelu", "relu"])
def test_float32_is_not_rounded_to_ten_bits(activation):
    net = resnet(18, activation, seed=0, width=16).eval().cuda()
    x = t.randn(4, 3, 32, 32, generator=t.Generator().manual_seed(0)).cuda()
    assert t.backends.cudnn.conv.fp32_precision == "tf32"  # torch's default, which training keeps
    short = measure.log_volume_element(net.features, x, precision="model")
    t.testing.assert_close(short, measure.log_volume_element(net.features, x), rtol=0, atol=1e-2)
    assert t.backends.cudnn.conv.fp32_precision == "tf32"
