"""Intervals and bands for 22 kinds of noise: ``python -m tests.calibration.noises`` writes their table.

It takes about half an hour of one slow core, and stands in docs/calibration.md. Decided before the first look at these
cells: 100 curves of one network a kind, whose constants and start are drawn as those of the tests, 300 points in time,
intervals of one and two standard errors for both time constants; 40 of them are cut at a fifth of the time, and the
whole rest of all three curves, with its noise, is to be inside bands of 68 % and 95 %. The seed was used for nothing
else; the constants of the noise along a curve were chosen with seeds 1 to 3, and 5.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import bridge
from tests.calibration.noisy_curves import lasting
from tests.calibration.page import write_table
from theory.two_point import trajectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bridge" / "two_point"))
from conftest import draw_case

SEED, CURVES, FORECASTS = 56_059, 100, 40
SEEN = 0.2  # of the time of a curve, from which the rest is forecast
POINTS = 300
CORRELATION = 0.9  # of neighbours among evenly spaced times
HEAD = """\
| noise | `interval("tau_h")` | `interval("tau_y")` | bands from a fifth | a warning |
|---|---|---|---|---|
"""
Noisy = Callable[[np.random.Generator, np.ndarray, np.ndarray], np.ndarray]


class Kind(NamedTuple):
    """One kind of noise."""

    noisy: Noisy  # generator, times [time], curves [curve, time] -> measured curves
    is_log: bool = False  # whether times are spaced logarithmically
    points: int = POINTS


def white(share: float) -> Noisy:
    """Noise of a share of the range of every curve."""
    return lambda rng, t, curves: (
        curves + share * np.ptp(curves, axis=1, keepdims=True) * rng.normal(size=curves.shape)
    )


def proportional(share: float, floor: float = 0.0) -> Noisy:
    """Noise of a share of the curve, and of a share of its largest value."""
    return lambda rng, t, curves: (
        curves * (1 + share * rng.normal(size=curves.shape))
        + floor * largest(curves) * rng.normal(size=curves.shape)
    )


def root(rng: np.random.Generator, t: np.ndarray, curves: np.ndarray) -> np.ndarray:
    """Noise whose variance is in proportion to the curve."""
    size = 0.02 * np.sqrt(np.abs(curves) * largest(curves))
    return curves + size * rng.normal(size=curves.shape)


def changing(begin: float, end: float) -> Noisy:
    """Noise of a share of the range that changes exponentially from the beginning to the end."""

    def noisy(rng: np.random.Generator, t: np.ndarray, curves: np.ndarray) -> np.ndarray:
        share = begin * (end / begin) ** (t / t[-1])
        return curves + share * np.ptp(curves, axis=1, keepdims=True) * rng.normal(
            size=curves.shape
        )

    return noisy


def correlated(is_proportional: bool) -> Noisy:
    """Noise of 1 % of the range, or 2 % of the curve, whose correlation decays with time."""

    def noisy(rng: np.random.Generator, t: np.ndarray, curves: np.ndarray) -> np.ndarray:
        draws = lasting(rng, t, -t[-1] / POINTS / np.log(CORRELATION))
        size = 0.02 * curves if is_proportional else 0.01 * np.ptp(curves, axis=1, keepdims=True)
        return curves + size * draws

    return noisy


def shared(rng: np.random.Generator, t: np.ndarray, curves: np.ndarray) -> np.ndarray:
    """The same noise in all three curves, 1 % of their ranges."""
    return curves + 0.01 * np.ptp(curves, axis=1, keepdims=True) * rng.normal(size=t.size)


def heavy(rng: np.random.Generator, t: np.ndarray, curves: np.ndarray) -> np.ndarray:
    """Student's t with three degrees of freedom, 1 % of the range."""
    draws = rng.standard_t(3, size=curves.shape) / np.sqrt(3)
    return curves + 0.01 * np.ptp(curves, axis=1, keepdims=True) * draws


def outliers(rng: np.random.Generator, t: np.ndarray, curves: np.ndarray) -> np.ndarray:
    """Noise of 0.5 % of the range, ten times as large in 2 % of the points."""
    factor = np.where(rng.random(curves.shape) < 0.02, 10, 1)
    draws = rng.normal(size=curves.shape) * factor
    return curves + 0.005 * np.ptp(curves, axis=1, keepdims=True) * draws


def rounded(share: float, noise: float = 0.0) -> Noisy:
    """Values in steps of a share of the largest, after noise of a share of the range."""

    def noisy(rng: np.random.Generator, t: np.ndarray, curves: np.ndarray) -> np.ndarray:
        step = share * largest(curves)
        return np.round(white(noise)(rng, t, curves) / step) * step

    return noisy


def two_digits(rng: np.random.Generator, t: np.ndarray, curves: np.ndarray) -> np.ndarray:
    """Values with two significant digits."""
    return np.vectorize(lambda value: float(f"{value:.1e}"))(curves)


def cut(floor: float) -> Noisy:
    """Noise of 1 % of the range; squared distances below a share of the largest have this value."""

    def noisy(rng: np.random.Generator, t: np.ndarray, curves: np.ndarray) -> np.ndarray:
        seen = white(0.01)(rng, t, curves)
        seen[:2] = np.maximum(seen[:2], floor * largest(curves)[:2])
        return seen

    return noisy


def largest(curves: np.ndarray) -> np.ndarray:
    """Return the largest value of each curve, ``[curve, 1]``."""
    return np.abs(curves).max(axis=1, keepdims=True)


KINDS = {
    "white, 1 % of the range": Kind(white(0.01)),
    "white, 5 %": Kind(white(0.05)),
    "white, 1 %, logarithmic times": Kind(white(0.01), is_log=True),
    "white, 1 %, 30 points": Kind(white(0.01), points=30),
    "3 % of the curve": Kind(proportional(0.03)),
    "3 % of the curve, logarithmic times": Kind(proportional(0.03), is_log=True),
    "10 % of the curve above a floor": Kind(proportional(0.1, 0.003)),
    "root of the curve": Kind(root),
    "growing 100 times": Kind(changing(0.0003, 0.03)),
    "shrinking 100 times": Kind(changing(0.03, 0.0003)),
    "correlated, 0.9": Kind(correlated(False)),
    "correlated, logarithmic times": Kind(correlated(False), is_log=True),
    "correlated, 2 % of the curve": Kind(correlated(True)),
    "shared by the curves": Kind(shared),
    "Student's t, 3 degrees": Kind(heavy),
    "outliers": Kind(outliers),
    "rounded to 1 % of the largest": Kind(rounded(0.01)),
    "rounded to 1 %, logarithmic times": Kind(rounded(0.01), is_log=True),
    "rounded to 5 %": Kind(rounded(0.05)),
    "rounded to two digits": Kind(two_digits),
    "white, 0.3 %, rounded to 1 %": Kind(rounded(0.01, 0.003)),
    "cut at 3 %": Kind(cut(0.03)),
}


def drawn(name: str, number: int, seed: int = SEED) -> tuple[Any, dict[str, np.ndarray]]:
    """Return a case, and its measured columns."""
    kind, rng = KINDS[name], np.random.default_rng([seed, number, zlib.crc32(name.encode())])
    case = draw_case(rng, noise=0.0)
    end = case.columns["t"][-1]
    t = np.linspace(0, end, kind.points)
    if kind.is_log:
        t = np.concatenate([[0.0], np.geomspace(1e-3 * end, end, kind.points - 1)])
    clean = trajectory(t, *case.initial, case.tau_h, case.tau_y, **case.data)
    return case, dict(zip(("t", "dh2", "dy2", "w"), (t, *kind.noisy(rng, t, clean)), strict=True))


def covered(name: str, count: int = CURVES, seed: int = SEED) -> tuple[np.ndarray, float]:
    """Return the shares ``[constant, errors]`` of curves within one and two errors, and of those with a warning."""
    inside, warned = np.zeros((2, 2)), 0
    for number in range(count):
        case, columns = drawn(name, number, seed)
        fit = bridge.two_point.fit(columns, **case.data)
        truth = np.log([case.tau_h, case.tau_y])
        errors = np.array([fit.errors["tau_h"] / fit.tau_h, fit.errors["tau_y"] / fit.tau_y])
        apart = np.abs(np.log([fit.tau_h, fit.tau_y]) - truth) / errors
        inside += apart[:, None] < [1, 2]
        warned += bool(fit.warnings)
    return inside / count, warned / count


def held(name: str, count: int = FORECASTS, seed: int = SEED) -> tuple[float, float, int]:
    """Return the shares of curves whose rest is inside the bands, and how many early parts are refused."""
    inside, refused = np.zeros(2), 0
    for number in range(count):
        case, columns = drawn(name, number, seed)
        seen = columns["t"] <= SEEN * columns["t"][-1]
        try:
            early = {name: column[seen] for name, column in columns.items()}
            fit = bridge.two_point.fit(early, **case.data)
            forecasts = [fit.forecast(columns["t"], level) for level in (0.68, 0.95)]
        except (
            ValueError,
            ArithmeticError,
        ):  # a curve of zeros, few points, constants that overflow
            refused += 1
            continue
        inside += [forecast.score(columns).held[0] for forecast in forecasts]
    kept = max(count - refused, 1)
    return float(inside[0] / kept), float(inside[1] / kept), refused


def row(name: str) -> str:
    """Return the line of a kind of noise."""
    inside, warned = covered(name)
    low, high, refused = held(name)
    cells = [f"{one:.0%}, {two:.0%}" for one, two in inside.tolist()]
    left = "refused" if refused == FORECASTS else f"{low:.0%}, {high:.0%}"
    some = f" ({refused} refused)" if 0 < refused < FORECASTS else ""
    return f"| {name} | {' | '.join(cells)} | {left}{some} | {warned:.0%} |"


def main() -> None:
    """Write the table in place of the one on the page."""
    write_table(HEAD, map(row, KINDS))


if __name__ == "__main__":
    main()
