"""The figure of a fit: thin curves for the measurement of every seed, with the theory over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bridge.figures import style
from bridge.two_point import curves

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bridge.two_point.result import TwoPointFit

DRAWN = 1500  # points in time that a figure resolves
MEASURED = 0.8  # width of a seed's curve, points


def draw(fit: TwoPointFit, ax: Axes | None = None) -> Figure:
    """Draw into ``ax``, or into a new figure, and return the figure."""
    from matplotlib import pyplot as plt

    with style.context():
        if ax is None:
            _, ax = plt.subplots(figsize=(5.2, 3.4), layout="constrained", facecolor="white")
        alpha = 0.9 if len(fit.seeds) < 2 else 0.5
        for seed in fit.per_seed:
            keep = np.unique(np.linspace(0, seed.trace.t.size - 1, DRAWN).astype(int))
            for (colour, _), row in zip(curves.LOOKS.values(), seed.trace.state, strict=True):
                ax.plot(seed.trace.t[keep], row[keep], color=colour, linewidth=MEASURED, alpha=alpha)
        begin, end = fit.trace.t[0], max(seed.trace.t[-1] for seed in fit.per_seed)
        t = np.linspace(begin, end, DRAWN)
        for row in fit.predict(t):
            ax.plot(t, row, **style.THEORY)
        ax.axhline(0, color=style.INK, linewidth=0.5, alpha=0.4, zorder=0)
        ax.set_xlim(begin, end)
        ax.set_xlabel("time (epochs)")
        # The legend is above the axes, since no place inside is free for every trace.
        ax.legend(
            handles=[*curves.handles(), style.theory_handle()],
            loc="lower left",
            bbox_to_anchor=(-0.02, 0.99),
            ncols=4,
            handlelength=2.4,
            columnspacing=1.8,
            borderaxespad=0,
        )
        seeds = f"{len(fit.seeds)} seeds: " if len(fit.seeds) > 1 else ""
        constants = rf"$\tau_h = {fit.tau_h:.4g}$, $\tau_y = {fit.tau_y:.4g}$, $R^2 = {fit.r_squared:.4f}$"
        ax.set_title(seeds + constants, loc="left", pad=24)
        figure = ax.get_figure(root=True)
    assert figure is not None
    return figure
