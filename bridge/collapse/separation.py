r"""Tests of the law of equal steps (equi-separation), by which log NC1 is a linear function of the layer.

Pearson's *r* alone is not a test: over three layers every decreasing profile has :math:`|r| \ge 0.866`. It is therefore
accompanied by two probabilities by chance (``theory.collapse.equiseparation``), and by a test of the claim itself that
the steps :math:`\log \mathrm{NC1}_{l+1} - \log \mathrm{NC1}_l` are equal: ``bend`` is the mean difference between a
step and the one before, with an error over seeds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from bridge.collapse import trace as read
from bridge.plots.result import Result
from bridge.statistics.arrays import Array, mean_and_error
from bridge.tables.grid import gridded
from bridge.tables.reader import load
from closedform.checks.arrays import positive_array, real_array
from closedform.measured import SAME

ONE_WAY = "a profile that merely goes one way does as well with probability"


@dataclass(frozen=True, repr=False)
class Separation(Result):
    """Test of the law of equal steps for each seed and over seeds; all values are dimensionless.

    Attributes:
        log_ratios: natural logarithm of the ratio of NC1 to that of the layer before, ``[seed, layer - 1]``.
        r: correlation of log NC1 with the layer, ``[seed]``.
        chance: probability of an equal or larger |r| without a trend, ``[seed]``.
        chance_if_falling: the same probability if NC1 decreases at every step by random amounts, ``[seed]``; NaN where
            it does not decrease.
    """

    log_ratios: Array
    r: Array
    chance: Array
    chance_if_falling: Array

    @property
    def steps(self) -> tuple[Array, Array]:
        """Return the mean log-ratios and their standard errors over seeds, ``[layer - 1]`` each."""
        return mean_and_error(self.log_ratios)

    @property
    def bends(self) -> Array:
        """Difference of neighbouring log-ratios, averaged over the layers, ``[seed]``; it is 0 for equal steps."""
        return np.asarray(np.diff(self.log_ratios, axis=-1).mean(axis=-1))

    @property
    def bend(self) -> tuple[float, float]:
        """Mean of ``bends`` over seeds and its standard error."""
        return mean_and_error(self.bends)

    @property
    def p_equal(self) -> float:
        """Probability of an equal or larger mean bend if the steps are equal (Student's t); NaN for one seed."""
        mean, error = self.bend
        if not error > SAME * np.abs(self.log_ratios).max():
            return float("nan")
        return float(2 * stats.t.sf(abs(mean) / error, len(self.r) - 1))

    def summary(self) -> str:
        """Return the result in one line of text."""
        steps, errors = self.steps
        shown = ", ".join(number(a, b) for a, b in zip(steps, errors, strict=True))
        falling = self.chance_if_falling[np.isfinite(self.chance_if_falling)]
        chance = f"; {ONE_WAY} {np.median(falling):.2g}" if falling.size else ""
        return f"r = {over_seeds(self.r, 4)}, log-ratios {shown}{chance}"


def equiseparation(data: Any, split: str = "train", epoch: int | str = "last") -> Separation:
    """Measure how well NC1 follows the law of equal steps.

    Args:
        data: trace of ``empirics.experiments.collapse``; NC1 as an array ``[seed, layer]`` or ``[layer]``; or a table
            (DataFrame, mapping, Dataset, CSV file) with the columns ``layer`` (its number, from first to last), ``nc1``
            and, for several networks, ``seed``.
        split: split of a trace, "train" or "test". Default: "train".
        epoch: epoch of a trace, "last" or a number at which NC1 was measured. Default: "last".

    Raises:
        TypeError, ValueError: if values are not positive and finite, or there are fewer than three layers.

    >>> equiseparation([8.0, 4.0, 2.0, 1.0]).r.round(6).tolist()
    [-1.0]
    """
    from theory import collapse

    values = data
    if not isinstance(data, np.ndarray | list | tuple):
        table = gridded(data, ("seed", "layer"), ("nc1",), defaults={"seed": 0})
        values = (
            read.at(read.checked(data), "nc1", split, epoch)
            if table is None
            else table["nc1"].values
        )
    nc1 = np.atleast_2d(real_array("nc1", values))
    if nc1.ndim != 2:
        raise ValueError(f"nc1: got shape {nc1.shape}, needs [seed, layer] or [layer]")
    law = collapse.equiseparation(nc1)
    return Separation(law.log_ratios, law.r, law.chance, law.chance_if_falling)


def through_training(trace: Any, split: str = "train") -> tuple[Array, Array]:
    """Return the epochs ``[epoch]`` at which NC1 was measured, and r at each of them, ``[seed, epoch]``.

    An entry is NaN where a seed of a trace had stopped before.

    Args:
        trace: trace of ``empirics.experiments.collapse``, or a table (DataFrame, mapping, Dataset, CSV file) of one
            split with the columns ``epoch``, ``layer`` (its number, from first to last), ``nc1`` and, for several
            networks, ``seed``.
        split: split of a trace, "train" or "test". Default: "train".

    Raises:
        TypeError, ValueError: for no trace of this experiment, an incomplete table, or NC1 that is not positive.

    >>> table = {"epoch": [0, 0, 0, 9, 9, 9], "layer": [1, 2, 3, 1, 2, 3], "nc1": [4.0, 4.1, 4.0, 4.0, 2.0, 1.0]}
    >>> epochs, r = through_training(table)
    >>> epochs.tolist(), r.round(3).tolist()
    ([0.0, 9.0], [[0.0, -1.0]])
    """
    loaded = load(trace)
    table = gridded(loaded, ("seed", "epoch", "layer"), ("nc1",), defaults={"seed": 0})
    if table is None:
        data = read.checked(loaded)
        epochs = read.measured_epochs(data, "nc1")
        measured = data["nc1"].sel(split=read.split_of(split), epoch=epochs)
    else:
        epochs, measured = table["epoch"].values, table["nc1"]
        positive_array("column 'nc1'", measured.values)
    nc1 = measured.transpose("seed", "epoch", "layer").values
    r = np.full(nc1.shape[:2], np.nan)
    is_positive = np.isfinite(nc1).all(axis=-1) & (nc1 > 0).all(axis=-1)
    if is_positive.any():
        r[is_positive] = equiseparation(nc1[is_positive]).r
    return epochs.astype(np.float64), r


def number(value: float, error: float, digits: int = 3) -> str:
    """Return a value with its error, ``-1.02 ± 0.05``, or the value alone if there is no error."""
    return f"{value:.{digits}g} ± {error:.1g}" if np.isfinite(error) else f"{value:.{digits}g}"


def over_seeds(values: Array, digits: int = 3) -> str:
    """Return the mean over seeds ``[seed]`` with its standard error, as text."""
    return number(*mean_and_error(values), digits)
