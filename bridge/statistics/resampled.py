r"""A statistic of many repetitions, such as a ratio of moments, with its bias and its error over them.

A ratio of moments of a few hundred skewed numbers is biased and skewed itself, so that its mean over several such
groups, taken as unbiased and normal, contradicts exact theorems. The repetitions are taken together instead, the
statistic is a function of all of them, and leaving out one of :math:`G` groups at a time gives (jackknife; Efron and
Stein, Annals of Statistics 9, 586 (1981))

.. math:: I_g = (G - 1) (\bar T - T_{-g}), \quad T = G\, T_{\mathrm{all}} - (G - 1) \bar T, \quad
    s^2 = \frac{1}{G (G - 1)} \sum_g I_g^2,

on a stated scale, by default that of the logarithm, on which ratios of moments are nearly symmetric. The error is known
to the degrees of freedom :math:`2 G / (k - 1)` of a variance of numbers with the kurtosis :math:`k` of the influences
:math:`I_g`, at most :math:`G - 1`. Above :data:`CARRIED` a few repetitions carry the statistic, others like them may be
missing, and it has no error that could be trusted.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from bridge.statistics.arrays import Array
from closedform import checks
from closedform.checks import arrays
from closedform.measured import Measured
from closedform.rounding import are_equal, moderate

Scale = Literal["logarithm", "plain"]
GROUPS = 200  # that are left out one at a time; fewer repetitions are left out one by one
CARRIED = 10.0  # kurtosis of influences, 3 for normal ones, above which a few repetitions carry a statistic
FEWEST = 3  # repetitions


@dataclass(frozen=True)
class Resampled:
    """A statistic over repetitions.

    Attributes:
        value: the statistic without the leading part of its bias, in its unit.
        error: its standard error in the same unit, to first order; infinite where a few repetitions carry it.
        plain: the statistic of all repetitions as it is.
        degrees: degrees of freedom of the error.
        kurtosis: kurtosis of the influences of the groups, 3 for normal ones.
        repetitions: their number.
        scale: on which bias and error were estimated.
    """

    value: float
    error: float
    plain: float
    degrees: float
    kurtosis: float
    repetitions: int
    scale: Scale

    @property
    def doubt(self) -> str:
        """Why nothing can be said, in words; empty if something can."""
        if math.isfinite(self.error):
            return ""
        return (
            f"a few of {self.repetitions:,} repetitions carry the statistic (kurtosis of influences "
            f"{self.kurtosis:.0f}, at most {CARRIED:g}): too blunt to say, needs more repetitions"
        )

    def of(
        self,
        quantity: str,
        label: str,
        predicted: float | None = None,
        resolution: float | None = None,
    ) -> Measured:
        """Return the measured number; one that a few repetitions carry has no error, and thus no verdict but its doubt.

        On the scale of the logarithm, number, prediction and resolution are logarithms (the resolution, a share of the
        prediction, by default a tenth, is that of its logarithm).
        """
        if self.scale == "plain":
            return self.in_unit(quantity, label, predicted, resolution)
        error = self.error if math.isfinite(self.error) else None
        n = None if error is None else self.degrees + 1
        share = math.log1p(0.1 if resolution is None else resolution)
        aim = (
            None if predicted is None else math.log(checks.positive_number("predicted", predicted))
        )
        relative = None if error is None else error / self.value
        return Measured(
            quantity, f"{label}, logarithm", math.log(self.value), relative, n, aim, "=", share
        )

    def in_unit(
        self,
        quantity: str,
        label: str,
        predicted: float | None = None,
        resolution: float | None = None,
    ) -> Measured:
        """Return the measured number in the unit of the statistic, with its error to first order."""
        error = self.error if math.isfinite(self.error) else None
        n = None if error is None else self.degrees + 1
        return Measured(quantity, label, self.value, error, n, predicted, "=", resolution)


def resampled(
    samples: ArrayLike, statistic: Callable[[Array], float], *, scale: Scale = "logarithm"
) -> Resampled:
    """Compute a statistic of repetitions with its bias and error.

    Args:
        samples: independent repetitions along the first axis, ``[repetition, ...]``, at least three. They are taken to
            groups in turn, so that neighbours that are not independent should be averaged before.
        statistic: function of such an array that returns one number, positive on the scale of the logarithm.
        scale: on which bias and error are estimated: ``"logarithm"`` for ratios of moments and other positive numbers,
            ``"plain"`` for those of any sign. Default: ``"logarithm"``.

    Raises:
        TypeError: if the samples are not real numbers.
        ValueError: for fewer than three repetitions, numbers that are not finite, or a statistic that is not finite,
            or not positive on the scale of the logarithm.

    >>> import numpy as np
    >>> draws = np.random.default_rng(0).normal(size=4000)
    >>> found = resampled(draws, lambda z: (z**4).mean() / (z**2).mean() ** 2)
    >>> abs(found.value - 3) < 3 * found.error
    True
    """
    values = arrays.filled_array("samples", samples)
    checks.one_of("scale", scale, get_args(Scale))
    count = len(values) if values.ndim else 1
    checks.require(count >= FEWEST, "samples", f"{count} repetitions", f"at least {FEWEST}")
    groups = min(count, GROUPS)
    group = np.arange(count) % groups
    whole = _on_scale(statistic(values), scale)
    left_out = np.array([_on_scale(statistic(values[group != g]), scale) for g in range(groups)])
    influences = (groups - 1) * (left_out.mean() - left_out)
    corrected = groups * whole - (groups - 1) * float(left_out.mean())
    if are_equal(moderate(left_out)):
        raise ValueError("samples: got repetitions without scatter, which determine no error")
    variance = float((influences**2).mean())
    kurtosis = float((influences**4).mean()) / variance**2
    error = math.sqrt(variance / (groups - 1))
    degrees = min(groups - 1.0, 2 * groups / max(kurtosis - 1, 1e-9))
    if kurtosis > CARRIED:
        error = math.inf
    if scale == "logarithm":
        value = math.exp(corrected)
        return Resampled(value, value * error, math.exp(whole), degrees, kurtosis, count, scale)
    return Resampled(corrected, error, whole, degrees, kurtosis, count, scale)


def _on_scale(value: float, scale: Scale) -> float:
    number = float(value)
    needs = "a finite number" if scale == "plain" else "a finite positive number for its logarithm"
    good = math.isfinite(number) and (scale == "plain" or number > 0)
    checks.require(good, "statistic", f"{number:g}", needs)
    return number if scale == "plain" else math.log(number)
