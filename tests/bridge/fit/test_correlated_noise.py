"""Correlated noise: the filter against dense algebra, and errors of means against the variance that was drawn."""

from __future__ import annotations

import numpy as np
import pytest

from bridge.fit import correlated_noise

EXACT = 1e-9  # relative: two orders of summation of a hundred numbers
UNEVEN = np.concatenate([[0.0], np.geomspace(0.1, 60, 99)])


def noise_of(times, residuals, slopes):
    return correlated_noise.estimates(times, residuals[None], slopes[None])[0]


def dense(times, theta, share):
    """The covariance of unit noise, ``[time, time]``, as the module's docstring has it."""
    return share * np.exp(-np.abs(times[:, None] - times) / theta) + (1 - share) * np.eye(
        times.size
    )


def test_the_filter_is_the_inverse_of_the_dense_covariance(rng):
    grid = np.array([[1.0, 0.0], [5.0, 0.7], [0.3, 1.0]])
    columns = rng.normal(size=(1, UNEVEN.size, 2))
    gain, own = correlated_noise._of_means(np.gradient(UNEVEN), np.ones(UNEVEN.size, int), grid)
    kalman = correlated_noise._Filter(np.diff(UNEVEN), grid, gain, own)
    white, volume = kalman.whitened(columns), kalman.volume
    for index, (theta, share) in enumerate(grid):
        covariance = dense(UNEVEN, theta, share)
        expected = columns[0].T @ np.linalg.solve(covariance, columns[0])
        assert white[:, 0, :, index].T @ white[:, 0, :, index] == pytest.approx(
            expected, rel=EXACT
        )
        assert volume[index] == pytest.approx(
            np.linalg.slogdet(covariance)[1], rel=EXACT, abs=EXACT
        )


@pytest.mark.parametrize(("theta", "share"), [(2.0, 1.0), (7.0, 0.6), (300.0, 0.9)])
def test_means_of_blocks_have_the_covariance_of_averaged_samples(theta, share):
    times, count = np.arange(60.0), 6
    mean = np.kron(np.eye(10), np.full(count, 1 / count))
    expected = mean @ dense(times, theta, share) @ mean.T
    centres = mean @ times
    gain, own = correlated_noise._of_means(
        np.ones(10), np.full(10, count), np.array([[theta, share]])
    )
    found = share * np.exp(-np.abs(centres[:, None] - centres) / theta) * gain[
        0, 0
    ] ** 2 + np.diag(own[0])
    np.testing.assert_allclose(found, expected, rtol=EXACT)


@pytest.mark.parametrize("times", [np.arange(300.0), UNEVEN], ids=["even", "uneven"])
def test_the_error_of_a_mean_is_that_of_the_noise_drawn(rng, times):
    """A tenth of the noise is white. Uncorrelated errors would be too small by factors of 3.5 and 4."""
    covariance = dense(times, 8.0, 0.9)
    root = np.linalg.cholesky(covariance)
    found = []
    for _ in range(20):
        drawn = root @ rng.normal(size=times.size)
        residuals, slopes = (drawn - drawn.mean())[None], np.ones((1, times.size, 1))
        noise = noise_of(times, residuals, slopes)
        found.append(np.sqrt(noise.covariance(np.ones((1, 1, times.size)))[0, 0]))
        assert noise.correlation_time[0] > 3
    assert np.median(found) == pytest.approx(np.sqrt(covariance.sum()), rel=0.35)


def test_noise_that_two_curves_share_is_shared(rng):
    root = np.linalg.cholesky(dense(np.arange(300.0), 8.0, 1.0))
    one, other = (root @ rng.normal(size=300) for _ in range(2))
    noise = noise_of(np.arange(300.0), np.array([one, 3 * one, other]), np.ones((3, 300, 1)))
    assert noise.shared[0, 1] > 0.99
    assert abs(noise.shared[0, 2]) < 0.5


def test_white_noise_has_no_correlation_and_smooth_errors_are_not_rough(rng):
    times, slopes = np.arange(300.0), np.zeros((1, 300, 1))
    assert noise_of(times, rng.normal(size=(1, 300)), slopes) is None
    lasting = np.linalg.cholesky(dense(times, 10.0, 1.0)) @ rng.normal(size=300)
    wave = np.sin(times / 20)
    for residuals, rough in (
        (lasting, True),
        (wave, False),
        (wave + 0.3 * rng.normal(size=300), False),
    ):
        assert noise_of(times, residuals[None], slopes).rough[0] == rough


def test_a_remembered_grid_gives_the_same_bits(rng):
    residuals, slopes = np.cumsum(rng.normal(size=(3, 300)), axis=1), rng.normal(size=(3, 300, 2))
    correlated_noise._grid_at.cache_clear()
    first, again = (noise_of(np.arange(300.0), residuals, slopes) for _ in range(2))
    assert correlated_noise._grid_at.cache_info().hits == 1
    for one, other in zip(first, again, strict=True):
        np.testing.assert_array_equal(one, other)
