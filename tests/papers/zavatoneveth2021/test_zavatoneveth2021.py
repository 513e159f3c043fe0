"""Tests of the ledger of Zavatone-Veth et al. (2021): what is in it, and its independent computations."""

import numpy as np
import pytest
from scipy.stats import gamma

import theory
from papers.zavatoneveth2021.ledger import posterior, skips, weights


def test_posterior_means_are_those_of_a_sum_over_a_grid(monkeypatch):
    """With few units, where no correction is small; both mean squares have gamma distributions."""
    monkeypatch.setattr(posterior, "WIDTHS", (60, 80))
    beta = 2.3
    first, second = np.linspace(0.05, 3.0, 800)[:, None], np.linspace(0.1, 3.0, 800)
    variances = np.cumprod(np.square(posterior.SIGMAS))
    inside = 1 + beta * posterior.G_XX * variances[2] * first * second
    likelihood = inside**-1.5 * np.exp(-1.5 * beta * posterior.G_YY / inside)
    prior = gamma.pdf(first, 30, scale=1 / 30) * gamma.pdf(second, 40, scale=1 / 40)
    masses = likelihood * prior / (likelihood * prior).sum()
    expected = (
        posterior.G_XX * variances[0] * (masses * first).sum(),
        posterior.G_XX * variances[1] * (masses * first * second).sum(),
    )
    found = posterior.kernel_means.__wrapped__(beta)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_exact_moments_of_kernels_are_those_of_drawn_weights():
    masses, values = weights.kernels()
    draw, count = np.random.default_rng(2), 20_000
    signals = np.broadcast_to(weights.INPUTS, (count, *weights.INPUTS.shape))
    shapes = zip(weights.SIZES[1:], weights.SIZES, strict=False)
    for sigma, shape, exact in zip(weights.SIGMAS, shapes, values, strict=True):
        layer = sigma * draw.normal(size=(count, *shape)) / shape[1] ** 0.5
        signals = np.einsum("wij,wpj->wpi", layer, signals)
        kernels = signals @ signals.transpose(0, 2, 1) / shape[0]
        for power in (1, 2):
            moments = kernels**power
            error = moments.std(axis=0) / count**0.5
            mean = np.einsum("s,sij->ij", masses, exact**power)
            assert (np.abs(mean - moments.mean(axis=0)) < 5 * error).all()
            if sigma == weights.SIGMAS[2]:
                break  # of the last layer's weights second moments alone are exact


def test_couplings_are_those_of_drawn_networks():
    n_1, n_2 = 40, 60
    draw, square = (
        np.random.default_rng(3),
        {pair: value**2 for pair, value in skips.SIGMA.items()},
    )
    first = square[1, 0] * draw.chisquare(n_1, 400_000) / n_1
    second = (square[2, 0] + square[2, 1] * first) * draw.chisquare(n_2, 400_000) / n_2
    received = {
        layer: square[layer, 0] + square[layer, 1] * first + square[layer, 2] * second
        for layer in (3, 4)
    }
    covariance = np.cov(received[3], received[4])[0, 1]
    assert skips.second_coupling(n_1, n_2) == pytest.approx(n_2 * covariance / 2, rel=0.02)


def test_the_recursion_at_one_input_is_the_spread_of_linear_layers():
    """The closed form that "C.1 recursion" names, for layers of one width and variances of one."""
    second, width = 1.0, 7
    for _ in range(4):
        second += 2 * second / width
    spread = theory.catalogue()["finite_width.rectifier_spread"]
    assert spread(n=width, L=4, a=1, b=1) == pytest.approx(second - 1, rel=1e-14)
