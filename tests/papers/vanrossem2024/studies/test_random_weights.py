"""Tests of the study of appendix A.6 on networks that follow its law, and on networks that do not."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from bridge.results import analyses
from papers.vanrossem2024 import quantities as q
from papers.vanrossem2024.studies.random_weights import distances

RATIO, TARGET2, NETWORKS = 0.7, 0.5, 400
# of the ratio, relative: the mean of 60 draws lies below by 1.6 %, with 1.05 % of scatter
BIAS, SCATTER = (0.016, 0.011)


def networks(rng, gain, extra=0.0):
    """Final distances as the positive root of Eq. (10), from initial states of appendix A.6; ``extra`` scatter."""
    start, share = (np.abs(gain * (1 + 0.3 * rng.normal(size=NETWORKS))) for _ in range(2))
    high = start - RATIO * share
    end = high / 2 + np.sqrt(high**2 / 4 + RATIO * TARGET2)
    end = end * np.exp(extra * rng.normal(size=NETWORKS))
    course = np.linspace(0, 1, 11) ** 0.01  # has settled long before the last tenth
    inside = start[:, None] + (end - start)[:, None] * course
    outputs = (start * share)[:, None] * (1 - course) + TARGET2 * course
    return xr.Dataset(
        {
            "dh2": (("seed", "step", "layer"), inside[..., None]),
            "dy2": (("seed", "step"), outputs),
        },
        attrs={"dx2": 1.0, "target2": TARGET2, "experiment": "two_point"},
    )


def test_the_ratio_of_the_rates_and_the_final_distances_come_back(rng):
    result = distances("planted", networks(rng, 0.2))
    assert result.ratio == pytest.approx(RATIO, rel=BIAS + 4 * SCATTER)
    np.testing.assert_allclose(result.predicted, result.end, rtol=0.02)
    assert result.gain == pytest.approx(0.2, rel=0.05)


def test_scatter_that_the_initial_state_does_not_explain_is_seen(rng):
    analysis = analyses.analyse(
        "two-point-random-weights", {"scattered": networks(rng, 0.01, extra=0.1)}
    )
    (spread,) = (one for one in analysis.compared if one.quantity == q.SPREAD)
    assert spread.verdict == "disagrees"
    assert spread.value > 3 * spread.predicted
    assert "too blunt" in analysis.findings[0]
    analysis.pictures[0].figure.canvas.draw()


def test_a_few_networks_are_no_distribution(rng):
    with pytest.raises(ValueError, match="trace: got 3 networks, needs at least 10"):
        distances("few", networks(rng, 0.1).isel(seed=slice(3)))
