"""The delay of the loss of curves that are planted."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from papers.vanrossem2024.studies import single

TARGET2 = 0.5
STEPS = np.arange(2001)


def trace_of(*shares):
    """Return a trace whose outputs are apart by the target, less the root of these shares of the loss at the start."""
    dy = np.sqrt(TARGET2) * (1 - np.sqrt(np.array(shares)))
    place = ("seed", "step")
    curves = {"dy2": (place, dy**2), "w": (place, dy**2 - dy * np.sqrt(TARGET2))}
    return xr.Dataset(curves, {"step": STEPS}, {"target2": TARGET2})


DECAY = np.exp(-STEPS / 200)
PLATEAU = 1 / (1 + np.exp((STEPS - 1000) / 50))


def test_a_plateau_is_longer_than_exponential_decay():
    decay, plateau, never = single.delays(trace_of(DECAY, PLATEAU, 0.2 + 0.8 * DECAY))
    assert decay == pytest.approx(np.log(np.log(2) / np.log(5)), abs=1e-4)
    assert plateau == pytest.approx(np.log(1000 / (50 * np.log(9))), abs=1e-4)
    assert np.isnan(never)


def test_time_counts_from_the_first_step():
    late = trace_of(PLATEAU).assign_coords(step=STEPS + 500)
    np.testing.assert_allclose(single.delays(late), single.delays(trace_of(PLATEAU)), rtol=1e-12)


def test_only_networks_that_learn_count():
    (row,) = single.plateaus(
        {"low": trace_of(DECAY, PLATEAU), "none": trace_of(0.2 + 0.8 * DECAY)}
    ).rows
    one = row["delay of the loss"]
    assert (row["configuration"], row["seeds"], one.n) == ("low", 2, 2)
    expected = single.delays(trace_of(DECAY, PLATEAU))
    assert (one.value, one.error) == pytest.approx(
        (expected.mean(), np.ptp(expected) / 2), rel=1e-5
    )
