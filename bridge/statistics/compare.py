"""``bridge.compare``: predictions compared with measurements, whose error is known or follows from repetitions."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from bridge.statistics.arrays import Array, mean_and_error
from bridge.statistics.comparison import Comparison
from closedform import checks
from closedform.checks import arrays
from closedform.rounding import are_equal, moderate
from closedform.verdicts import RESOLUTION, THRESHOLD


class NoError(ValueError):
    """The repetitions of a measurement do not determine its error."""


def compare(
    prediction: ArrayLike,
    measurement: ArrayLike,
    *,
    error: ArrayLike | None = None,
    repetitions: ArrayLike | None = None,
    prediction_error: ArrayLike = 0.0,
    resolution: ArrayLike | None = None,
    threshold: float = THRESHOLD,
    names: tuple[str, ...] | list[str] = (),
) -> Comparison:
    """Compare predictions with measurements.

    Args:
        prediction: predicted values, any shape ``[...]``.
        measurement: measured values in the unit of the prediction: ``[...]`` if ``error`` is given, otherwise
            ``[..., repetition]`` with at least two repetitions, whose scatter gives the error.
        error: positive standard error of the measurement, ``[...]`` or one number. Default: from the repetitions.
        repetitions: number of repetitions from which ``error`` was estimated (its degrees of freedom plus one),
            ``[...]`` or one number, at least 2. Default: infinite, for a known error.
        prediction_error: standard error of the prediction, for example from fitted constants, ``[...]`` or one number,
            assumed to be known. Default: 0.
        resolution: smallest relevant deviation, ``[...]`` or a number. Default: a tenth of the prediction's magnitude.
        threshold: number of standard errors of a normal variable beyond which a deviation is significant; it is
            converted to a quantile of Student's t. Default: 2.
        names: names of the single comparisons, for the summary. Default: none.

    Raises:
        TypeError: if entries are not real numbers.
        NoError: a ValueError, for a single repetition or repetitions without scatter.
        ValueError: if shapes do not match, ``repetitions`` is given without ``error``, an error or resolution is not
            positive, or a prediction is 0 without a resolution.

    >>> compare(1.0, [1.02, 0.99, 1.01, 1.0, 0.98]).verdict
    'agrees'
    """
    predicted, values = _numbers("prediction", prediction), _numbers("measurement", measurement)
    threshold = checks.positive_number("threshold", threshold, "standard errors")
    count, deviation = np.full(predicted.shape, np.inf), 0.0
    if error is None:
        if repetitions is not None:
            raise ValueError(
                "repetitions: got a number without error=, needs error=; those of the measurement itself are counted"
            )
        values, standard_error, deviation, number = _over_repetitions(
            predicted, values, arrays.epsilon(measurement)
        )
        count = np.full(predicted.shape, float(number))
    else:
        if values.shape != predicted.shape:
            raise ValueError(
                f"measurement: got shape {values.shape}, needs the prediction's shape {predicted.shape}"
            )
        standard_error = _matched("error", error, predicted)
        if repetitions is not None:
            count = _repetition_counts(repetitions, predicted)
    fixed = _matched("prediction_error", prediction_error, predicted, or_zero=True)
    if resolution is None:
        if (predicted == 0).any():
            raise ValueError(
                "resolution: got none, needs the smallest relevant deviation from a prediction of 0"
            )
        relevant = RESOLUTION * np.abs(predicted)
    else:
        relevant = _matched("resolution", resolution, predicted)
    labels = tuple(str(name) for name in names)
    if labels and len(labels) != predicted.size:
        raise ValueError(
            f"names: got {len(labels)}, needs {predicted.size}, one for each comparison"
        )
    return Comparison(
        predicted, values, standard_error, fixed, relevant, count, threshold, labels, deviation
    )


def _numbers(name: str, values: ArrayLike) -> Array:
    """Return a finite array ``[...]`` that is not empty; ValueError if float64 does not hold one of its integers."""
    arrays.exact_array(name, values)
    return arrays.filled_array(name, values)


def _over_repetitions(
    predicted: Array, values: Array, epsilon: float
) -> tuple[Array, Array, float, int]:
    """Return mean, standard error, relative deviation and number of repetitions of ``values [..., repetition]``."""
    if values.ndim == 0 or values.shape == predicted.shape or values.shape[:-1] != predicted.shape:
        raise ValueError(
            f"measurement: got shape {values.shape} without error=, needs an error to compare: error=, or repetitions "
            f"along a last axis, shape {(*predicted.shape, 'repetition')}"
        )
    count = values.shape[-1]
    if count < 2:
        raise NoError(
            "measurement: got one repetition, which has no scatter, needs at least two, or error="
        )
    mean, standard_error = (np.asarray(array) for array in mean_and_error(values, axis=-1))
    if are_equal(moderate(values), epsilon=epsilon).any():
        raise NoError(
            "measurement: got identical repetitions, which determine no error, needs error="
        )
    positive = (values > 0).all(axis=-1)
    relative = np.where(
        positive, standard_error * np.sqrt(count) / np.where(positive, mean, 1.0), 0.0
    )
    return mean, standard_error, float(relative.max()), count


def _matched(name: str, values: ArrayLike, predicted: Array, *, or_zero: bool = False) -> Array:
    array = arrays.positive_array(name, values, or_zero=or_zero)
    if array.shape not in ((), predicted.shape):
        raise ValueError(
            f"{name}: got shape {array.shape}, needs one number or shape {predicted.shape}"
        )
    return np.broadcast_to(array, predicted.shape)


def _repetition_counts(values: ArrayLike, predicted: Array) -> Array:
    """Return the checked numbers of repetitions ``[...]``, which may be infinite."""
    array = arrays.any_array("repetitions", values)
    known = np.isposinf(array) if array.dtype.kind == "f" else np.zeros(array.shape, dtype=bool)
    counts = _matched(
        "repetitions", np.where(known, 2.0, array) if known.any() else values, predicted
    )
    if counts.min() < 2:
        raise ValueError(f"repetitions: got {counts.min():g}, needs at least 2")
    return np.where(np.broadcast_to(known, predicted.shape), np.inf, counts)
