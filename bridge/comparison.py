"""One prediction against one measurement, and an honest verdict: agrees, disagrees, or too blunt to say.

The three words, the limit and the resolution are defined in :mod:`bridge.verdicts`. In short: a deviation and its error
make an interval of the deviations that the measurement allows. It *disagrees* with the prediction if that interval
leaves out zero, *agrees* if it contains zero and nothing beyond the resolution, and is *too blunt to say* otherwise.

The limit is Student's t with the degrees of freedom of the error, which needs scatter that is roughly normal. Means of
few positive numbers that scatter by factors are skewed: of lognormal ones with standard deviation 0.5 (1) of the
logarithm, two to ten of them, the two-sigma interval covers 92 to 94 % (83 to 90 %), not 95 %. Compare logarithms then.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bridge import arguments, verdicts
from bridge.arrays import Array, mean_and_error
from bridge.verdicts import AGREES, BLUNT, DISAGREES, RESOLUTION, THRESHOLD, plain

__all__ = ["AGREES", "BLUNT", "DISAGREES", "RESOLUTION", "THRESHOLD", "Comparison", "compare"]

ROUNDING = 1e-15  # relative scatter that a mean of identical numbers may have


@dataclass(frozen=True)
class Comparison:
    """Predictions against measurements; every array has the shape of the comparison, ``[]`` for a single one.

    Attributes:
        predicted: what should be.
        measured: what is; the mean over repetitions, if there were any.
        spread: standard error of the measurement.
        prediction_error: standard error of the prediction.
        resolution: smallest deviation that matters.
        repetitions: how many ``spread`` comes from; infinite where it is known.
        threshold: standard deviations of a normal variable beyond which a deviation counts.
        names: one for each, or empty.
        scatter: relative scatter of positive repetitions, 0 where there are none.
    """

    predicted: Array
    measured: Array
    spread: Array
    prediction_error: Array
    resolution: Array
    repetitions: Array
    threshold: float
    names: tuple[str, ...] = ()
    scatter: float = 0.0

    @property
    def error(self) -> Array:
        """Standard error of the deviation, that of the prediction included."""
        return np.asarray(np.hypot(self.spread, self.prediction_error))

    @property
    def z(self) -> Any:
        """Deviation in standard errors: a float for a single comparison, else an array."""
        return plain((self.measured - self.predicted) / self.error)

    @property
    def limit(self) -> Any:
        """``|z|`` beyond which a deviation counts, larger than asked for with few repetitions; float or array."""
        return plain(np.asarray(self._allowed() / self.error))

    @property
    def largest(self) -> Any:
        """Largest deviation that the measurement allows: the one found plus limit times error; float or array."""
        return plain(np.asarray(np.abs(self.measured - self.predicted) + self._allowed()))

    @property
    def verdict(self) -> Any:
        """``"agrees"``, ``"disagrees"`` or ``"too blunt to say"``: a string, or an array of them."""
        return plain(self._verdicts())

    @property
    def overall(self) -> str:
        """One verdict for all together; with many comparisons the limit is raised so that chance keeps its share."""
        raised = self._allowed(self.predicted.size)
        return verdicts.together(self.measured - self.predicted, self._allowed(), raised, self.resolution)

    @property
    def why(self) -> Any:
        """The verdict with its reason, one line of text: a string, or an array of them."""
        lines = [
            verdicts.sentence(float(one.measured - one.predicted), float(one.error), one.limit, float(one.repetitions),
                              float(one.resolution))
            for one in self
        ]  # fmt: skip
        return plain(np.array(lines).reshape(self.predicted.shape))

    def _verdicts(self) -> NDArray[np.str_]:
        return verdicts.single(self.measured - self.predicted, self._allowed(), self.resolution)

    def _allowed(self, comparisons: int = 1) -> Array:
        """Deviations ``[...]`` that chance allows, the largest of so many ``comparisons``."""
        tail = verdicts.tail(self.threshold, comparisons)
        return verdicts.allowed(self.spread, self.prediction_error, self.repetitions, tail)

    def __iter__(self) -> Iterator[Comparison]:
        """The single comparisons."""
        for index in range(self.predicted.size):
            yield Comparison(
                predicted=np.asarray(self.predicted.ravel()[index]),
                measured=np.asarray(self.measured.ravel()[index]),
                spread=np.asarray(self.spread.ravel()[index]),
                prediction_error=np.asarray(self.prediction_error.ravel()[index]),
                resolution=np.asarray(self.resolution.ravel()[index]),
                repetitions=np.asarray(self.repetitions.ravel()[index]),
                threshold=self.threshold,
                names=self.names[index : index + 1],
                scatter=self.scatter,
            )

    def summary(self) -> str:
        """A table of at most 100 columns, one line for each comparison; for a single one, its reason below."""
        from bridge.comparison_table import write

        return write(self)


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
    """Hold a prediction against a measurement.

    Args:
        prediction: ``[...]``, any shape.
        measurement: ``[...]`` with ``error``, or ``[..., repetition]`` without: the error then comes from the scatter
            of at least two repetitions.
        error: standard error of the measurement, ``[...]`` or one number, positive.
        repetitions: from how many ``error`` was estimated (its degrees of freedom plus one), ``[...]`` or one number,
            at least 2; infinite, the default, for a known error.
        prediction_error: standard error of the prediction (from fitted constants, say), ``[...]`` or one number; taken
            as known.
        resolution: smallest deviation that matters, in the units of the quantity, ``[...]`` or one number; default a
            tenth of the prediction's magnitude.
        threshold: standard deviations of a normal variable beyond which a deviation counts; converted to Student's t.
        names: one for each, for the summary.

    Raises:
        TypeError: for entries that are not real numbers.
        ValueError: for shapes that do not fit, a measurement without any error, repetitions without scatter or given
            twice, errors or resolutions that are not positive, a zero prediction without a resolution.
    """
    predicted = arguments.filled_array("prediction", prediction)
    values = arguments.filled_array("measurement", measurement)
    threshold = arguments.positive_number("threshold", threshold, "standard errors")
    count, scatter = np.full(predicted.shape, np.inf), 0.0
    if error is None:
        if repetitions is not None:
            raise ValueError("repetitions: counts what error= was estimated from; the measurement's own are counted")
        values, spread, scatter, number = _over_repetitions(predicted, values)
        count = np.full(predicted.shape, float(number))
    else:
        if values.shape != predicted.shape:
            raise ValueError(f"measurement: got shape {values.shape}, needs {predicted.shape} as the prediction has")
        spread = _matched("error", error, predicted)
        if repetitions is not None:
            count = _counted(repetitions, predicted)
    also = _matched("prediction_error", prediction_error, predicted, or_zero=True)
    if resolution is None:
        if (predicted == 0).any():
            raise ValueError("resolution: the prediction is 0, which sets no scale; say which deviation would matter")
        matters = RESOLUTION * np.abs(predicted)
    else:
        matters = _matched("resolution", resolution, predicted)
    named = tuple(str(name) for name in names)
    if named and len(named) != predicted.size:
        raise ValueError(f"names: got {len(named)}, needs {predicted.size}, one for each comparison")
    return Comparison(predicted, values, spread, also, matters, count, threshold, named, scatter)


def _over_repetitions(predicted: Array, values: Array) -> tuple[Array, Array, float, int]:
    """Mean, its standard error, relative scatter and number of repetitions, from ``[..., repetition]``."""
    if values.ndim == 0 or values.shape == predicted.shape or values.shape[:-1] != predicted.shape:
        raise ValueError(
            f"measurement: got shape {values.shape} without error=; a measurement without an error cannot be compared. "
            f"Give error=, or repetitions along a last axis: shape {(*predicted.shape, 'repetition')}"
        )
    count = values.shape[-1]
    if count < 2:
        raise ValueError("measurement: one repetition has no scatter; give at least two, or error=")
    mean, spread = (np.asarray(each) for each in mean_and_error(values, axis=-1))
    if np.any(spread <= ROUNDING * np.abs(values).max(axis=-1)):
        raise ValueError("measurement: repetitions without any scatter say nothing of an error; give error=")
    positive = (values > 0).all(axis=-1)
    relative = np.where(positive, spread * np.sqrt(count) / np.where(positive, mean, 1.0), 0.0)
    return mean, spread, float(relative.max()), count


def _matched(name: str, values: ArrayLike, predicted: Array, *, or_zero: bool = False) -> Array:
    array = arguments.positive_array(name, values, or_zero=or_zero)
    if array.shape not in ((), predicted.shape):
        raise ValueError(f"{name}: got shape {array.shape}, needs one number or shape {predicted.shape}")
    return np.broadcast_to(array, predicted.shape)


def _counted(values: ArrayLike, predicted: Array) -> Array:
    """Numbers of repetitions, infinite ones allowed."""
    array = np.asarray(values)
    known = np.isposinf(array) if array.dtype.kind == "f" else np.zeros(array.shape, dtype=bool)
    counts = _matched("repetitions", np.where(known, 2.0, array) if known.any() else values, predicted)
    if counts.min() < 2:
        raise ValueError(f"repetitions: got {counts.min():g}, needs at least 2")
    return np.where(np.broadcast_to(known, predicted.shape), np.inf, counts)
