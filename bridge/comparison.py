r"""One prediction against one measurement, and an honest verdict: agrees, disagrees, or too blunt to say.

A measurement whose error is larger than the differences that matter is compatible with every theory; calling that
agreement would be a mistake. So the *resolution* is stated: the smallest deviation from the prediction that one would
want to see. With ``z = (measured - predicted) / error`` and a threshold in standard errors (2 by default),

* **disagrees**: ``|z|`` exceeds the threshold, however blunt or sharp the measurement is;
* **too blunt to say**: it does not, but a deviation as large as the resolution could have hidden: threshold times error
  exceeds the resolution;
* **agrees**: it does not, and could not.

The default resolution is a tenth of the prediction's magnitude. An error from a few repetitions is itself uncertain;
there the threshold is the quantile of Student's t with the same tail as the normal distribution's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from bridge.arrays import Array, mean_and_error, numbers

AGREES, DISAGREES, BLUNT = "agrees", "disagrees", "too blunt to say"
RESOLUTION = 0.1  # of the prediction's magnitude
THRESHOLD = 2.0  # standard errors
ROUNDING = 1e-15  # relative scatter that a mean of identical numbers may have


@dataclass(frozen=True)
class Comparison:
    """Predictions against measurements; every array has the shape of the comparison, ``[]`` for a single one.

    Attributes:
        predicted: what should be.
        measured: what is; the mean over repetitions, if there were any.
        error: standard error of the difference, that of the prediction included.
        resolution: smallest deviation that matters.
        limit: standard errors beyond which a deviation counts; larger than asked for with few repetitions.
        names: one for each, or empty.
    """

    predicted: Array
    measured: Array
    error: Array
    resolution: Array
    limit: float
    names: tuple[str, ...] = ()

    @property
    def z(self) -> Any:
        """Deviation in standard errors: a float for a single comparison, else an array."""
        return _plain((self.measured - self.predicted) / self.error)

    @property
    def verdict(self) -> Any:
        """``"agrees"``, ``"disagrees"`` or ``"too blunt to say"``: a string, or an array of them."""
        return _plain(self._verdicts(self.limit))

    @property
    def overall(self) -> str:
        """One verdict for all together; with many comparisons the limit is raised so that chance keeps its share.

        Disagrees if any does; else too blunt to say if any is; else agrees.
        """
        tail = stats.norm.sf(self.limit) * 2
        together = float(stats.norm.isf(-np.expm1(np.log1p(-tail) / self.predicted.size) / 2))
        far = np.abs(np.asarray(self.z)) > together
        return DISAGREES if far.any() else BLUNT if (self.limit * self.error > self.resolution).any() else AGREES

    def _verdicts(self, limit: float) -> NDArray[np.str_]:
        blunt = np.where(limit * self.error > self.resolution, BLUNT, AGREES)
        return np.where(np.abs(self.measured - self.predicted) > limit * self.error, DISAGREES, blunt)

    def __iter__(self) -> Iterator[Comparison]:
        """The single comparisons."""
        for index in range(self.predicted.size):
            predicted, measured, error, resolution = (
                np.asarray(each.ravel()[index]) for each in (self.predicted, self.measured, self.error, self.resolution)
            )
            yield Comparison(predicted, measured, error, resolution, self.limit, self.names[index : index + 1])

    def summary(self) -> str:
        """A table of at most 100 columns, one line for each comparison."""
        width = min(max([len(name) for name in self.names] or [0]), 30)
        lines = [f"{'':{width}}{'predicted':>13}{'measured':>13}{'error':>10}{'z':>8}{'resolution':>12}  verdict"]
        for each in self:
            name = each.names[0][:width] if each.names else ""
            lines.append(
                f"{name:{width}}{each.predicted:13.6g}{each.measured:13.6g}{each.error:10.2g}{each.z:8.2f}"
                f"{each.resolution:12.2g}  {each.verdict}"
            )
        if self.predicted.size > 1:
            lines.append(f"all together: {self.overall}")
        return "\n".join(lines)


def compare(
    prediction: ArrayLike,
    measurement: ArrayLike,
    *,
    error: ArrayLike | None = None,
    prediction_error: ArrayLike = 0.0,
    resolution: ArrayLike | None = None,
    threshold: float = THRESHOLD,
    names: tuple[str, ...] | list[str] = (),
) -> Comparison:
    """Hold a prediction against a measurement.

    Args:
        prediction: ``[...]``, any shape.
        measurement: ``[...]`` with ``error``, or ``[..., repetition]`` without: the error then comes from the scatter
            of at least two repetitions.
        error: standard error of the measurement, ``[...]`` or one number, positive.
        prediction_error: standard error of the prediction (from fitted constants, say), ``[...]`` or one number.
        resolution: smallest deviation that matters, in the units of the quantity, ``[...]`` or one number; default a
            tenth of the prediction's magnitude.
        threshold: standard errors beyond which a deviation counts.
        names: one for each, for the summary.

    Raises:
        TypeError: for entries that are not real numbers.
        ValueError: for shapes that do not fit, a measurement without any error, repetitions without scatter, errors or
            resolutions that are not positive, a zero prediction without a resolution.
    """
    predicted = _filled(prediction, "prediction")
    values = _filled(measurement, "measurement")
    if isinstance(threshold, bool) or not isinstance(threshold, (int, float)) or not 0 < threshold < np.inf:
        raise ValueError(f"threshold: got {threshold!r}, needs a positive number of standard errors")
    limit = float(threshold)
    if error is None:
        values, spread, repetitions = _over_repetitions(predicted, values)
        limit = float(stats.t.isf(stats.norm.sf(limit), repetitions - 1))
    else:
        if values.shape != predicted.shape:
            raise ValueError(f"measurement: got shape {values.shape}, needs {predicted.shape} as the prediction has")
        spread = _matched(error, predicted, "error")
    also = _matched(prediction_error, predicted, "prediction_error", zero=True)
    total = np.hypot(spread, also)
    if resolution is None:
        if (predicted == 0).any():
            raise ValueError("resolution: the prediction is 0, which sets no scale; say which deviation would matter")
        matters = RESOLUTION * np.abs(predicted)
    else:
        matters = _matched(resolution, predicted, "resolution")
    named = tuple(str(name) for name in names)
    if named and len(named) != predicted.size:
        raise ValueError(f"names: got {len(named)}, needs {predicted.size}, one for each comparison")
    return Comparison(predicted, values, total, matters, limit, named)


def _over_repetitions(predicted: Array, values: Array) -> tuple[Array, Array, int]:
    """Mean, its standard error, and the number of repetitions, from ``[..., repetition]``."""
    if values.ndim == 0 or values.shape == predicted.shape or values.shape[:-1] != predicted.shape:
        raise ValueError(
            f"measurement: got shape {values.shape} without error=; a measurement without an error cannot be compared. "
            f"Give error=, or repetitions along a last axis: shape {(*predicted.shape, 'repetition')}"
        )
    count = values.shape[-1]
    if count < 2:
        raise ValueError("measurement: one repetition has no scatter; give at least two, or error=")
    mean, spread = mean_and_error(values, axis=-1)
    if np.any(spread <= ROUNDING * np.abs(values).max(axis=-1)):
        raise ValueError("measurement: repetitions without any scatter say nothing of an error; give error=")
    return np.asarray(mean), np.asarray(spread), count


def _filled(values: ArrayLike, what: str) -> Array:
    array = numbers(values, what)
    if array.size == 0:
        raise ValueError(f"{what}: is empty, needs at least one number")
    return array


def _matched(values: ArrayLike, predicted: Array, what: str, *, zero: bool = False) -> Array:
    array = _filled(values, what)
    if array.shape not in ((), predicted.shape):
        raise ValueError(f"{what}: got shape {array.shape}, needs one number or shape {predicted.shape}")
    if array.min() < 0 or (array.min() == 0 and not zero):
        need = "numbers of at least 0" if zero else "positive numbers"
        raise ValueError(f"{what}: got {array.min():g}, needs {need}")
    return np.broadcast_to(array, predicted.shape)


def _plain(values: NDArray[Any]) -> Any:
    """A Python scalar from a single value, the array otherwise."""
    return values.item() if np.ndim(values) == 0 else values
