"""Comparisons of predictions with measurements, with one of three verdicts: agrees, disagrees, too blunt to say.

:mod:`closedform.verdicts` defines the verdicts, the limit and the resolution.

The limit is a quantile of Student's t with the degrees of freedom of the error, which assumes roughly normal scatter.
The mean of a few positive numbers that scatter by factors is skewed: for two to ten lognormal numbers whose logarithm
has standard deviation 0.5 (1), the two-sigma interval covers 92 to 94 % (83 to 90 %) instead of 95 %. In such cases the
logarithms should be compared.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.plots.result import WIDTH, Result
from bridge.statistics.arrays import Array
from closedform import verdicts
from closedform.measured import Measured, Relation
from closedform.verdicts import plain

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

NAME_WIDTH = 17
ARRAYS = (
    "predicted",
    "measured",
    "standard_error",
    "prediction_error",
    "resolution",
    "repetitions",
)
COLUMNS = ("predicted", "measured", "error", "z", "limit", "repetitions", "resolution", "verdict")
HEADS = f"{'predicted':>12}{'measured':>12}{'error':>10}{'z':>7}{'limit':>7}{'n':>5}{'resolution':>12}  verdict"
SKEWED = 0.4  # relative scatter of positive repetitions beyond which skewness reduces the coverage of the interval
SKEWED_NOTE = (
    "note: positive repetitions that scatter by {:.0%} of their mean may be skewed; if they scatter by factors,\n"
    "      two-sigma intervals cover as little as 83 %: compare their logarithms with that of the prediction"
)


@dataclass(frozen=True, repr=False)
class Comparison(Result):
    """Predictions and measurements; every array has the shape of the comparison, ``[]`` for a single one.

    Attributes:
        predicted: predicted values, in the unit of the quantity.
        measured: measured values, or means over repetitions, in the same unit.
        standard_error: standard errors of the measured values.
        prediction_error: standard errors of the predictions.
        resolution: smallest relevant deviations.
        repetitions: numbers of repetitions from which ``standard_error`` was estimated; infinite where it is known.
        threshold: number of standard errors of a normal variable beyond which a deviation is significant.
        names: names of the single comparisons, or empty.
        relative_deviation: largest relative standard deviation of positive repetitions; 0 if there are none.

    >>> from bridge import compare
    >>> compare(1.0, 1.3, error=0.02).verdict
    'disagrees'
    """

    predicted: Array
    measured: Array
    standard_error: Array
    prediction_error: Array
    resolution: Array
    repetitions: Array
    threshold: float
    names: tuple[str, ...] = ()
    relative_deviation: float = 0.0

    @property
    def error(self) -> Array:
        """Standard error of the deviation, which includes the error of the prediction."""
        return np.asarray(np.hypot(self.standard_error, self.prediction_error))

    @property
    def deviation(self) -> Array:
        """Measured minus predicted numbers, infinite where the difference leaves the range of float64."""
        with np.errstate(over="ignore"):
            return np.asarray(self.measured - self.predicted)

    @property
    def z(self) -> Any:
        """Deviation in units of its standard error: a float for a single comparison, otherwise an array."""
        with np.errstate(over="ignore"):
            return plain(self.deviation / self.error)

    @property
    def limit(self) -> Any:
        """Largest ``|z|`` that is not significant, a float or an array; above ``threshold`` for few repetitions."""
        return self.joint_limit(1)

    def joint_limit(self, comparisons: int) -> Any:
        """Return the limit for the largest ``|z|`` of ``comparisons`` (at least 1), a float or an array."""
        return plain(np.asarray(self._allowed(comparisons) / self.error))

    @property
    def largest(self) -> Any:
        """Largest deviation that the measurement allows, its absolute value plus limit times error; float or array."""
        return plain(np.asarray(np.abs(self.deviation) + self._allowed()))

    @property
    def verdict(self) -> Any:
        """``"agrees"``, ``"disagrees"`` or ``"too blunt to say"``: a string, or an array of them."""
        return plain(verdicts.single(self.deviation, self._allowed(), self.resolution))

    @property
    def overall(self) -> str:
        """Joint verdict on all comparisons, whose limit is raised to keep the rate of false disagreements."""
        raised = self._allowed(self.predicted.size)
        return verdicts.together(self.deviation, self._allowed(), raised, self.resolution)

    @property
    def why(self) -> Any:
        """The verdict and its reason in one line of text: a string, or an array of strings."""
        lines = [
            verdicts.sentence(float(single.deviation), float(single.error), single.limit,
                              float(single.repetitions), float(single.resolution))
            for single in self
        ]  # fmt: skip
        return plain(np.array(lines).reshape(self.predicted.shape))

    def _allowed(self, comparisons: int = 1) -> Array:
        """Return the deviations ``[...]`` that chance allows for the largest of several ``comparisons``."""
        tail = verdicts.tail(self.threshold, comparisons)
        return verdicts.allowed(self.standard_error, self.prediction_error, self.repetitions, tail)

    def __iter__(self) -> Iterator[Comparison]:
        """Yield the single comparisons."""
        for index in range(self.predicted.size):
            single: dict[str, Any] = {
                name: np.asarray(getattr(self, name).ravel()[index]) for name in ARRAYS
            }
            yield replace(self, names=self.names[index : index + 1], **single)

    def of(self, quantity: str, label: str, relation: Relation = "=") -> Measured:
        """Return a single comparison as a measured number; a ValueError if there are several."""
        if self.predicted.size != 1:
            raise ValueError(f"comparison: got {self.predicted.size} numbers, needs one")
        n = float(self.repetitions.item())
        return Measured(
            quantity, label, self.measured.item(), self.standard_error.item(), n if np.isfinite(n) else None,
            self.predicted.item(), relation, self.resolution.item(), self.prediction_error.item(),
        )  # fmt: skip

    def to_dataframe(self) -> pd.DataFrame:
        """Return a table with one row for each comparison, with everything that its verdict rests on."""
        import pandas as pd

        names = self.names or tuple(str(index) for index in range(self.predicted.size))
        values = {
            name: np.ravel(np.broadcast_to(getattr(self, name), self.predicted.shape))
            for name in COLUMNS
        }
        return pd.DataFrame({"name": names, **values})

    def _draw(self, ax: Axes) -> None:
        """Draw measurements with their errors, and predictions as dashes."""
        from bridge.plots import style

        table = self.to_dataframe()
        position = np.arange(len(table))
        ax.errorbar(
            position,
            table["measured"],
            yerr=table["error"],
            fmt="o",
            color=style.BLUE,
            label="measured",
        )
        ax.plot(
            position, table["predicted"], "_", color=style.INK, markersize=14, label="predicted"
        )
        ax.set_xticks(position, list(table["name"]), rotation=45, ha="right")
        ax.legend(frameon=False)

    def summary(self) -> str:
        """Return a table of at most 100 columns with one line per comparison, and the reason for a single verdict.

        ``n`` is the number of repetitions behind the error, or a dash for a known error.
        """
        width = min(max([len(name) for name in self.names] or [0]), NAME_WIDTH)
        lines = [" " * width + HEADS, *(single._line(width) for single in self)]
        if self.predicted.size > 1:
            disagreeing = int((np.asarray(self.verdict) == verdicts.DISAGREES).sum())
            size = self.predicted.size
            lines.append(
                f"joint verdict: {self.overall} ({disagreeing} of {size} beyond their own limit)"
            )
        else:
            lines += textwrap.wrap(next(iter(self)).why, WIDTH, subsequent_indent="  ")
        if self.relative_deviation > SKEWED:
            lines.append(SKEWED_NOTE.format(self.relative_deviation))
        return "\n".join(lines)

    def _line(self, width: int) -> str:
        """Return the line of a single comparison in the summary, with its name in ``width`` columns."""
        name = self.names[0][:width] if self.names else ""
        count = f"{self.repetitions:.3g}" if np.isfinite(self.repetitions) else "-"
        return (
            f"{name:{width}}{self.predicted:12.6g}{self.measured:12.6g}{self.error:10.2g}{self.z:7.2f}"
            f"{self.limit:7.2f}{count:>5}{self.resolution:12.2g}  {self.verdict}"
        )
