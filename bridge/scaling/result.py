"""What a scaling fit returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from bridge.arguments import positive_array
from bridge.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class ScalingFit:
    """A power law with an offset, ``y = A x^p + c``, fitted to data.

    Attributes:
        exponent: ``p``, dimensionless.
        interval: of the exponent, at ``level``; infinite where the data do not bound it.
        error: standard error of the exponent, to first order; one of them on either side covers less than 68 % if it
            comes from few ``repetitions`` (58 % for three), which ``bridge.compare`` allows for and ``interval`` does.
        level: share of repetitions of the whole measurement in which the interval holds the true exponent.
        prefactor: ``A``.
        offset: ``c``; the value at which it was held, if it was.
        offset_error: standard error of the offset, 0 where it was held.
        chi2: weighted sum of squares in units of the errors; nan where these were taken from the scatter.
        degrees: of freedom that are left.
        warnings: what weakens the result; empty is good.
        x: ``[point]``.
        y: ``[point]``, averages over repetitions.
        errors: ``[point]``, standard errors that served as weights.
        samples: ``[point, repetition]``, or None.
    """

    exponent: float
    interval: tuple[float, float]
    error: float
    level: float
    prefactor: float
    offset: float
    offset_error: float
    chi2: float
    degrees: int
    warnings: tuple[str, ...]
    x: Array = field(repr=False)
    y: Array = field(repr=False)
    errors: Array = field(repr=False)
    samples: Array | None = field(repr=False, default=None)

    @property
    def repetitions(self) -> float:
        """How many repetitions ``error`` is worth, for ``bridge.compare(..., error=, repetitions=)``.

        The columns of ``y``; without them, one more than the degrees of freedom; infinite for stated errors.
        """
        if self.samples is not None:
            return float(self.samples.shape[1])
        return np.inf if np.isfinite(self.chi2) else float(self.degrees + 1)

    def predict(self, x: ArrayLike) -> Array:
        """The fitted curve at positive ``x``, in the shape of ``x``.

        Raises:
            ValueError: for x that are not positive and finite.
        """
        at = positive_array("x", x)
        return np.asarray(self.prefactor * at**self.exponent + self.offset)

    def summary(self) -> str:
        """A few lines of text, at most 100 columns."""
        low, high = self.interval
        offset = f"{self.offset:.4g} +- {self.offset_error:.2g}" if self.offset_error else f"{self.offset:.4g} (held)"
        lines = [
            f"y = A x^p + c, {self.x.size} points, x from {self.x.min():.4g} to {self.x.max():.4g}",
            f"p = {self.exponent:.4f} +- {self.error:.2g}, {self.level:.0%} interval [{low:.4f}, {high:.4f}]",
            f"A = {self.prefactor:.4g}, c = {offset}",
        ]
        if np.isfinite(self.repetitions):
            covered = 1 - 2 * float(stats.t.sf(1, self.repetitions - 1))
            source = "repetitions" if self.samples is not None else "degrees of freedom and one more"
            lines.append(f"errors from {self.repetitions:g} {source}: one on either side covers {covered:.0%}")
        if np.isfinite(self.chi2):
            lines.append(f"chi^2 = {self.chi2:.3g} at {self.degrees} degrees of freedom")
        return "\n".join(lines + [f"warning: {warning}" for warning in self.warnings])

    def plot(self, ax: Axes | None = None) -> Figure:
        """Points with errors and the curve over them, both without the offset, in log-log."""
        from bridge.scaling.plot import draw

        return draw(self, ax)
