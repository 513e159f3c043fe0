r"""Fit of :math:`y = A x^p + c`; never a bare straight line in log-log, which is confidently wrong with an offset.

Where the interval comes from is in :mod:`bridge.scaling.uncertainty`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from bridge import arguments
from bridge.arrays import Array
from bridge.ranking import has_repeated
from bridge.scaling import repetitions, uncertainty
from bridge.scaling.profile import STEEPEST, Profile
from bridge.scaling.result import ScalingFit

FLOOR = 1e-3  # of the largest value: a relative error cannot be smaller
MISFIT = 1e-3  # probability of a larger chi^2 below which the power law is said not to describe the data
SHORT = 8.0  # largest over smallest x; below, an exponent and an offset can hardly be told apart


def fit(
    x: ArrayLike,
    y: ArrayLike,
    errors: ArrayLike | None = None,
    *,
    offset: float | None = None,
    average: str = "mean",
    level: float = uncertainty.ONE_SIGMA,
    seed: int = 0,
) -> ScalingFit:
    """Fit ``y = A x^p + c``.

    Args:
        x: ``[point]``, positive and all different.
        y: ``[point]``, or ``[point, repetition]`` with at least three repetitions.
        errors: ``[point]``, standard errors of ``y``, for ``y`` without repetitions.
        offset: hold ``c`` at this value (0 for a pure power law); default: fit it.
        average: over repetitions: ``"mean"``, ``"median"`` or ``"geometric"`` (for heavy tails).
        level: of the interval, between 0 and 1; default one standard deviation.
        seed: of the resampling of medians; nothing else is drawn.

    Raises:
        TypeError: for entries that are not real numbers.
        ValueError: for wrong shapes, too few points, numbers that are not finite, or not positive where they must be,
            a constant y, errors together with repetitions.
    """
    x = arguments.real_array("x", x)
    y = arguments.real_array("y", y)
    held = None if offset is None else arguments.real_number("offset", offset, "one number, or None to fit it")
    free = 2 + (held is None)
    _check_shapes(x, y, free)
    arguments.positive_array("x", x)
    arguments.one_of("average", average, repetitions.AVERAGES)
    level, seed = arguments.share("level", level), arguments.whole_number("seed", seed, 0)
    samples = y if y.ndim == 2 else None
    if samples is not None:
        if errors is not None:
            raise ValueError("errors: y has repetitions, which already say how uncertain it is; give one or the other")
        if average == "geometric":
            arguments.positive_array("y (average='geometric')", samples)
        used = repetitions.smooth_errors(x, samples, average)
        y = repetitions.AVERAGES[average](samples)
    elif errors is not None:
        used = arguments.positive_array("errors", errors)
        if used.shape != x.shape:
            raise ValueError(f"errors: got shape {used.shape}, needs {x.shape}, one for every x")
    else:
        used = _relative_errors(x, y, held, free)
    if np.ptp(y) <= 1e-14 * np.abs(y).max():
        raise ValueError("y: is constant, so it has no exponent")
    profile = Profile(x, used, held)
    exponent = profile.best(y)
    amplitude, constant = profile.coefficients(exponent, y)
    chi2 = float(profile(np.array(exponent), y)) if samples is not None or errors is not None else math.nan
    degrees = x.size - free
    if samples is not None:
        shared = repetitions.covariance(samples, average, seed)
        uncertain = uncertainty.from_repetitions(profile, exponent, y, shared, level, samples.shape[1])
    else:
        few = None if errors is not None else degrees
        uncertain = uncertainty.from_profile(profile, exponent, y, level, few)
    return ScalingFit(
        exponent=exponent,
        interval=uncertain.interval,
        error=uncertain.error,
        level=level,
        prefactor=amplitude,
        offset=constant,
        offset_error=uncertain.offset_error,
        chi2=chi2,
        degrees=degrees,
        warnings=_warnings(x, exponent, uncertain.interval, chi2, degrees, samples, held),
        x=x,
        y=y,
        errors=used,
        samples=samples,
    )


def _relative_errors(x: Array, y: Array, held: float | None, free: int) -> Array:
    """Errors ``[point]`` proportional to the curve, as large as the scatter around it says."""
    if x.size <= free:
        raise ValueError(f"x: {x.size} points and {free} free parameters leave no scatter; give errors= or repetitions")
    used = np.abs(y - (held or 0.0))
    for _ in range(4):
        used = np.maximum(used, FLOOR * used.max())
        profile = Profile(x, used, held)
        p = profile.best(y)
        amplitude, constant = profile.coefficients(p, y)
        used = np.abs(amplitude * x**p + constant - (held or 0.0))
    used = np.maximum(used, FLOOR * used.max())
    profile = Profile(x, used, held)
    remainder = float(profile(np.array(profile.best(y)), y))
    # An exact power law leaves rounding only; its errors are then those of rounding, not zero.
    return np.asarray(used * max(math.sqrt(remainder / (x.size - free)), np.finfo(float).eps))


def _warnings(
    x: Array,
    p: float,
    interval: tuple[float, float],
    chi2: float,
    degrees: int,
    samples: Array | None,
    held: float | None,
) -> tuple[str, ...]:
    warnings = []
    if abs(p) > 0.999 * STEEPEST:
        warnings.append(f"the exponent is at the edge of what is searched, |p| = {STEEPEST:g}: not a power law")
    if not np.isfinite(interval).all():
        warnings.append("the data do not bound the exponent: its interval is open")
    if held is None and x.max() / x.min() < SHORT:
        warnings.append(f"x spans a factor {x.max() / x.min():.2g} only: exponent and offset can hardly be told apart")
    if degrees > 0 and np.isfinite(chi2) and _chance(chi2, degrees, samples) < MISFIT:
        warnings.append(f"a power law does not describe the data: chi^2 = {chi2:.3g} at {degrees} degrees of freedom")
    return tuple(warnings)


def _chance(chi2: float, degrees: int, samples: Array | None) -> float:
    """Probability of a larger chi^2; with errors from repetitions, that of the F distribution."""
    if samples is None:
        return float(stats.chi2.sf(chi2, degrees))
    return float(stats.f.sf(chi2 / degrees, degrees, samples.size - len(samples)))


def _check_shapes(x: Array, y: Array, free: int) -> None:
    if x.ndim != 1 or x.size < free:
        raise ValueError(f"x: got shape {x.shape}, needs [point] with at least {free} points")
    if has_repeated(x):
        raise ValueError("x: has repeated values; put repetitions into a second axis of y")
    if y.ndim not in (1, 2) or len(y) != x.size:
        hint = "; transpose it" if y.ndim == 2 and y.shape[1] == x.size else ""
        raise ValueError(f"y: got shape {y.shape}, needs [point] or [point, repetition] with {x.size} points{hint}")
    if y.ndim == 2 and y.shape[1] < repetitions.FEWEST:
        raise ValueError(
            f"y: got {y.shape[1]} repetitions, needs at least {repetitions.FEWEST}, or a column and errors"
        )
