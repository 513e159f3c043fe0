"""How often what is true "disagrees": ``python -m tests.calibration.theorem`` writes the table of statistics.

Decided before the first look at these cells: the kurtosis of random ReLU networks and the relative variance of their
kernel, known exactly, and thirteen statistics of other numbers with a known truth, at 12 to 4,000 repetitions; 1,000
studies a cell, 400 of 4,000 repetitions. A cell is as promised with at most 5 % of "disagrees", up to two standard
errors. The limits of kurtosis, of bias, and how much larger the error is beyond it, were chosen on the seeds 1, 2, 11,
12 and 13; the seed below was used for nothing else.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bridge.statistics.resampled import Scale, resampled
from closedform.verdicts import AGREES, DISAGREES, LESS
from tests.calibration.page import write_table

SEED = 56_058
COUNTS = {12: 1000, 30: 1000, 100: 1000, 400: 1000, 1500: 1000, 4000: 400}  # repetitions: studies
SIZES = ((10, 3), (30, 3), (100, 3), (30, 6))  # width and depth
HEAD = f"""\
| statistic | {" | ".join(f"{count:,}" for count in COUNTS)} |
|---|{"---|" * len(COUNTS)}
"""
Draw = Callable[[np.random.Generator, int], np.ndarray]


@dataclass(frozen=True)
class Known:
    """A statistic of numbers whose true value is known."""

    name: str
    draw: Draw  # repetitions
    statistic: Callable[[np.ndarray], float]
    truth: float
    scale: Scale = "logarithm"


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


def third(values: np.ndarray) -> float:
    """Return the skewness."""
    apart = values - values.mean()
    return float((apart**3).mean() / values.std() ** 3)


def mean(values: np.ndarray) -> float:
    """Return the mean."""
    return float(values.mean())


def deviation(values: np.ndarray) -> float:
    """Return the standard deviation."""
    return float(values.std(ddof=1))


def participation(values: np.ndarray) -> float:
    """Return the square of the mean over the mean square."""
    return float(values.mean() ** 2 / (values**2).mean())


def ratio(pairs: np.ndarray) -> float:
    """Return the ratio of two means."""
    return float(pairs[:, 0].mean() / pairs[:, 1].mean())


def correlation(pairs: np.ndarray) -> float:
    """Return Pearson's correlation."""
    return float(np.corrcoef(pairs.T)[0, 1])


def pairs(rng: np.random.Generator, count: int) -> np.ndarray:
    """Return normal numbers with correlation one half, ``[count, 2]``."""
    first, own = rng.normal(size=(2, count))
    return np.stack([first, first / 2 + math.sqrt(0.75) * own], axis=1)


def networks(width: int, depth: int, of_outputs: bool) -> Known:
    """Return what the theorem says of random networks, of their outputs or of their kernel."""
    growth = (1 + 5 / width) ** depth

    def draw(rng: np.random.Generator, count: int) -> np.ndarray:
        kernel = kernels(rng, count, width, depth)
        return np.sqrt(kernel) * rng.normal(size=count) if of_outputs else kernel

    size = f"{depth} layers of width {width}"
    if of_outputs:
        return Known(f"kurtosis, ReLU network, {size}", draw, kurtosis, 3 * growth)
    return Known(f"spread of the kernel, {size}", draw, spread, growth - 1)


THEOREM = tuple(networks(*size, of_outputs) for size in SIZES for of_outputs in (True, False))
OTHERS = (
    Known("kurtosis, normal", lambda rng, n: rng.normal(size=n), kurtosis, 3.0),
    Known("kurtosis, Laplace", lambda rng, n: rng.laplace(size=n), kurtosis, 6.0),
    Known("kurtosis, Student's t, 9 degrees", lambda rng, n: rng.standard_t(9, n), kurtosis, 4.2),
    Known("skewness, gamma", lambda rng, n: rng.gamma(2.0, size=n), third, math.sqrt(2), "plain"),
    Known("spread, exponential", lambda rng, n: rng.exponential(size=n), spread, 1.0),
    Known("spread, log-normal", lambda rng, n: rng.lognormal(size=n), spread, math.e - 1),
    Known("standard deviation, normal", lambda rng, n: rng.normal(size=n), deviation, 1.0),
    Known("standard deviation, exponential", lambda rng, n: rng.exponential(size=n), deviation, 1),
    Known("participation, gamma", lambda rng, n: rng.gamma(2.0, size=n), participation, 2 / 3),
    Known("ratio of log-normal means", lambda rng, n: np.exp(pairs(rng, n)), ratio, 1.0),
    Known("correlation, normal", pairs, correlation, 0.5, "plain"),
    Known("mean, normal", lambda rng, n: 10 + rng.normal(size=n), mean, 10.0),
    Known("mean, log-normal", lambda rng, n: rng.lognormal(size=n), mean, math.exp(0.5)),
)


def verdicts(known: Known, count: int, studies: int, rng: np.random.Generator) -> dict[str, float]:
    """Return the shares of the verdicts of so many studies with ``count`` repetitions each."""
    words = []
    for _ in range(studies):
        number = resampled(known.draw(rng, count), known.statistic, scale=known.scale)
        words.append(number.of("q", "l", known.truth).verdict)
    return {word: words.count(word) / studies for word in sorted(set(words))}


def row(known: Known) -> str:
    """Return the line of a statistic: the share that disagrees, and the share that agrees."""
    cells = []
    for count, studies in COUNTS.items():
        rng = np.random.default_rng([SEED, count, zlib.crc32(known.name.encode())])
        found = verdicts(known, count, studies, rng)
        agrees = found.get(AGREES, 0.0) + found.get(LESS, 0.0)
        cells.append(f"{found.get(DISAGREES, 0.0):.1%}, {agrees:.0%}")
    return f"| {known.name} | {' | '.join(cells)} |"


def main() -> None:
    """Write the table in place of the one on the page."""
    write_table(HEAD, map(row, (*THEOREM, *OTHERS)))


if __name__ == "__main__":
    main()
