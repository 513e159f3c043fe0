"""The log-log plot of a scaling fit, with the offset subtracted from data and curve so that the curve is straight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bridge.plots import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bridge.scaling.result import ScalingFit

MEASURED = style.BLUE


def draw(fit: ScalingFit, ax: Axes) -> None:
    """Draw the data and the fit into ``ax``."""
    sign = 1.0 if fit.prefactor >= 0 else -1.0
    above = sign * (fit.y - fit.offset)
    shown = above > 0  # a point that noise puts on the other side of the offset has no logarithm
    if fit.samples is not None:
        above_offset = sign * (fit.samples - fit.offset)
        positive = np.where(above_offset > 0, above_offset, np.nan)
        ax.plot(fit.x, positive, ".", color=MEASURED, markersize=3, alpha=0.35, markeredgewidth=0)
    lower = np.minimum(fit.errors, 0.999 * np.where(shown, above, 1.0))
    bars = [lower[shown], fit.errors[shown]]
    ax.errorbar(fit.x[shown], above[shown], yerr=bars, fmt="o", color=MEASURED, markersize=4, elinewidth=1,
                zorder=3)  # fmt: skip
    x = np.geomspace(fit.x.min() / 1.15, fit.x.max() * 1.15, 200)
    ax.plot(x, sign * (fit.predict(x) - fit.offset), color=style.INK, zorder=2)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlabel("$x$")
    minus = "" if fit.offset == 0 else (" - " if fit.offset > 0 else " + ") + f"{abs(fit.offset):.3g}"
    ax.set_ylabel(f"$y{minus}$" if sign > 0 else f"$-(y{minus})$")
    low, high = fit.interval
    ax.set_title(f"$p = {fit.exponent:.3f}$, {fit.level:.0%} in [{low:.3f}, {high:.3f}]", loc="left")
