"""Tests of the studies: all have every scale, the paper's is its Table 1, and the smallest takes seconds."""

from __future__ import annotations

import numpy as np
import pytest

from empirics import experiments
from empirics.experiments import two_point
from empirics.experiments.two_point.studies import ADAM, LAPTOP
from empirics.experiments.two_point.table_1 import TABLE_1

NAMES = (
    "two-point-architectures",
    "two-point-initial-weights",
    "two-point-layer",
    "two-point-alternatives",
    "two-point-adam",
)
PRINTED = """
default                      leaky_relu 1.0  0.005   6000 500 20
convolution                  leaky_relu 0.95 0.002   6000 500 10
skip connections             leaky_relu 0.1  0.01    6000 500 20
shallow                      leaky_relu 0.35 0.01    6000 500 2
narrow                       leaky_relu 1.05 0.005   6000 50  20
dropout                      leaky_relu 1.0  0.005   6000 500 10
linear                       linear     0.85 0.00125 6000 500 20
ReLU                         relu       1.0  0.005   6000 500 20
ELU                          elu        0.95 0.00045 6000 500 20
tanh                         tanh       0.85 0.00125 6000 500 20
swish                        swish      1.7  0.0025  6000 500 20
low initial weights          leaky_relu 0.9  0.015   6000 500 20
intermediate initial weights leaky_relu 1.1  0.0025  6000 500 20
high initial weights         leaky_relu 1.3  0.00075 6000 500 20
very high initial weights    leaky_relu 1.4  0.00025 6000 500 20
"""


def test_table_1_is_as_printed():
    rows = [line.rsplit(maxsplit=6) for line in PRINTED.strip().splitlines()]
    assert [row[0] for row in rows] == list(TABLE_1)
    for name, *row in rows:
        c = TABLE_1[name]
        assert row == [c.activation, *row[1:3], str(c.epochs), str(c.width), str(c.depth)]
        assert (c.gain, c.learning_rate) == (float(row[1]), float(row[2]))
    assert {*TABLE_1, ADAM} == set(LAPTOP)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name == "two-point-architectures" else ())
        for name in NAMES
    ],
)
def test_smoke_scale_learns(name, trained):
    configs = experiments.STUDIES[name].configs("smoke")
    for label, data in zip(configs, trained(configs.values()), strict=True):
        assert np.isfinite(data.loss).all(), label
        assert float(data.loss.isel(step=-1).mean()) < 0.02 * float(
            data.loss.isel(step=0).mean()
        ), label


@pytest.mark.slow
def test_laptop_scale_trains_to_the_end():
    """Every configuration; dropout's loss stays at its noise."""
    configs = {
        c.to_json(): (l, c)
        for s in map(experiments.STUDIES.get, NAMES)
        for l, c in s.configs("laptop").items()
    }
    for label, config in configs.values():
        data = two_point.run(config, progress=False)
        assert float(data.loss.isel(step=-1).max()) < (
            0.01 if config.architecture == "dropout" else 1e-5
        ), label
