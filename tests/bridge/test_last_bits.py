"""Tests that results do not depend on the last bits: ranks, constancy, ineffective parameters, offsets, gaps."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bridge import scaling
from bridge.collapse.generalisation import Gaps
from bridge.collapse.separation import equiseparation
from bridge.fit.estimate import estimate
from bridge.geometry.association import association
from bridge.geometry.extrapolation import extrapolate
from bridge.scaling.profile import FitProfile
from bridge.scaling.uncertainty import from_profile
from bridge.statistics.rank_correlation import has_repeated, is_constant, ranks, spearman

EPS = np.finfo(np.float64).eps


def shaken(values, rng, spacings=4):
    return values * (1 + spacings * EPS * rng.uniform(-1, 1, size=np.shape(values)))


@pytest.mark.parametrize("scale", [1.0, 3.0, 1e-30])
def test_numbers_that_are_the_same_to_rounding_share_their_rank(scale, rng):
    values = rng.integers(-3, 4, size=(5, 40)).astype(float)
    expected = stats.rankdata(values, axis=-1)
    np.testing.assert_array_equal(ranks(shaken(scale * values, rng)), expected)
    np.testing.assert_array_equal(ranks(scale * values), expected)
    other = rng.normal(size=40)
    assert spearman(shaken(values[0], rng), other) == pytest.approx(
        stats.spearmanr(values[0], other).statistic
    )


def test_ranks_of_what_is_not_finite():
    np.testing.assert_array_equal(
        ranks([np.inf, -np.inf, 1.0, np.inf, 1 + EPS]), [4.5, 1, 2.5, 4.5, 2.5]
    )
    assert np.isnan(ranks([1.0, np.nan, 2.0])).all()
    assert np.isnan(spearman([1.0, 1 + EPS, 1.0], [1.0, 2.0, 3.0]))


def test_constant_to_rounding(rng):
    assert is_constant(shaken(np.full(9, 0.1), rng))
    assert is_constant(np.zeros(3))
    assert not is_constant([1.0, 1 + 1e-9])


def test_piecewise_constant_volumes_are_tied(rng):
    """Three plateaus of a piecewise linear network: the association is that of the plateaus."""
    volume, distance = rng.integers(0, 3, size=60).astype(float) - 7.3, rng.uniform(size=60)
    expected = stats.spearmanr(volume, distance).statistic
    for _ in range(5):
        found = association([shaken(volume, rng)], [distance])
        assert found.per_network[0] == pytest.approx(expected, abs=1e-12)
    with pytest.raises(ValueError, match="is constant, so it has no ranks"):
        association([shaken(np.full(60, 2.0), rng)], [distance])


def curves(parameters, noise):
    """The sum of the first two parameters acts, the third does nothing but stir the last bits."""
    t = np.linspace(0, 1, 50)
    decay = np.exp(-(parameters[:, :1] + parameters[:, 1:2]) * t)
    return (decay * (1 + noise * EPS * np.sin(1e9 * (1 + parameters[:, 2:3]) * (t + 1))))[
        :, None, :
    ]


@pytest.mark.parametrize("noise", [0, 1])
def test_parameters_that_only_stir_the_last_bits_are_undetermined(noise, rng):
    times = np.linspace(0, 1, 50)
    observed = np.exp(-1.5 * times)[None] + 1e-3 * rng.normal(size=(1, 50))
    start, low, high = np.array([0.7, 0.7, 0.3]), np.full(3, 0.01), np.full(3, 9.0)
    found = estimate(lambda p: curves(p, noise), times, observed, start, lower=low, upper=high)
    assert np.isposinf(np.diagonal(found.covariance)).all()
    assert found.parameters[:2].sum() == pytest.approx(1.5, abs=0.01)


@pytest.mark.parametrize("scale", [1.0, 3.0, 1e-20])
def test_offset_that_cannot_be_told_from_the_power_has_no_finite_error(scale, rng):
    """Two points alone, seen many times to rounding, leave a power and an offset undetermined, whatever the bits."""
    x = np.sort(shaken(np.repeat([1.0, 2.0], 5), rng))
    profile = FitProfile(x, np.full(10, 0.1 * scale), None)
    assert np.isposinf(from_profile(profile, 1.0, scale, scale * x, 0.95, None).offset_error)


def test_offset_error_is_that_of_the_normal_equations():
    x = np.geomspace(1, 100, 12)
    found = scaling.fit(x, 3 * x**-0.5 + 2, errors=np.full(12, 0.01))
    slopes = np.stack([3 * x**-0.5 * np.log(x), x**-0.5, np.ones(12)], axis=1) / 0.01
    assert found.offset_error == pytest.approx(
        np.sqrt(np.linalg.inv(slopes.T @ slopes)[2, 2]), rel=1e-5
    )


@pytest.mark.parametrize("dust", [[0.0, 0.0], [1e-17, 0.0], [1e-17, 1e-17]])
def test_a_gap_between_rounded_zeros_is_none(dust):
    """Spectra 5, 4, 0.004, then zeros as rounding leaves them: the gap is behind the third value, never among zeros."""
    import xarray as xr

    from bridge.leaky_resnet.gap import spectral_gap

    spectrum = np.array([5.0, 4.0, 0.004, *dust])
    for scale in (1.0, 3.0, 1e-20):
        trace = xr.Dataset(
            {
                "weight_values": (
                    ("depth", "seed", "layer", "rank"),
                    scale * spectrum[None, None, None],
                ),
                "residual": (("depth", "seed"), [[1e-9]]),
            },
            {"depth": [1.0], "seed": [0]},
            {"dimensions": "[5, 2, 5]"},
        )
        found = spectral_gap(trace, layer=1)
        assert found.gap.item() == 3
        assert found.rival.item() == pytest.approx(1000)


@pytest.mark.parametrize("scale", [1.0, 3.0, 1e-20])
def test_abscissae_that_are_the_same_to_rounding_are_repeated(scale, rng):
    x = scale * np.array([0.1 + 0.2, 0.3, 1.0, 2.0, 5.0])
    with pytest.raises(ValueError, match="repeated values"):
        scaling.fit(x, 2 * x**0.5)
    with pytest.raises(ValueError, match="all different"):
        extrapolate(x, rng.normal(size=(5, 4)))
    assert not has_repeated(np.geomspace(1e-30, 1e30, 50))


@pytest.mark.parametrize("scale", [1.0, 3.0, 1e-20])
def test_seeds_that_agree_to_rounding_say_nothing_of_equal_steps(scale, rng):
    """Three seeds with one profile: the error of their bend is that of rounding, which is none."""
    profile = scale * np.array([8.0, 3.0, 1.5, 0.2])
    found = equiseparation(shaken(np.tile(profile, (3, 1)), rng))
    assert np.isnan(found.p_equal)
    assert np.isfinite(equiseparation(profile * np.exp(1e-3 * rng.normal(size=(3, 4)))).p_equal)


def test_gaps_that_are_constant_to_rounding_do_not_correlate(rng):
    gaps = Gaps(
        epoch=np.arange(8),
        layer=np.array([1, 2]),
        generalisation=np.linspace(1, 2, 8)[None],
        compression=np.stack([shaken(np.full(8, 0.3), rng), np.linspace(3, 1, 8)], axis=1)[None],
        used=np.ones((1, 8), bool),
        same_size=True,
    )
    np.testing.assert_allclose(gaps.spearman, [[np.nan, -1]])
    np.testing.assert_allclose(gaps.pearson, [[np.nan, -1]])
