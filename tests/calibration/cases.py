"""Data sets drawn from known truths, and how often what ``bridge`` says of them covers the truth.

Each case draws ``SETS`` data sets and returns the shares of those in which the truth lies inside one and two standard
errors, or inside the intervals with the levels of one and two standard deviations of a normal variable.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr
from scipy import stats

import bridge
from bridge.statistics.rank_correlation import rank_correlation
from tests.calibration import noisy_curves
from tests.calibration.noisy_curves import ONE, TWO, Shares
from theory.two_point import trajectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bridge" / "two_point"))
from conftest import draw_case

SETS = 1000


@dataclass(frozen=True)
class Case:
    """One thing that a user can get, and what is said of it where it is not nominal.

    Args:
        what: the number, and the data.
        shares: draws the data sets; returns the shares covered at one and at two standard deviations.
        stated: shares that the documentation states instead of the nominal ones, or None.
        note: the sentence that states them, and where it stands.
    """

    what: str
    shares: Callable[[np.random.Generator], Shares]
    stated: Shares | None = None
    note: str = ""


def of_mean(
    count: int, scatter: Callable[..., np.ndarray]
) -> Callable[[np.random.Generator], Shares]:
    """Comparisons of the mean of a few repetitions with its true value."""

    def shares(rng: np.random.Generator) -> Shares:
        draws = scatter(rng, (SETS, count))
        return tuple(
            float(
                (bridge.compare(np.ones(SETS), draws, threshold=k).verdict != "disagrees").mean()
            )
            for k in (1, 2)
        )

    return shares


def normal(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Repetitions with mean 1 and standard deviation 0.1."""
    return 1 + 0.1 * rng.normal(size=shape)


def lognormal(width: float) -> Callable[..., np.ndarray]:
    """Positive repetitions with mean 1 whose logarithm has this standard deviation."""
    return lambda rng, shape: np.exp(width * rng.normal(size=shape) - width**2 / 2)


def of_overall(count: int) -> Callable[[np.random.Generator], Shares]:
    """The joint verdict over 20 comparisons with true predictions."""

    def shares(rng: np.random.Generator) -> Shares:
        draws = normal(rng, (SETS, 20, count))
        right = [
            np.mean(
                [
                    bridge.compare(np.ones(20), one, threshold=k).overall != "disagrees"
                    for one in draws
                ]
            )
            for k in (1, 2)
        ]
        return float(right[0]), float(right[1])

    return shares


X = np.array([10.0, 20, 50, 100, 200, 500, 1000])


def of_exponent(
    repetitions: int | None, by_error: bool = False
) -> Callable[[np.random.Generator], Shares]:
    """Fits of A x^p + c to seven points with 5 % noise."""

    def shares(rng: np.random.Generator) -> Shares:
        truth, inside = 2 * X**-0.5 + 0.1, np.zeros(2)
        for _ in range(SETS):
            shape = (X.size,) if repetitions is None else (X.size, repetitions)
            y = truth.reshape(-1, *[1] * (len(shape) - 1)) * (1 + 0.05 * rng.normal(size=shape))
            errors = 0.05 * truth if repetitions is None else None
            for index, level in enumerate((ONE, TWO)):
                fit = bridge.scaling.fit(X, y, errors, level=level)
                low, high = fit.interval
                if by_error:
                    low, high = (
                        fit.exponent - (index + 1) * fit.error,
                        fit.exponent + (index + 1) * fit.error,
                    )
                inside[index] += low <= -0.5 <= high
        return float(inside[0] / SETS), float(inside[1] / SETS)

    return shares


def of_rank_correlation(points: int, depends: bool) -> Callable[[np.random.Generator], Shares]:
    """Spearman's correlation of pairs; where it ``depends``, the scatter of the second grows with the first."""

    def pairs(rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
        x, noise = rng.normal(size=(2, count))
        return x, 0.8 * x + noise * (np.abs(x) if depends else 0.8)

    def shares(rng: np.random.Generator) -> Shares:
        x, y = pairs(rng, 2_000_000)
        truth = float(stats.spearmanr(x, y).statistic)
        inside = np.zeros(2)
        for _ in range(SETS):
            x, y = pairs(rng, points)
            for index, level in enumerate((ONE, TWO)):
                low, high = rank_correlation(x, y, level=level).interval
                inside[index] += low <= truth <= high
        return float(inside[0] / SETS), float(inside[1] / SETS)

    return shares


def of_time_constant(seeds: int) -> Callable[[np.random.Generator], Shares]:
    """tau_h from noisy curves of the theory: of one network, or of several whose time constants scatter by 10 %."""

    def drawn(rng: np.random.Generator) -> tuple[Any, dict[str, float], float]:
        case = draw_case(rng)
        if seeds == 1:
            return case.columns, case.data, case.tau_h
        t, curves = case.columns["t"], []
        for shift in 0.1 * rng.normal(size=(seeds, 2)):
            clean = trajectory(
                t, *case.initial, *np.exp(shift) * (case.tau_h, case.tau_y), **case.data
            )
            curves.append(
                clean + 0.01 * np.ptp(clean, axis=1)[:, None] * rng.normal(size=clean.shape)
            )
        variables = {
            name: (("seed", "step"), np.array(curves)[:, index])
            for index, name in enumerate(("dh2", "dy2", "w"))
        }
        return xr.Dataset(variables, {"seed": np.arange(seeds), "step": t}), case.data, case.tau_h

    def shares(rng: np.random.Generator) -> Shares:
        inside = np.zeros(2)
        for _ in range(SETS):
            data, known, truth = drawn(rng)
            fit = bridge.two_point.fit(data, **known)
            for index, level in enumerate((ONE, TWO)):
                low, high = fit.interval("tau_h", level)
                inside[index] += low <= truth <= high
        return float(inside[0] / SETS), float(inside[1] / SETS)

    return shares


SKEWED = "Means of positive numbers that scatter by factors are skewed; their logarithms should be compared."
SAME = "A little narrow: the weights come from the same few repetitions; with known weights it is nominal."
FEW_RANKS = "The interval of a rank correlation is approximate for few points."
CASES = (
    *(
        Case(f"`compare`: mean of {k} normal repetitions", of_mean(k, normal))
        for k in (2, 3, 5, 10)
    ),
    *(
        Case(f"`Comparison.overall`: 20 true comparisons, {k} repetitions each", of_overall(k))
        for k in (2, 3, 5, 10)
    ),
    Case(
        "`compare`: mean of 5 lognormal repetitions of width 0.5",
        of_mean(5, lognormal(0.5)),
        (0.65, 0.92),
        SKEWED,
    ),
    Case(
        "`compare`: mean of 5 lognormal repetitions of width 1",
        of_mean(5, lognormal(1.0)),
        (0.59, 0.83),
        SKEWED,
    ),
    Case("`scaling.fit(...).interval`: known errors", of_exponent(None)),
    Case("`scaling.fit(...).interval`: 3 repetitions", of_exponent(3), (0.653, 0.944), SAME),
    Case("`scaling.fit(...).error`: known errors", of_exponent(None, by_error=True)),
    Case(
        "`scaling.fit(...).error`: 3 repetitions",
        of_exponent(3, by_error=True),
        (0.54, 0.78),
        "The error knows nothing of how few repetitions it comes from; the interval does.",
    ),
    Case(
        "`rank_correlation`: 8 points, normal",
        of_rank_correlation(8, False),
        (0.76, 0.99),
        FEW_RANKS,
    ),
    Case(
        "`rank_correlation`: 8 points, scatter that grows",
        of_rank_correlation(8, True),
        (0.65, 0.98),
        FEW_RANKS,
    ),
    Case("`rank_correlation`: 20 points, normal", of_rank_correlation(20, False)),
    Case(
        "`rank_correlation`: 20 points, scatter that grows",
        of_rank_correlation(20, True),
        (0.64, 0.92),
        FEW_RANKS,
    ),
    Case("`two_point.fit(...).interval`: one network, white noise of 1 %", of_time_constant(1)),
    Case(
        "`two_point.fit(...).interval`: 5 networks, constants that scatter by 10 %",
        of_time_constant(5),
    ),
    *(Case(*row) for row in noisy_curves.ROWS),
)
