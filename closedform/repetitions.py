r"""Mean and standard error of repeated measurements, for numbers of any size that float64 holds, and the jackknife.

Of a statistic of :math:`G` repetitions (or groups of them), :math:`T_{-g}` without one of them, and :math:`\bar T`
their mean, the jackknife gives influences, a value without the leading part of its bias, and a standard error (Efron
and Stein, Annals of Statistics 9, 586 (1981)):

.. math:: I_g = (G - 1) (\bar T - T_{-g}), \quad T = G\, T_{\mathrm{all}} - (G - 1) \bar T, \quad
    s^2 = \frac{1}{G (G - 1)} \sum_g I_g^2.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from closedform import checks
from closedform.rounding import MODERATE, are_equal, moderate

FEWEST = 8  # repetitions that can show their skewness
SIGNIFICANT = 3.5  # standard deviations of the skewness of normal numbers
NEAR = 0.3  # errors, by which a limit of two errors is too near


class Jackknife(NamedTuple):
    """A statistic by leaving out one repetition at a time; all in its unit."""

    value: Any  # without the leading part of its bias, ``[...]``
    error: Any  # standard error, ``[...]``
    influences: Any  # of the repetitions, with mean 0, ``[repetition, ...]``


def jackknife(whole: ArrayLike, left_out: ArrayLike) -> Jackknife:
    """Compute bias and error of a statistic from its values without one repetition.

    Args:
        whole: the statistic of all repetitions, a number or an array ``[...]``.
        left_out: the statistic without each of them, ``[repetition, ...]``, at least two.

    Returns:
        Value, error and influences, see :class:`Jackknife`.

    Raises:
        ValueError: for fewer than two values in ``left_out``, which determine no error.

    >>> float(jackknife(2.0, [2.5, 2.0, 1.5]).value)  # the mean of 1, 2 and 3, which has no bias
    2.0
    """
    without = np.asarray(left_out, dtype=np.float64)
    count = len(without) if without.ndim else 1
    checks.require(count >= 2, "left_out", f"{count} values", "at least 2")
    mean, error = mean_and_error(without)
    value = count * np.asarray(whole, dtype=np.float64) - (count - 1) * mean
    return Jackknife(value, (count - 1) * error, (count - 1) * (mean - without))


def mean_and_error(values: ArrayLike, axis: int = 0) -> tuple[Any, Any]:
    """Compute the mean over repetitions and its standard error.

    Repetitions whose squares leave the range of float64 are taken near one by a power of two, without rounding.

    Args:
        values: numbers with repetitions, such as seeds, along ``axis``.
        axis: axis of the repetitions. Default: the first.

    Returns:
        Two numbers, or two arrays of the other axes. The error of a single repetition is NaN.
    """
    array = np.asarray(values, dtype=np.float64)
    largest = np.abs(array).max(axis=axis, keepdims=True, initial=0.0)
    is_moderate = (
        (largest == 0)
        | ~np.isfinite(largest)
        | ((largest >= MODERATE[0]) & (largest <= MODERATE[1]))
    )
    exponents = np.where(is_moderate, 0, np.frexp(largest)[1])
    array = np.ldexp(array, -exponents)
    mean, count = array.mean(axis=axis), array.shape[axis]
    error = (
        array.std(axis=axis, ddof=1) / np.sqrt(count) if count > 1 else np.full(mean.shape, np.nan)
    )
    mean, error = (np.ldexp(numbers, exponents.squeeze(axis)) for numbers in (mean, error))
    return (float(mean), float(error)) if mean.ndim == 0 else (mean, error)


def skew(values: ArrayLike) -> str:
    r"""Return why the mean of skewed numbers is not as near as its error says, in words; empty if nothing shows that.

    With the skewness :math:`g` of :math:`n` numbers, the limit of two errors is :math:`3 |g| / 2 \\sqrt n` errors too
    near on the side of the long tail (Hall, Journal of the Royal Statistical Society B 54, 221 (1992)). It is said from
    :data:`NEAR` on, if normal numbers have such a skewness hardly ever.

    Args:
        values: finite numbers, ``[repetition]``.

    >>> skew([1.0, 1.1, 0.9, 1.2, 1.0, 0.8, 1.1, 1.0, 0.9, 9.0])[:49]
    '10 repetitions are skewed (+2.7): their mean may '
    """
    numbers = moderate(np.asarray(values, dtype=np.float64))
    count = len(numbers)
    apart = numbers - numbers.mean() if count else numbers
    if count < FEWEST or are_equal(numbers):
        return ""
    skewness = float((apart**3).mean() / (apart**2).mean() ** 1.5)
    usual = math.sqrt(6 * (count - 2) / ((count + 1) * (count + 3)))  # of normal numbers
    too_near = 1.5 * abs(skewness) / math.sqrt(count)
    if abs(skewness) < SIGNIFICANT * usual or too_near < NEAR:
        return ""
    side = "above" if skewness > 0 else "below"
    return (
        f"{count:,} repetitions are skewed ({skewness:+.1f}): their mean may lie {too_near:.1f} errors further {side} "
        "than its error says; logarithms, or more repetitions, say more"
    )
