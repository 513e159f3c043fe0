"""Tests that a batch of seeds trains exactly as its members alone, and that a run repeats bit for bit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from empirics.experiments import two_point

ROUNDING = 1e-10  # batched and single matrix products may sum in another order; 60 stable steps
RUNS = {
    "by hand": {},
    "skip": {"architecture": "skip", "gain": 0.5},
    "convolution": {"architecture": "convolution", "channels": 3, "kernel": 3},
    "dropout": {"architecture": "dropout"},
    "adam": {"optimiser": "adam", "learning_rate": 1e-3},
}


def config(**changes):
    base = {
        "depth": 4,
        "width": 12,
        "seeds": 3,
        "epochs": 60,
        "learning_rate": 0.02,
        "first_seed": 4,
    }
    return two_point.Config(**(base | changes))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("changes", RUNS.values(), ids=RUNS)
def test_batched_is_one_by_one(changes):
    c = config(dtype="float64", **changes)
    together = two_point.run(c, progress=False)
    for seed in c.seed_numbers:
        alone = two_point.run(replace(c, seeds=1, first_seed=seed), progress=False)
        for name in ("dh2", "dy2", "w", "loss", "output_mean"):
            np.testing.assert_allclose(
                together[name].sel(seed=seed), alone[name].sel(seed=seed), rtol=0, atol=ROUNDING
            )
    assert float(np.ptp(together.dy2.isel(step=0).values)) > 1e-6  # the seeds do differ
    again = two_point.run(c, progress=False)
    assert again.drop_attrs().identical(together.drop_attrs())
