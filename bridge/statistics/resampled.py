r"""A statistic of many repetitions, such as a ratio of moments, with its bias and its error over them.

A ratio of moments of a few hundred skewed numbers is biased and skewed itself, so that its mean over several such
groups, taken as unbiased and normal, contradicts exact theorems. The repetitions are taken together instead, the
statistic is a function of all of them, and the jackknife over :math:`G` groups (:mod:`closedform.repetitions`) gives
bias and error on a stated scale, by default that of the logarithm, on which ratios of moments are nearly symmetric. The
error is known to the degrees of freedom :math:`2 G / (k - 1)` of a variance of numbers with the kurtosis :math:`k` of
the influences, at most :math:`G - 1`.

Rare repetitions that carry a statistic may be missing, and the others do not show that they are. Two signs of it are
followed, and said in words (:attr:`Resampled.doubt`):

* *A few carry it*: above the kurtosis :data:`CARRIED` of the influences there is no error that could be trusted.
* *It bends within the scatter*: the bias that the jackknife removes is more than a tenth of the error, or of fewer than
  :data:`SEEN` repetitions more than a share of that. The error is then :data:`CAUTION` times as large, so that only a
  gross deviation is one. A mean, which has no bias, is not concerned.

The constants were chosen by simulation; docs/calibration.md has what they leave of false disagreements.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from bridge.statistics.arrays import Array
from closedform import checks
from closedform.checks import arrays
from closedform.measured import Measured
from closedform.repetitions import jackknife
from closedform.rounding import are_equal, moderate

Scale = Literal["logarithm", "plain"]
GROUPS = 200  # that are left out one at a time; fewer repetitions are left out one by one
CARRIED = 10.0  # kurtosis of influences, 3 for normal ones, above which a few repetitions carry a statistic
BENT = 0.1  # bias, in errors, above which a statistic bends within the scatter
SEEN = 400  # repetitions from which on that suffices; of fewer, the limit is lower in proportion
CAUTION = 5.0  # by which the error of such a statistic is larger
FEWEST = 3  # repetitions
BIAS_ROUNDING = 1e-6  # errors, by which a statistic without bias seems to have one


@dataclass(frozen=True)
class Resampled:
    """A statistic over repetitions.

    Attributes:
        value: the statistic without the leading part of its bias, in its unit.
        error: its standard error in the same unit, to first order; larger than the scatter says where there is a
            doubt, and infinite where a few repetitions carry it.
        plain: the statistic of all repetitions as it is.
        degrees: degrees of freedom of the error.
        kurtosis: kurtosis of the influences of the groups, 3 for normal ones.
        repetitions: their number.
        scale: on which bias and error were estimated.
        doubt: why the error is larger than the scatter says, in words; empty if it is not.
    """

    value: float
    error: float
    plain: float
    degrees: float
    kurtosis: float
    repetitions: int
    scale: Scale
    doubt: str = ""

    def of(
        self,
        quantity: str,
        label: str,
        predicted: float | None = None,
        resolution: float | None = None,
    ) -> Measured:
        """Return the measured number; one that a few repetitions carry has no error, and is too blunt to say.

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
            quantity, f"{label}, logarithm", math.log(self.value), relative, n, aim, "=", share,
            doubt=self.doubt, repetitions=self._other(n),
        )  # fmt: skip

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
        return Measured(
            quantity, label, self.value, error, n, predicted, "=", resolution, doubt=self.doubt,
            repetitions=self._other(n),
        )  # fmt: skip

    def _other(self, n: float | None) -> int | None:
        """Return the number of repetitions where the error counts as that of another number."""
        return None if n is None or n == self.repetitions else self.repetitions


def resampled(
    samples: ArrayLike,
    statistic: Callable[[Array], float],
    *,
    scale: Scale = "logarithm",
    seen: int = SEEN,
) -> Resampled:
    """Compute a statistic of repetitions with its bias and error.

    Args:
        samples: independent repetitions along the first axis, ``[repetition, ...]``, at least three. They are taken to
            groups in turn, so that neighbours that are not independent should be averaged before.
        statistic: function of such an array that returns one number, positive on the scale of the logarithm.
        scale: on which bias and error are estimated: ``"logarithm"`` for ratios of moments and other positive numbers,
            ``"plain"`` for those of any sign. Default: ``"logarithm"``.
        seen: number of repetitions among which are those that matter. Default: 400, of skewed numbers; less where
            every repetition is itself a mean of many numbers, so that none is rare.

    Raises:
        TypeError: if the samples, or what the statistic returns, are not real numbers.
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
    enough = checks.integer("seen", seen, 1)
    count = len(values) if values.ndim else 1
    checks.require(count >= FEWEST, "samples", f"{count} repetitions", f"at least {FEWEST}")
    groups = count // -(-count // GROUPS)  # of equal size, or one more in some
    group = np.arange(count) % groups
    whole = _on_scale(statistic(values), scale)
    left_out = np.array([_on_scale(statistic(values[group != g]), scale) for g in range(groups)])
    if are_equal(moderate(left_out)):
        raise ValueError("samples: got repetitions without scatter, which determine no error")
    corrected, error, influences = jackknife(whole, left_out)
    corrected, error = float(corrected), float(error)
    standard = influences / np.abs(influences).max()  # whose fourth powers are within float64
    kurtosis = float((standard**4).mean() / (standard**2).mean() ** 2)
    degrees = min(groups - 1.0, 2 * groups / max(kurtosis - 1, 1e-9))
    bias, doubt = abs(corrected - whole) / error, ""
    if kurtosis > CARRIED:
        error, doubt = math.inf, (
            f"a few of {count:,} repetitions carry the statistic (kurtosis of influences {kurtosis:.0f}, at most "
            f"{CARRIED:g}): needs more repetitions"
        )  # fmt: skip
    elif bias > BENT * min(1.0, count / enough) + BIAS_ROUNDING:
        error, doubt = CAUTION * error, (
            f"the statistic bends within the scatter of {count:,} repetitions (bias of {bias:.2g} errors), among which "
            f"rare ones may be missing: its error is taken {CAUTION:g} times as large"
        )  # fmt: skip
    value, plain = (
        (corrected, whole) if scale == "plain" else (math.exp(corrected), math.exp(whole))
    )
    in_unit = error if scale == "plain" else value * error
    return Resampled(value, in_unit, plain, degrees, kurtosis, count, scale, doubt)


def _on_scale(value: Any, scale: Scale) -> float:
    if scale == "plain":
        return checks.real_number("statistic", value, "a finite number")
    needs = "a finite positive number for its logarithm"
    return math.log(checks.real_number("statistic", value, needs, above=0))
