"""A fit to look at: what was measured, every seed thin, and the theory over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bridge.two_point.trace import CURVES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bridge.two_point.result import TwoPointFit

COLOURS = dict(zip(CURVES, ("#0072B2", "#D55E00", "#009E73"), strict=True))  # Okabe and Ito: safe for the colour-blind
LABELS = dict(zip(CURVES, (r"$\|dh\|^2$", r"$\|dy\|^2$", r"$w$"), strict=True))
DRAWN = 1500  # points in time that a figure resolves
INK = "#222222"


def draw(fit: TwoPointFit, ax: Axes | None = None) -> Figure:
    """Draw into ``ax``, or into a new figure, and return the figure."""
    from matplotlib import pyplot as plt
    from matplotlib.lines import Line2D

    if ax is None:
        _, ax = plt.subplots(figsize=(5.2, 3.4), layout="constrained")
    alpha = 0.75 if len(fit.seeds) < 2 else 0.45
    for each in fit.per_seed:
        keep = np.unique(np.linspace(0, each.trace.t.size - 1, DRAWN).astype(int))
        for name, row in zip(CURVES, each.trace.state, strict=True):
            ax.plot(each.trace.t[keep], row[keep], color=COLOURS[name], lw=0.8, alpha=alpha)
    begin, end = fit.trace.t[0], max(each.trace.t[-1] for each in fit.per_seed)
    t = np.linspace(begin, end, DRAWN)
    for name, row in zip(CURVES, fit.predict(t), strict=True):
        ax.plot(t, row, color="white", lw=3.2, alpha=0.8)
        ax.plot(t, row, color=COLOURS[name], lw=1.6, ls=(0, (4, 1.6)))
    ax.axhline(0, color=INK, lw=0.5, alpha=0.4, zorder=0)
    ax.set_xlim(begin, end)
    ax.set_xlabel("time (epochs)")
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(direction="out", length=3)
    handles = [Line2D([], [], color=COLOURS[name], lw=2, label=LABELS[name]) for name in CURVES]
    seeds = f"measured, {len(fit.seeds)} seeds" if fit.seeds else "measured"
    handles += [
        Line2D([], [], color=INK, lw=0.8, alpha=0.7, label=seeds),
        Line2D([], [], color=INK, lw=1.6, ls=(0, (4, 1.6)), label="theory"),
    ]
    # Above the axes: inside, there is no place that every trace leaves free.
    ax.legend(
        handles=handles,
        frameon=False,
        fontsize="small",
        loc="lower left",
        bbox_to_anchor=(-0.02, 0.99),
        ncols=5,
        handlelength=1.5,
        columnspacing=1.1,
        borderaxespad=0,
    )
    ax.set_title(
        rf"$\tau_h = {fit.tau_h:.4g}$, $\tau_y = {fit.tau_y:.4g}$, $R^2 = {fit.r_squared:.4f}$",
        fontsize="medium",
        loc="left",
        color=INK,
        pad=24,
    )
    figure = ax.get_figure(root=True)
    assert figure is not None
    return figure
