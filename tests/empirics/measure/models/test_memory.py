"""Peak memory of the measures, as Linux counts it, against the budget that they are given.

The calls are made in a process of their own, whose allocator takes the memory of every tensor from the system and gives
it back, so that what was freed before does not count.
"""

from __future__ import annotations

import ctypes
import json
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
import torch as t
from torch import nn

from empirics import measure
from tests import forked

MIB = 2**20
ROOT = Path(__file__).resolve().parents[4]
# the rest is for what an allocator keeps of what was freed, which does not count here
SHARE = 3 / 4
SLACK = 2 * MIB  # the allocator's own, LAPACK's workspace, code that is loaded late
# the number that the C library gives to this setting; else it grows with what is freed
M_MMAP_THRESHOLD = -3


def resident(field):
    """``VmRSS`` (now) or ``VmHWM`` (peak) of this process, bytes."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise AssertionError(field)


def peak_over(call):
    """Bytes by which the memory of this process rises while ``call`` runs, the second time."""
    try:
        ctypes.CDLL(None).malloc_trim(0)  # what earlier calls have freed is not there for this one
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # forgets the peak
    except (OSError, AttributeError):
        raise SystemExit("the peak of resident memory cannot be reset here") from None
    before = resident("VmRSS")
    call()
    return resident("VmHWM") - before


def conv_net():
    t.manual_seed(0)
    stages = [
        nn.Conv2d(3, 32, 3, padding=1),
        nn.GELU(),
        nn.Conv2d(32, 32, 3, padding=1),
        nn.GELU(),
    ]
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


# budget in bytes, call, and how many pixels or points a first call has, which loads what is needed, and the second
CASES = {
    "log volume": (
        24 * MIB,
        lambda m, n: measure.log_volume_element(conv_net(), t.randn(1, 3, n, n), m),
        (8, 16),
    ),
    "neurons": (
        48 * MIB,
        lambda m, n: measure.scalar_curvature(wide_net(), t.randn(n, 200), memory=m),
        (1, 1),
    ),
    "any map": (
        12 * MIB,
        lambda m, n: measure.scalar_curvature(Opaque(deep_net()), t.randn(n, 2), memory=m),
        (2, 1500),
    ),
    "kernel": (
        24 * MIB,
        lambda m, n: measure.neural_tangent_gram(conv_net()[:2], t.randn(n, 3, 4, 4), memory=m),
        (1, 6),
    ),
}


def peaks():
    """Name of the case -> bytes, after a first call of each, which is a small one."""
    with suppress(AttributeError):  # of another C library
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, 128 * 1024)
    found = {}
    for name, (memory, call, (few, many)) in CASES.items():
        call(memory, few)
        found[name] = peak_over(partial(call, memory, many))
    return found | {"seen": peak_over(lambda: t.ones(64 * MIB // 4))}


def print_peaks():
    print(json.dumps(peaks()))


@pytest.fixture(scope="module")
def measured():
    done = forked.run(print_peaks, folder=ROOT)
    if "cannot be reset" in done.stderr:
        pytest.skip("the peak of resident memory cannot be reset here")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", CASES)
def test_within_the_budget(name, measured):
    assert measured[name] < SHARE * CASES[name][0] + SLACK


def test_the_peak_is_seen(measured):
    assert measured["seen"] > 60 * MIB
