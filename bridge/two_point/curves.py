"""The curves of the two-point theory: their colours and legends, and the figure of a fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.plots import style
from bridge.two_point.fitted import FittedTheory

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DRAWN = 1500  # points in time that a figure resolves
MEASURED = 0.8  # width of a seed's curve, points

LOOKS = {
    "dh2": (style.BLUE, r"$\|dh\|^2$"),
    "dy2": (style.ORANGE, r"$\|dy\|^2$"),
    "w": (style.PURPLE, r"$w$"),
}  # colour and label of each curve
LOSS = style.TEAL


def legend(figure: Figure, *, loss: bool = False) -> None:
    """Draw one legend above all panels: the three curves, the loss where it is drawn, and the theory."""
    style.legend(figure, [*handles(), *([loss_handle()] if loss else []), style.theory_handle()])


def handles() -> list[Any]:
    """Return the legend entries of the three curves."""
    return [style.entry(label, color=colour) for colour, label in LOOKS.values()]


def loss_handle() -> Any:
    """Return the legend entry of the loss."""
    return style.entry("training loss", color=LOSS)


def draw(fit: FittedTheory, ax: Axes) -> None:
    """Draw the measurement of every seed and the theory into ``ax``."""
    alpha = 0.9 if len(fit.seeds) < 2 else 0.5
    for seed in fit.per_seed:
        keep = np.unique(np.linspace(0, seed.trace.t.size - 1, DRAWN).astype(int))
        for (colour, _), row in zip(LOOKS.values(), seed.trace.state, strict=True):
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
        handles=[*handles(), style.theory_handle()],
        loc="lower left",
        bbox_to_anchor=(-0.02, 0.99),
        ncols=4,
        handlelength=2.4,
        columnspacing=1.8,
        borderaxespad=0,
    )
    seeds = f"{len(fit.seeds)} seeds: " if len(fit.seeds) > 1 else ""
    constants = (
        rf"$\tau_h = {fit.tau_h:.4g}$, $\tau_y = {fit.tau_y:.4g}$, $R^2 = {fit.r_squared:.4f}$"
    )
    ax.set_title(seeds + constants, loc="left", pad=24)
