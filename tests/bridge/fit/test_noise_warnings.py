"""Noise that errors or bands do not follow is said at the fit, and white noise is not taken for it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import bridge
from bridge.fit.noise_warnings import chance_of_kurtosis, is_growing, kurtosis
from tests.calibration import noises

SAID = ("is correlated over", "has heavy tails or outliers", "grows along the data")


def fitted(name, number, seen=1.0):
    """The fit of a curve with a kind of noise, or of its first part."""
    case, columns = noises.drawn(name, number, seed=4)
    keep = columns["t"] <= seen * columns["t"][-1]
    return bridge.two_point.fit(
        {name: column[keep] for name, column in columns.items()}, **case.data
    )


def said(fit):
    """Which kinds of noise the warnings name."""
    return [any(words in warning for warning in fit.warnings) for words in SAID]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "seen", "kind"),
    [
        ("correlated, 0.9", 1.0, 0),
        ("correlated, logarithmic times", 1.0, 0),
        ("Student's t, 3 degrees", 1.0, 1),
        ("outliers", 1.0, 1),
        ("growing 100 times", 0.3, 2),
    ],
)
def test_noise_of_which_bands_know_nothing_is_said_at_the_fit(name, seen, kind):
    fits = [fitted(name, number, seen) for number in range(4)]
    assert sum(said(fit)[kind] for fit in fits) >= 3
    warned = next(fit for fit in fits if said(fit)[kind])
    assert SAID[kind] in " ".join(warned.summary().split())
    assert SAID[kind] in " ".join(warned.to_dict()["warnings"])


def test_intervals_are_in_doubt_where_times_are_uneven():
    even, uneven = (
        " ".join(fitted(f"correlated, {times}", 0).warnings)
        for times in ("0.9", "logarithmic times")
    )
    assert "samples: bands of a forecast hold less often" in even
    assert "samples: intervals of the constants and bands of a forecast hold less often" in uneven


@pytest.mark.parametrize("count", [3, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("seen", [1.0, noises.SEEN])
def test_white_noise_is_hardly_ever_taken_for_it(count, seen):
    """Of 200 whole curves none, and of their first fifths 1 %."""
    taken = [any(said(fitted("white, 1 % of the range", n, seen))) for n in range(count)]
    assert sum(taken) <= 0.02 * count


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rounding_is_no_noise(dtype):
    assert not any(said(fitted("rounded to 1 % of the largest", 0)))
    for number in range(8):  # two of them have heavy tails in float64
        case = noises.draw_case(np.random.default_rng([7, 2 * number]), noise=0.0)
        columns = {name: column.astype(dtype) for name, column in case.columns.items()}
        assert not any(said(bridge.two_point.fit(columns, **case.data)))


def test_only_significant_tails_and_growth_count(clean):
    times = np.linspace(0, 1, 300)
    assert not kurtosis(np.zeros((2, 300))).any()
    assert not is_growing(np.zeros((2, 300)))
    assert is_growing((1 + 9 * times) * clean)
    assert not is_growing((10 - 9 * times) * clean)
    assert is_growing(times[None])
    assert not is_growing(1 - times[None])
    assert not is_growing(np.array([[1.0, 2.0]]))
    assert not kurtosis((1 + 9 * times) * clean).any()  # of one size within every stretch
    assert kurtosis(clean + 8 * (np.arange(300) % 50 == 0)).all()
    assert not kurtosis(clean[:, :10] ** 3).any()  # too few to show it


@pytest.fixture
def clean(rng):
    """White noise of two curves."""
    return rng.normal(size=(2, 300))


@pytest.mark.parametrize("points", [20, 33, 300, 5000])
def test_the_chance_of_a_kurtosis_is_that_of_scipy(points):
    numbers = np.random.default_rng(points).standard_t(5, size=(6, points))
    chance = chance_of_kurtosis(stats.kurtosis(numbers, axis=1, fisher=False), points)
    known = stats.kurtosistest(numbers, axis=1, alternative="greater").pvalue
    np.testing.assert_allclose(chance, known, rtol=1e-9)
