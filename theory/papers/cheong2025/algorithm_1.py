"""Algorithm 1 in floating point, with lines 8 and 20 as corrected, and the definition by a pseudo-inverse."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_CLASSES, _EACH, _DIMENSION = 3, 10, 5


def example(offset: float = 0.0) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Thirty features in five dimensions, three balanced classes, shifted by ``offset``."""
    draw = np.random.default_rng(7)
    labels = np.arange(_CLASSES * _EACH) % _CLASSES
    means = draw.standard_normal((_CLASSES, _DIMENSION))
    return means[labels] + 0.5 * draw.standard_normal((len(labels), _DIMENSION)) + offset, labels


def algorithm_1(
    features: NDArray[np.float64],
    labels: NDArray[np.int64],
    tolerance: float = 1e-9,
    means: NDArray[np.float64] | None = None,
) -> float:
    """The number that Algorithm 1 returns; class means from elsewhere if ``means`` are given."""
    count, samples = labels.max() + 1, len(labels)
    if means is None:
        means = np.stack([count / samples * features[labels == c].sum(axis=0) for c in range(count)])
    centred = (means - means.mean(axis=0)).T
    eigenvalues, vectors = np.linalg.eigh(centred.T @ centred)
    keep = np.abs(eigenvalues) > tolerance * eigenvalues.max()
    kappa = (features - means[labels]) @ centred @ vectors[:, keep]
    return float(count / samples * np.sum((kappa / eigenvalues[keep]) ** 2))


def brute_force(features: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """tr(Sigma_W Sigma_B^+) with explicit covariances and numpy's pseudo-inverse, features shifted to their mean."""
    shifted = features - features.mean(axis=0)
    dimension = shifted.shape[1]
    within, between = np.zeros((dimension, dimension)), np.zeros((dimension, dimension))
    for c in range(labels.max() + 1):
        members = shifted[labels == c]
        centre = members.mean(axis=0)
        between += len(members) / len(shifted) * np.outer(centre, centre)
        for member in members:
            within += np.outer(member - centre, member - centre) / len(shifted)
    return float(np.trace(within @ np.linalg.pinv(between, rcond=1e-10, hermitian=True)))


def drifting_means_change_it(drift: float) -> bool:
    """Whether means gathered while a linear encoder shrinks by ``drift`` change the result by more than 1 %."""
    features, labels = example()
    scale = 1 + drift * (1 - np.arange(len(labels)) / len(labels))
    moved = features * scale[:, None]
    means = np.stack([moved[labels == c].mean(axis=0) for c in range(labels.max() + 1)])
    return abs(algorithm_1(features, labels, means=means) / algorithm_1(features, labels) - 1) > 0.01
