"""Tests of the losses and the probe of self-supervised learning against naive loops and the standard library."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from empirics.experiments.geometry.images import self_supervised
from empirics.experiments.geometry.images.self_supervised import logistic_regression

EXACT = 1e-12  # float64, a few hundred additions in another order


def embeddings(batch=7, features=4, seed=0):
    stream = torch.Generator().manual_seed(seed)
    first = torch.randn(batch, features, generator=stream, dtype=torch.float64)
    return first, first + 0.5 * torch.randn(batch, features, generator=stream, dtype=torch.float64)


def naive_barlow_twins(first, second, off_diagonal):
    """Entry by entry, as Eq. 1 of the Barlow Twins paper has it."""
    n, p = first.shape

    def standard(z, i):
        column = [z[k][i] for k in range(n)]
        mean = sum(column) / n
        variance = sum((v - mean) ** 2 for v in column) / n
        return [(v - mean) / math.sqrt(variance + self_supervised.EPSILON) for v in column]

    total = 0.0
    for i in range(p):
        for j in range(p):
            c = (
                sum(a * b for a, b in zip(standard(first, i), standard(second, j), strict=True))
                / n
            )
            total += (1 - c) ** 2 if i == j else off_diagonal * c**2
    return total


def naive_simclr(first, second, temperature):
    """Every embedding against all others, as Eq. 1 of the SimCLR paper has it."""
    z = [*first, *second]
    n = len(first)

    def cosine(a, b):
        return sum(x * y for x, y in zip(a, b, strict=True)) / math.hypot(*a) / math.hypot(*b)

    total = 0.0
    for i in range(2 * n):
        partner = (i + n) % (2 * n)
        others = sum(math.exp(cosine(z[i], z[k]) / temperature) for k in range(2 * n) if k != i)
        total -= math.log(math.exp(cosine(z[i], z[partner]) / temperature) / others)
    return total / (2 * n)


@pytest.mark.parametrize("seed", range(3))
def test_barlow_twins_is_the_sum_over_entries(seed):
    first, second = embeddings(seed=seed)
    expected = naive_barlow_twins(first.numpy(), second.numpy(), 0.02)
    assert float(self_supervised.barlow_twins(first, second, 0.02)) == pytest.approx(
        expected, rel=EXACT
    )


@pytest.mark.parametrize("seed", range(3))
def test_simclr_is_the_sum_over_pairs(seed):
    first, second = embeddings(seed=seed)
    expected = naive_simclr(first.tolist(), second.tolist(), 0.3)
    assert float(self_supervised.simclr(first, second, 0.3)) == pytest.approx(expected, rel=EXACT)


def test_losses_know_what_they_ought_not_to_see():
    first, second = embeddings()
    scaled = second * 3 + 1  # each feature's scale and offset mean nothing to Barlow Twins
    plain = float(self_supervised.barlow_twins(first, second))
    # but for EPSILON
    assert float(self_supervised.barlow_twins(first, scaled)) == pytest.approx(plain, rel=1e-4)
    # lengths mean nothing to SimCLR
    lengths = torch.rand(len(second), 1, dtype=torch.float64) + 0.5
    plain = float(self_supervised.simclr(first, second))
    assert float(self_supervised.simclr(first, second * lengths)) == pytest.approx(
        plain, rel=EXACT
    )
    assert float(self_supervised.simclr(first, first)) < float(
        self_supervised.simclr(first, second.flip(0))
    )


@pytest.mark.parametrize("loss", [self_supervised.barlow_twins, self_supervised.simclr])
def test_losses_refuse_what_cannot_be(loss):
    first, second = embeddings()
    with pytest.raises(ValueError, match="second: got shape"):
        loss(first, second[1:])
    with pytest.raises(ValueError, match="needs at least two"):
        loss(first[:1], second[:1])
    with pytest.raises(ValueError, match="got -1"):
        loss(first, second, -1.0)


def test_probe_is_scikit_learns():
    linear_model = pytest.importorskip(
        "sklearn.linear_model", reason="scikit-learn is not installed"
    )
    stream = np.random.default_rng(0)
    labels = stream.integers(0, 4, 120)
    features = stream.normal(size=(120, 5)) * [1, 1, 30, 1e-3, 1] + labels[:, None] * 0.4 + 7
    theirs = linear_model.LogisticRegression(C=1 / 0.7, tol=1e-10, max_iter=20_000).fit(
        features, labels
    )
    weight, bias = logistic_regression(
        torch.from_numpy(features), torch.from_numpy(labels), 4, penalty=0.7
    )
    logits = torch.from_numpy(features) @ weight.T + bias
    # where scikit-learn stops
    np.testing.assert_allclose(logits.softmax(1), theirs.predict_proba(features), atol=1e-5)


def test_probe_refuses_what_cannot_be():
    with pytest.raises(ValueError, match="labels: got shape"):
        logistic_regression(torch.zeros(3, 2), torch.zeros(4, dtype=torch.int64), 2)
    with pytest.raises(ValueError, match="not finite"):
        logistic_regression(torch.full((3, 2), math.nan), torch.zeros(3, dtype=torch.int64), 2)
    with pytest.raises(ValueError, match="penalty: got 0"):
        logistic_regression(torch.zeros(3, 2), torch.zeros(3, dtype=torch.int64), 2, 0)
