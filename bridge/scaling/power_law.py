r"""Fit of the power law :math:`y = A x^p + c`.

A straight line fitted in log-log coordinates ignores the offset, and its interval then excludes the true exponent.
:mod:`bridge.scaling.uncertainty` defines the interval of this fit.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from bridge.fit import correlated_noise
from bridge.scaling import uncertainty
from bridge.scaling.profile import STEEPEST, FitProfile
from bridge.scaling.result import ScalingFit
from bridge.statistics import normal
from bridge.statistics.arrays import Array
from bridge.statistics.rank_correlation import has_repeated
from closedform import checks
from closedform.checks import arrays
from closedform.rounding import power_of_two

FLOOR = 1e-3  # smallest relative error, relative to the largest value
MISFIT = 1e-3  # probability of a larger chi^2 below which a warning says that the power law does not describe the data
SHORT = 8.0  # ratio of largest to smallest x below which exponent and offset are hardly distinguishable


def fit(
    x: ArrayLike,
    y: ArrayLike,
    errors: ArrayLike | None = None,
    *,
    offset: float | None = None,
    average: str = "mean",
    level: float = normal.ONE_SIGMA,
    seed: int = 0,
) -> ScalingFit:
    """Fit ``y = A x^p + c``.

    Args:
        x: ``[point]``, positive and all different.
        y: ``[point]``, or ``[point, repetition]`` with at least three repetitions.
        errors: positive standard errors of ``y``, ``[point]``, for ``y`` without repetitions. Default: from the
            repetitions or, without them, from the scatter around the curve.
        offset: fixed value of ``c``, such as 0 for a pure power law. Default: ``c`` is fitted.
        average: average over repetitions: ``"mean"``, ``"median"`` or ``"geometric"``, the geometric mean, which suits
            heavy tails. Default: ``"mean"``.
        level: confidence level of the interval, between 0 and 1. Default: 0.683, one standard deviation.
        seed: seed of the resampling of medians; nothing else is random. Default: 0.

    Raises:
        TypeError: if entries are not real numbers.
        ValueError: if shapes are wrong, there are too few points, numbers are not finite or not positive where they
            must be, ``y`` is constant, or errors are given together with repetitions.

    >>> result = fit([1, 2, 4, 8, 16], [3.0, 1.5, 0.75, 0.375, 0.1875], offset=0)
    >>> round(result.exponent, 3), round(result.prefactor, 3)
    (-1.0, 3.0)
    """
    x = arrays.real_array("x", x)
    y = arrays.real_array("y", y)
    fixed = (
        None
        if offset is None
        else checks.real_number("offset", offset, "one number, or None to fit it")
    )
    times = power_of_two(y)
    if times != 1:
        smaller = None if errors is None else times * arrays.positive_array("errors", errors)
        shifted = None if fixed is None else times * fixed
        return _in_units(
            fit(x, times * y, smaller, offset=shifted, average=average, level=level, seed=seed),
            times,
        )
    free = 2 + (fixed is None)
    _check_shapes(x, y, free)
    arrays.positive_array("x", x)
    checks.one_of("average", average, uncertainty.AVERAGES)
    level, seed = checks.share("level", level), checks.integer("seed", seed, 0)
    samples = y if y.ndim == 2 else None
    if samples is not None:
        if errors is not None:
            raise ValueError(
                "errors: got some for y with repetitions, which determine them, needs None"
            )
        if average == "geometric":
            arrays.positive_array("y (average='geometric')", samples)
        weights = uncertainty.smooth_errors(x, samples, average)
        y = uncertainty.AVERAGES[average](samples)
    elif errors is not None:
        weights = arrays.positive_array("errors", errors)
        if weights.shape != x.shape:
            raise ValueError(
                f"errors: got shape {weights.shape}, needs {x.shape}, one for every x"
            )
    else:
        weights = _relative_errors(x, y, fixed, free)
    if np.ptp(y) <= 1e-14 * np.abs(y).max():
        raise ValueError("y: got a constant, which has no exponent, needs numbers that vary")
    profile = FitProfile(x, weights, fixed)
    exponent = profile.best(y)
    amplitude, constant = profile.coefficients(exponent, y)
    chi2 = (
        float(profile(np.array(exponent), y))
        if samples is not None or errors is not None
        else math.nan
    )
    degrees = x.size - free
    if samples is not None:
        shared = uncertainty.covariance(samples, average, seed)
        uncertain = uncertainty.from_repetitions(
            profile, exponent, amplitude, y, shared, level, samples.shape[1]
        )
    else:
        estimated_from = None
        if errors is None:
            lasting = _correlation_time(profile, exponent, amplitude, constant, y)
            profile, estimated_from = (
                FitProfile(x, weights * math.sqrt(lasting), fixed),
                degrees / lasting,
            )
        uncertain = uncertainty.from_profile(
            profile, exponent, amplitude, y, level, estimated_from
        )
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
        warnings=_warnings(x, exponent, uncertain.interval, chi2, degrees, samples, fixed),
        x=x,
        y=y,
        errors=weights,
        samples=samples,
    )


def _correlation_time(
    profile: FitProfile, p: float, amplitude: float, constant: float, y: Array
) -> float:
    """Return the number of neighbouring points over which the scatter around the curve is correlated, at least 1."""
    order = np.argsort(profile.x)
    slopes = profile.slopes(p, amplitude)
    residuals = (y - amplitude * profile.x**p - constant) / profile.errors
    (noise,) = correlated_noise.estimates(
        profile.x[order], residuals[None, None, order], slopes[None, None, order]
    )
    return 1.0 if noise is None else float(noise.correlation_time[0])


def _in_units(scaled: ScalingFit, times: float) -> ScalingFit:
    """Return a fit to data that were multiplied by a number in the units of the data themselves."""
    linear = ("prefactor", "offset", "offset_error", "y", "errors")
    samples = None if scaled.samples is None else scaled.samples / times
    return replace(
        scaled, samples=samples, **{name: getattr(scaled, name) / times for name in linear}
    )


def _relative_errors(x: Array, y: Array, fixed: float | None, free: int) -> Array:
    """Return errors ``[point]`` proportional to the curve, whose scale is estimated from the scatter around it."""
    if x.size <= free:
        raise ValueError(
            f"x: got {x.size} points for {free} free parameters, needs more, or errors= or repetitions"
        )
    errors = np.abs(y - (fixed or 0.0))
    for _ in range(4):
        errors = np.maximum(errors, FLOOR * errors.max())
        profile = FitProfile(x, errors, fixed)
        p = profile.best(y)
        amplitude, constant = profile.coefficients(p, y)
        errors = np.abs(amplitude * x**p + constant - (fixed or 0.0))
    errors = np.maximum(errors, FLOOR * errors.max())
    profile = FitProfile(x, errors, fixed)
    remainder = float(profile(np.array(profile.best(y)), y))
    # The residuals of an exact power law are rounding errors, so the scale is at least the machine epsilon.
    return np.asarray(errors * max(math.sqrt(remainder / (x.size - free)), np.finfo(float).eps))


def _warnings(
    x: Array,
    p: float,
    interval: tuple[float, float],
    chi2: float,
    degrees: int,
    samples: Array | None,
    fixed: float | None,
) -> tuple[str, ...]:
    warnings = []
    if abs(p) > 0.999 * STEEPEST:
        warnings.append(
            f"the exponent is at the edge of the search interval, |p| = {STEEPEST:g}: not a power law"
        )
    if not np.isfinite(interval).all():
        warnings.append("the data do not bound the exponent: its interval is open")
    if fixed is None and x.max() / x.min() < SHORT:
        ratio = x.max() / x.min()
        warnings.append(
            f"x spans only a factor of {ratio:.2g}: exponent and offset are hardly distinguishable"
        )
    if degrees > 0 and np.isfinite(chi2) and _chance(chi2, degrees, samples) < MISFIT:
        warnings.append(
            f"a power law does not describe the data: chi^2 = {chi2:.3g} at {degrees} degrees of freedom"
        )
    return tuple(warnings)


def _chance(chi2: float, degrees: int, samples: Array | None) -> float:
    """Return the probability of a larger chi^2, from the F distribution if the errors come from repetitions."""
    if samples is None:
        return float(special.chdtrc(degrees, chi2))
    return float(special.fdtrc(degrees, samples.size - len(samples), chi2 / degrees))


def _check_shapes(x: Array, y: Array, free: int) -> None:
    if x.ndim != 1 or x.size < free:
        raise ValueError(f"x: got shape {x.shape}, needs [point] with at least {free} points")
    if has_repeated(x):
        raise ValueError(
            "x: got repeated values, needs different ones; put repetitions into a second axis of y"
        )
    if y.ndim not in (1, 2) or len(y) != x.size:
        hint = "; transpose it" if y.ndim == 2 and y.shape[1] == x.size else ""
        raise ValueError(
            f"y: got shape {y.shape}, needs [point] or [point, repetition] with {x.size} points{hint}"
        )
    if y.ndim == 2 and y.shape[1] < uncertainty.FEWEST:
        raise ValueError(
            f"y: got {y.shape[1]} repetitions, needs at least {uncertainty.FEWEST}, or shape [point] and errors"
        )
