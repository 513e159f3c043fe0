"""Peak memory of the measures, as Linux counts it, against the budget that they are given."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest
import torch as t
from torch import nn

from empirics import measure

MIB = 2**20
SLACK = 4 * MIB  # the allocator's own, LAPACK's workspace, code that is loaded late


def resident(field):
    """``VmRSS`` (now) or ``VmHWM`` (peak) of this process, bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise AssertionError(field)


def peak_over(call):
    """Bytes by which the memory of this process rises while ``call`` runs, the second time."""
    try:
        ctypes.CDLL(None).malloc_trim(0)  # what earlier calls have freed is not there for this one
        Path("/proc/self/clear_refs").write_text("5")  # forgets the peak
    except (OSError, AttributeError):
        pytest.skip("the peak of resident memory cannot be reset here")
    before = resident("VmRSS")
    call()
    return resident("VmHWM") - before


def conv_net():
    t.manual_seed(0)
    stages = [nn.Conv2d(3, 32, 3, padding=1), nn.GELU(), nn.Conv2d(32, 32, 3, padding=1), nn.GELU()]
    return nn.Sequential(*stages, nn.AvgPool2d(8), nn.Flatten()).eval()


def wide_net():
    t.manual_seed(0)
    return nn.Sequential(nn.Linear(200, 1000), nn.GELU())


def deep_net():
    t.manual_seed(0)
    return nn.Sequential(nn.Linear(2, 200), nn.Tanh(), nn.Linear(200, 200), nn.Tanh()).double()


class Opaque(nn.Module):
    """Hides what a network is made of."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return self.net(x)


CASES = {
    "log volume": (24 * MIB, lambda m: measure.log_volume_element(conv_net(), t.randn(1, 3, 16, 16), m)),
    "neurons": (48 * MIB, lambda m: measure.scalar_curvature(wide_net(), t.randn(1, 200), memory=m)),
    "any map": (12 * MIB, lambda m: measure.scalar_curvature(Opaque(deep_net()), t.randn(1500, 2), memory=m)),
    "kernel": (24 * MIB, lambda m: measure.neural_tangent_gram(conv_net()[:2], t.randn(6, 3, 4, 4), memory=m)),
}


@pytest.mark.parametrize("name", CASES)
def test_within_the_budget(name):
    memory, call = CASES[name]
    call(memory)
    assert peak_over(lambda: call(memory)) < memory + SLACK


def test_the_peak_is_seen():
    assert peak_over(lambda: t.ones(64 * MIB // 4)) > 60 * MIB
