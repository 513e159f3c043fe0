"""How much of the labels lies in the leading eigenvectors of a tangent kernel, next to labels in random order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bridge.statistics.arrays import Array

GROUPS = 10  # of points, left out one after another
SHUFFLES = 400
TWO_SIGMA = 1.96


@dataclass(frozen=True)
class Shares:
    """Shares of the labels in the leading eigenvectors, ``[N]`` for 1 to N eigenvectors."""

    trace: Array  # of the kernel
    labels: Array  # of the labels
    error: Array  # standard error of ``labels`` over points
    shuffled: Array  # mean of the labels in random order
    low: Array  # ends of the interval that contains 95 % of these
    high: Array

    def interval(self, index: int) -> tuple[float, float]:
        """Return the 95 % interval over points of the share of the labels in the first ``index + 1`` eigenvectors."""
        half = TWO_SIGMA * self.error[index]
        return max(0.0, float(self.labels[index] - half)), min(1.0, float(self.labels[index] + half))


def shares(gram: Array, targets: Array, seed: int) -> Shares:
    """Compute the shares of the trace, of the labels and of shuffled labels in the leading eigenvectors.

    ``targets [N, k]`` are one-hot vectors of the classes, or numbers, not all the same.
    """
    random = np.random.default_rng(seed)
    count = len(targets)
    values, vectors = np.linalg.eigh(gram)
    trace = np.cumsum(values[::-1]) / values.sum()
    shuffled = np.array([_share(vectors, random.permutation(targets)) for _ in range(SHUFFLES)])
    group = random.permutation(np.arange(count) % GROUPS)
    left_out = []
    for g in range(GROUPS):
        kept = group != g
        if np.ptp(targets[kept], axis=0).any():
            share = _share(np.linalg.eigh(gram[np.ix_(kept, kept)])[1], targets[kept])
            left_out.append(np.interp(np.arange(1, count + 1), np.arange(1, kept.sum() + 1), share))
    error = np.std(left_out, axis=0) * np.sqrt(len(left_out) - 1)
    low, high = np.quantile(shuffled, [0.025, 0.975], axis=0)
    return Shares(trace, _share(vectors, targets), error, shuffled.mean(axis=0), low, high)


def _share(vectors: Array, targets: Array) -> Array:
    """Return the cumulated share of the centred targets in eigenvectors ``[N, N]``, the last one leading."""
    centred = targets - targets.mean(axis=0)
    energy = np.square(vectors[:, ::-1].T @ centred).sum(axis=1)
    return np.asarray(np.cumsum(energy) / energy.sum())
