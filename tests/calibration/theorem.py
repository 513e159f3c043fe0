"""How often an exact theorem "disagrees": ``python -m tests.calibration.theorem`` prints the shares.

Decided before the first look at these cells: the kurtosis of a random ReLU network and the relative variance of its
kernel, known exactly, 200 studies of 4,000 networks a cell. A cell is as promised with at most 5 % of "disagrees", up
to two standard errors of 200 studies, 8 %. The limit of the kurtosis of influences was chosen on seeds 1 and 2.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bridge.statistics.resampled import resampled

SEED, STUDIES, NETWORKS = 56_057, 200, 4000
SIZES = ((10, 3), (30, 3), (100, 3), (30, 6))  # width and depth
DISAGREES_AT_MOST = 0.08


def kernels(rng: np.random.Generator, networks: int, width: int, depth: int) -> np.ndarray:
    """Return the diagonal of the kernel of random ReLU networks, ``[network]``, whose mean is 1.

    A layer multiplies it by 2/n times a sum of squares of the active units, a chi square of as many.
    """
    kernel = np.ones(networks)
    for _ in range(depth):
        active = rng.binomial(width, 0.5, networks)
        kernel *= np.where(active > 0, 2 * rng.chisquare(np.maximum(active, 1)) / width, 0.0)
    return kernel


def kurtosis(outputs: np.ndarray) -> float:
    """Return the fourth moment over the square of the second."""
    return float((outputs**4).mean() / (outputs**2).mean() ** 2)


def spread(kernel: np.ndarray) -> float:
    """Return the variance over the square of the mean."""
    return float(kernel.var(ddof=1) / kernel.mean() ** 2)


def verdicts(
    width: int, depth: int, of_outputs: bool, rng: np.random.Generator, studies: int = STUDIES
) -> dict[str, float]:
    """Return the shares of the verdicts of so many studies."""
    growth = (1 + 5 / width) ** depth
    statistic: Callable[[np.ndarray], float] = kurtosis if of_outputs else spread
    predicted = 3 * growth if of_outputs else growth - 1
    words = []
    for _ in range(studies):
        samples = kernels(rng, NETWORKS, width, depth)
        if of_outputs:
            samples = np.sqrt(samples) * rng.normal(size=NETWORKS)
        found = resampled(samples, statistic)
        words.append(found.of("q", "l", predicted).verdict or "carried by a few")
    return {word: words.count(word) / studies for word in sorted(set(words))}


def main() -> None:
    """Print the shares."""
    rng = np.random.default_rng(SEED)
    for width, depth in SIZES:
        for of_outputs in (True, False):
            name = "kurtosis" if of_outputs else "spread"
            print(width, depth, name, verdicts(width, depth, of_outputs, rng), flush=True)


if __name__ == "__main__":
    main()
