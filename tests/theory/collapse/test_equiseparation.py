"""Tests of the correlation of log NC1 with depth, and of its null distributions, against simulation and scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr

from theory import collapse

Z = 4.0  # see test_gaussian_classes
DRAWS = 100_000
profiles = st.lists(st.floats(-5, 5), min_size=3, max_size=9).filter(
    lambda x: max(x) - min(x) > 1e-3
)


@given(profiles)
def test_r_and_its_chance_are_those_of_scipy(logs: list[float]) -> None:
    found = collapse.equiseparation(np.exp(logs))
    expected = pearsonr(range(len(logs)), logs)
    assert found.r == pytest.approx(expected.statistic, abs=1e-9)
    # Near |r| = 1 the chance is a root of rounding.
    assert found.chance == pytest.approx(expected.pvalue, abs=1e-6)
    np.testing.assert_allclose(found.log_ratios, np.diff(logs), atol=1e-12)


@pytest.mark.parametrize("level", [0.88, 0.95, 0.99, 0.999])
def test_chances_of_three_layers_against_simulation(
    level: float, rng: np.random.Generator
) -> None:
    trendless = np.exp(rng.standard_normal((DRAWS, 3)))
    falling = np.exp(
        -np.pad(np.cumsum(rng.exponential(size=(DRAWS, 2)), axis=1), ((0, 0), (1, 0)))
    )
    for values, form in (
        (trendless, collapse.correlation_chance()),
        (falling, collapse.monotone_correlation_chance()),
    ):
        expected = form(correlation=level)
        found = np.mean(np.abs(collapse.equiseparation(values).r) >= level)
        assert abs(found - expected) < Z * math.sqrt(expected * (1 - expected) / DRAWS)


def test_the_function_has_the_closed_forms() -> None:
    found = collapse.equiseparation([30.0, 8.0, 1.5])
    size = abs(float(found.r))
    assert collapse.three_layer_correlation()(
        first=np.log(30 / 8), second=np.log(8 / 1.5)
    ) == pytest.approx(size)
    assert found.chance == pytest.approx(collapse.correlation_chance()(correlation=size))
    assert found.chance_if_falling == pytest.approx(
        collapse.monotone_correlation_chance()(correlation=size)
    )


def test_many_profiles_at_once_and_more_layers(rng: np.random.Generator) -> None:
    values = np.exp(rng.standard_normal((4, 2, 5)))
    found = collapse.equiseparation(values)
    assert found.log_ratios.shape == (4, 2, 4)
    assert found.r.shape == found.chance.shape == found.ratio.shape == (4, 2)
    exact = collapse.equiseparation(2.0 ** -np.arange(8))
    assert (float(exact.r), float(exact.ratio)) == pytest.approx((-1, 0.5))
    assert exact.spread < 1e-12
    assert exact.chance_if_falling < 1e-3
    assert np.isnan(collapse.equiseparation([3.0, 1.0, 2.0]).chance_if_falling)


def test_more_layers_by_simulation(rng: np.random.Generator) -> None:
    """The fixed random profiles of the function against others."""
    falling = np.exp(-np.cumsum(rng.exponential(size=(4000, 5)), axis=1))
    found = collapse.equiseparation(falling)
    level = np.mean(found.chance_if_falling < 0.3)
    # Uniform on [0, 1] if both samples have one distribution; 20,000 reference profiles behind the function.
    assert abs(level - 0.3) < Z * math.sqrt(0.3 * 0.7 * (1 / 4000 + 1 / 20_000))
