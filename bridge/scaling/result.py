"""The result of a scaling fit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from bridge.plots.result import Result
from bridge.statistics.arrays import Array
from closedform.checks.arrays import positive_array

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True, repr=False)
class ScalingFit(Result):
    """A power law with an offset, ``y = A x^p + c``, fitted to data.

    Attributes:
        exponent: exponent ``p``, dimensionless.
        interval: confidence interval of the exponent; an end is infinite where the data do not bound it. From three
            ``repetitions`` a little narrow, as the weights come from the same ones (65 % for 68 %).
        error: standard error of the exponent, to first order. One standard error on either side covers less than 68 %
            if it comes from few ``repetitions`` (54 % for three); ``interval`` and ``bridge.compare`` account for this.
        level: confidence level of the interval.
        prefactor: prefactor ``A``, in units of y / x^p.
        offset: offset ``c``, fitted or fixed, in the unit of y.
        offset_error: standard error of the offset; 0 if it was fixed.
        chi2: sum of squared residuals in units of the errors; NaN if the errors were estimated from the residuals.
        degrees: degrees of freedom of the residuals.
        warnings: reasons to doubt the result; empty if there are none.
        x: data, ``[point]``.
        y: data or averages over repetitions, ``[point]``.
        errors: standard errors used as weights, ``[point]``.
        samples: data with repetitions, ``[point, repetition]``, or None.
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
        """Repetitions for ``bridge.compare``: those of ``y``, or else degrees of freedom plus one, or infinite."""
        if self.samples is not None:
            return float(self.samples.shape[1])
        return np.inf if np.isfinite(self.chi2) else float(self.degrees + 1)

    def predict(self, x: ArrayLike) -> Array:
        """Return the curve at positive ``x``, in its shape; TypeError or ValueError for other numbers."""
        positions = positive_array("x", x)
        return np.asarray(self.prefactor * positions**self.exponent + self.offset)

    def summary(self) -> str:
        """Return the results as a few lines of text of at most 100 columns."""
        low, high = self.interval
        offset = (
            f"{self.offset:.4g} +- {self.offset_error:.2g}"
            if self.offset_error
            else f"{self.offset:.4g} (fixed)"
        )
        lines = [
            f"y = A x^p + c with p = {self.exponent:.4f} +- {self.error:.2g}, "
            f"{self.level:.0%} interval [{low:.4f}, {high:.4f}]",
            f"A = {self.prefactor:.4g}, c = {offset}, {self.x.size} points, "
            f"x from {self.x.min():.4g} to {self.x.max():.4g}",
        ]
        if np.isfinite(self.repetitions):
            covered = 1 - 2 * float(special.stdtr(self.repetitions - 1, -1))
            source = (
                f"{self.repetitions:g} repetitions"
                if self.samples is not None
                else "the residuals"
            )
            lines.append(
                f"errors from {source}: one standard error on either side covers {covered:.0%}"
            )
        if np.isfinite(self.chi2):
            lines.append(f"chi^2 = {self.chi2:.3g} at {self.degrees} degrees of freedom")
        return "\n".join(lines + [f"warning: {warning}" for warning in self.warnings])

    def to_dataframe(self) -> pd.DataFrame:
        """Return a table with x, y, the error of y and the fitted curve, one row for each point."""
        import pandas as pd

        return pd.DataFrame(
            {"x": self.x, "y": self.y, "error": self.errors, "fitted": self.predict(self.x)}
        )

    def _draw(self, ax: Axes) -> None:
        """Draw data and fit with logarithmic axes, minus the offset, so that the curve is a straight line."""
        from bridge.plots import style

        sign = 1.0 if self.prefactor >= 0 else -1.0
        above = sign * (self.y - self.offset)
        # a point that noise puts on the other side of the offset has no logarithm
        shown = above > 0
        if self.samples is not None:
            above_offset = sign * (self.samples - self.offset)
            positive = np.where(above_offset > 0, above_offset, np.nan)
            ax.plot(
                self.x,
                positive,
                ".",
                color=style.BLUE,
                markersize=3,
                alpha=0.35,
                markeredgewidth=0,
            )
        lower = np.minimum(self.errors, 0.999 * np.where(shown, above, 1.0))
        bars = [lower[shown], self.errors[shown]]
        ax.errorbar(self.x[shown], above[shown], yerr=bars, fmt="o", color=style.BLUE, markersize=4, elinewidth=1,
                    zorder=3)  # fmt: skip
        x = np.geomspace(self.x.min() / 1.15, self.x.max() * 1.15, 200)
        ax.plot(x, sign * (self.predict(x) - self.offset), color=style.INK, zorder=2)
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xlabel("$x$")
        minus = (
            ""
            if self.offset == 0
            else (" - " if self.offset > 0 else " + ") + f"{abs(self.offset):.3g}"
        )
        ax.set_ylabel(f"$y{minus}$" if sign > 0 else f"$-(y{minus})$")
        low, high = self.interval
        ax.set_title(
            f"$p = {self.exponent:.3f}$, {self.level:.0%} in [{low:.3f}, {high:.3f}]", loc="left"
        )
