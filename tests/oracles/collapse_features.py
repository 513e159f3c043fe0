"""Random features with class labels, and NC1 by a loop over samples: slow and simple."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def simplex(classes: int, dimension: int, radius: float) -> np.ndarray:
    """Corners of a regular simplex about the origin, [classes, dimension], grown corner by corner."""
    corners = np.zeros((classes, dimension))
    corners[0, 0] = radius
    for c in range(1, classes):
        # the inner product with every earlier corner is -radius^2/(classes - 1)
        for k in range(c):
            wanted = -(radius**2) / (classes - 1)
            corners[c, k] = (wanted - corners[c, :k] @ corners[k, :k]) / corners[k, k]
        if c < dimension:
            corners[c, c] = np.sqrt(max(radius**2 - corners[c] @ corners[c], 0.0))
    return corners


def draw(
    means: np.ndarray, root: np.ndarray, sizes: Sequence[int], rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """``sizes[c]`` Gaussian features around each mean with covariance ``root root'``, and their labels."""
    labels = np.repeat(np.arange(len(sizes)), sizes)
    noise = rng.standard_normal((len(labels), means.shape[1])) @ root.T
    return means[labels] + noise, labels


def covariances(features: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Within- and between-class covariance, one outer product after another, divided by the number of samples."""
    count, dimension = features.shape
    middle = features.mean(axis=0)
    within, between = np.zeros((dimension, dimension)), np.zeros((dimension, dimension))
    for c in np.unique(labels):
        members = features[labels == c]
        centre = members.mean(axis=0)
        for member in members:
            within += np.outer(member - centre, member - centre) / count
            between += np.outer(centre - middle, centre - middle) / count
    return within, between


def naive_nc1(features: np.ndarray, labels: np.ndarray) -> float:
    """tr(Sigma_W pinv(Sigma_B)) by numpy's pseudo-inverse."""
    within, between = covariances(features, labels)
    return float(np.trace(within @ np.linalg.pinv(between, rcond=1e-10, hermitian=True)))


def linear_floor(within: np.ndarray, between: np.ndarray, rank: int) -> float:
    """Smallest NC1 over all linear maps that keep the rank of the between-class covariance."""
    eigenvalues = np.linalg.eigvals(np.linalg.solve(within, between)).real
    return float(np.sum(1 / np.sort(eigenvalues)[::-1][:rank]))


def mean_nc1(
    means: np.ndarray, sizes: Sequence[int], repetitions: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Mean of NC1 over repetitions and its standard error; unit noise, all repetitions at once.

    Uses singular values of the centred, weighted means: no covariance of features is formed.
    """
    total, weights = sum(sizes), np.sqrt(np.array(sizes))
    dimension = means.shape[1]
    found = np.empty(repetitions)
    for i in range(repetitions):
        residuals, estimated = [], []
        for mean, size in zip(means, sizes, strict=True):
            members = mean + rng.standard_normal((size, dimension))
            estimated.append(members.mean(axis=0))
            residuals.append(members - estimated[-1])
        middle = np.average(estimated, axis=0, weights=sizes)
        _, values, vectors = np.linalg.svd(
            (np.array(estimated) - middle) * weights[:, None], full_matrices=False
        )
        rank = min(len(sizes) - 1, dimension)
        seen = np.concatenate(residuals) @ (vectors[:rank] / values[:rank, None]).T
        found[i] = np.sum(seen**2)
    assert total == sum(len(r) for r in residuals)
    return float(found.mean()), float(found.std(ddof=1) / np.sqrt(repetitions))
