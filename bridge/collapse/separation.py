r"""The law of equal steps (equi-separation) with its uncertainty: is log NC1 a straight line over the layers?

Pearson's *r* alone cannot say: over three layers any profile that falls has :math:`|r| \ge 0.866`. So it comes with two
chances (``theory.collapse.equiseparation``) and with what the law really claims, that the steps
:math:`\log \mathrm{NC1}_{l+1} - \log \mathrm{NC1}_l` are equal: ``bend`` is how much each step exceeds the one before,
and its error comes from the seeds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from bridge.arguments import real_array
from bridge.arrays import Array, mean_and_error
from bridge.collapse import trace as read
from bridge.ranking import SAME

ONE_WAY = "a profile that merely goes one way does as well with probability"


@dataclass(frozen=True)
class Separation:
    """The law of equal steps, seed by seed and over the seeds; everything dimensionless.

    Attributes:
        log_ratios: ``[seed, layer - 1]``, natural log of NC1 over that of the layer before.
        r: ``[seed]``, correlation of log NC1 with the layer.
        chance: ``[seed]``, probability of so large an |r| without any trend.
        chance_if_falling: ``[seed]``, the same if NC1 falls at every step, by random amounts; NaN where it does not.
    """

    log_ratios: Array
    r: Array
    chance: Array
    chance_if_falling: Array

    @property
    def steps(self) -> tuple[Array, Array]:
        """Mean log-ratios ``[layer - 1]`` and their standard errors over seeds."""
        return mean_and_error(self.log_ratios)

    @property
    def bends(self) -> Array:
        """``[seed]``: difference of neighbouring log-ratios, averaged over the layers: 0 if the steps are equal."""
        return np.asarray(np.diff(self.log_ratios, axis=-1).mean(axis=-1))

    @property
    def bend(self) -> tuple[float, float]:
        """Mean over seeds of ``bends`` and its standard error."""
        return mean_and_error(self.bends)

    @property
    def p_equal(self) -> float:
        """Probability of so large a mean bend over the seeds were the steps equal (Student's t); NaN for one seed."""
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
        data: a trace of ``empirics.experiments.collapse``, or NC1 as ``[seed, layer]`` or ``[layer]``.
        split: of a trace, "train" or "test".
        epoch: of a trace, "last" or a number at which NC1 was measured.

    Raises:
        TypeError, ValueError: for values that are not positive and finite, or fewer than three layers.
    """
    import xarray as xr

    from theory import collapse

    values = read.at(read.checked(data), "nc1", split, epoch) if isinstance(data, xr.Dataset) else data
    nc1 = np.atleast_2d(real_array("nc1", values))
    if nc1.ndim != 2:
        raise ValueError(f"nc1: got shape {nc1.shape}, needs [seed, layer] or [layer]")
    law = collapse.equiseparation(nc1)
    return Separation(law.log_ratios, law.r, law.chance, law.chance_if_falling)


def through_training(trace: Any, split: str = "train") -> tuple[Array, Array]:
    """Return the epochs ``[epoch]`` at which NC1 was measured, and r at each of them, ``[seed, epoch]``.

    An entry is NaN where a seed had stopped before.
    """
    data = read.checked(trace)
    epochs = read.measured_epochs(data, "nc1")
    nc1 = data["nc1"].sel(split=read.split_of(split), epoch=epochs).transpose("seed", "epoch", "layer").values
    r = np.full(nc1.shape[:2], np.nan)
    is_positive = np.isfinite(nc1).all(axis=-1) & (nc1 > 0).all(axis=-1)
    if is_positive.any():
        r[is_positive] = equiseparation(nc1[is_positive]).r
    return epochs.astype(np.float64), r


def number(value: float, error: float, digits: int = 3) -> str:
    """Format a value with its error, ``-1.02 ± 0.05``, or the value alone where there is no error."""
    return f"{value:.{digits}g} ± {error:.1g}" if np.isfinite(error) else f"{value:.{digits}g}"


def over_seeds(values: Array, digits: int = 3) -> str:
    """Format the mean over seeds ``[seed]`` with its standard error."""
    return number(*mean_and_error(values), digits)
