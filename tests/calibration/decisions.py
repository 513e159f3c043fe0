"""False alarms and power of decisions at any time: ``python -m tests.calibration.decisions`` writes their table.

It takes about fifteen minutes of one slow core, and stands in docs/calibration.md.

Decided before the first look at these cells: 1,000 runs of ten examples each; a claim that is at the edge of its
resolution, with scatter as large as the resolution; a cell is as promised with at most 16 false alarms in 1,000 runs,
two standard errors above 1 %. The seed below was used for nothing else; the constants of the decisions were chosen with
seeds 1 to 7 of another generator.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from bridge.testing.requirement import SharedLevel
from bridge.validity.decision import decide
from bridge.validity.prediction import Prediction
from tests.calibration.page import write_table

SEED = 56_056
RUNS, EXAMPLES = 1000, 10
LEVEL = 0.01
MOST_ALARMS = 16  # of 1,000 runs: two standard errors above the level
DRAWN = 160  # seeds of an example, which are more than any decision asks for
FAR, CLEAR = 2.0, 0.5  # deviation, and scatter of a true claim, in units of the resolution
HEAD = """\
| scatter | alarms, tail towards the prediction | alarms, tail away | holds falsely | twice fails | true holds |
|---|---|---|---|---|---|
"""
Draw = Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]


def mixture(rare: float) -> Draw:
    """Two narrow groups, the higher one with a share ``rare`` of the numbers; mean 0 and standard deviation 1."""
    apart, width = 1 / math.sqrt(rare * (1 - rare)), 0.1

    def draw(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
        group = (rng.random(shape) < rare) - rare
        return (apart * group + width * rng.normal(size=shape)) / math.sqrt(1 + width**2)

    return draw


def lognormal(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers whose logarithm has standard deviation 1; mean 0 and standard deviation 1."""
    return (rng.lognormal(size=shape) - math.sqrt(math.e)) / math.sqrt(math.e * (math.e - 1))


CONTINUOUS: dict[str, Draw] = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "exponential": lambda rng, shape: rng.exponential(size=shape) - 1,
    "log-normal": lognormal,
    "Student's t, 3 degrees of freedom": lambda rng, shape: (
        rng.standard_t(3, size=shape) / math.sqrt(3)
    ),
    "a tenth far away": mixture(0.1),
    "a third far away": mixture(1 / 3),
    "a thirtieth far away": mixture(1 / 30),
}
DISCRETE = {
    "indicator of mean 0.9": (0.0, 1.0, 0.9),
    "indicator of mean 0.1": (0.0, 1.0, 0.1),
    "indicator of mean 0.97": (0.0, 1.0, 0.97),
    "rank 3, and 4 in a tenth": (3.0, 4.0, 0.1),
    "rank 3 or 4 alike": (3.0, 4.0, 0.5),
}


@dataclass(frozen=True)
class Drawn(Prediction):
    """A claim whose configuration is its measured numbers."""

    predicted: float = 1.0

    def pair(self, config: Any, seeds: range) -> tuple[np.ndarray, np.ndarray]:
        """Return predicted and measured numbers."""
        return np.full(len(seeds), self.predicted), config[seeds.start : seeds.stop]


@dataclass(frozen=True)
class Shares:
    """What came of the examples of all runs."""

    alarms: float  # share of runs with a failure
    fails: float  # share of examples that fail
    holds: float  # share of examples that hold


def shares(predicted: float, measured: np.ndarray, resolution: float) -> Shares:
    """Decide ``measured [run, example, seed]``, as a run does in which no example is repeated."""
    claim = Drawn("drawn", "", compare=None, is_relative=False, predicted=predicted)  # type: ignore[arg-type]
    decisions = []
    for own in measured:
        run = SharedLevel()
        for number, numbers in enumerate(own):
            decision = decide(claim, numbers, resolution, run.level(LEVEL))
            run.decisions[number] = decision
        decisions.append([decision.holds for decision in run.decisions.values()])
    holds = np.array([[{True: 1, False: -1, None: 0}[side] for side in row] for row in decisions])
    return Shares(
        float((holds == -1).any(axis=1).mean()),
        float((holds == -1).mean()),
        float((holds == 1).mean()),
    )


def drawn(name: str, sign: int, runs: int, rng: np.random.Generator) -> np.ndarray:
    """Return ``[run, example, seed]`` of mean 0 and standard deviation 1, with the skew of a sign."""
    return sign * CONTINUOUS[name](rng, (runs, EXAMPLES, DRAWN))


def at_the_edge(name: str, sign: int, runs: int = RUNS, seed: int = SEED) -> Shares:
    """Decide numbers that exceed their prediction by just the resolution; ``sign`` of their skew."""
    rng = np.random.default_rng(seed)
    return shares(1.0, 2 + drawn(name, sign, runs, rng), 1.0)


def discrete(name: str, runs: int = RUNS, seed: int = SEED) -> Shares:
    """Decide numbers with two values, whose mean is the predicted one, within 0.05."""
    low, high, share = DISCRETE[name]
    rng = np.random.default_rng(seed)
    values = np.where(rng.random((runs, EXAMPLES, DRAWN)) < share, high, low)
    return shares(low + share * (high - low), values, 0.05)


def continuous_row(name: str, runs: int = RUNS, seed: int = SEED) -> str:
    """Return the line of a scatter: false alarms of each skew, false agreements, and power."""
    towards, away = (at_the_edge(name, sign, runs, seed) for sign in (-1, 1))
    rng, fewer = np.random.default_rng(seed + 1), max(runs // 10, 1)
    far = [shares(1.0, 1 + FAR + drawn(name, sign, fewer, rng), 1.0) for sign in (-1, 1)]
    true = shares(1.0, 1 + CLEAR * drawn(name, 1, fewer, rng), 1.0)
    low, high = sorted(found.fails for found in far)
    return (
        f"| {name} | {towards.alarms:.1%} | {away.alarms:.1%} | {max(towards.holds, away.holds):.1%} | "
        f"{low:.0%} to {high:.0%} | {true.holds:.0%} |"
    )


def discrete_row(name: str, runs: int = RUNS, seed: int = SEED) -> str:
    """Return the line of a true claim on numbers with two values."""
    found = discrete(name, runs, seed)
    return f"| {name} | {found.alarms:.1%} | | | | {found.holds:.0%} |"


def main() -> None:
    """Write the table in place of the one on the page."""
    write_table(HEAD, chain(map(continuous_row, CONTINUOUS), map(discrete_row, DISCRETE)))


if __name__ == "__main__":
    main()
