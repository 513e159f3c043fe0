"""Panels that several figures share: thin curves for the seeds, with the theory dashed over them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.plots import style
from bridge.two_point import curves, pairs
from closedform.checks.arrays import Array
from papers.vanrossem2024.studies.fitted import Fitted

POINTS = 260  # points of a drawn curve: more than a panel resolves, and few enough for pages of a few megabytes


NEAR = 0.01  # distance from the final value, relative to the range of the curve, at which a curve has converged


def thin(count: int) -> NDArray[np.int64]:
    """Return the indices of at most ``POINTS`` of ``count`` times, first and last among them."""
    return np.unique(np.linspace(0, count - 1, min(count, POINTS)).round().astype(np.int64))


def dynamics(axes: Any, fitted: Fitted, *, title: str = "") -> None:
    """Draw the curves of every seed against the epoch, each seed's theory dashed over them; title: name and R²."""
    measured = _curves(fitted)
    shown = thin(settled(fitted))
    epoch = fitted.trace.step.values[shown].astype(np.float64)
    for values, (colour, _) in zip(measured, curves.LOOKS.values(), strict=True):
        axes.plot(epoch, values[:, shown].T, color=colour, linewidth=1.7, alpha=0.75)
    for fit in fitted.fit.per_seed:
        axes.plot(epoch, fit.predict(epoch).T, **_theory())
    _limit(axes, measured)
    finish(axes, title or f"{fitted.label}\n$R^2$ = {fitted.fit.r_squared:.3f}")


def losses(axes: Any, fitted: Fitted, *, title: str = "") -> None:
    """Draw the training loss of every seed against the epoch, and each seed's theory (Eq. 9) dashed over it."""
    shown = thin(settled(fitted))
    epoch = fitted.trace.step.values[shown].astype(np.float64)
    values = fitted.trace["loss"].transpose("seed", "step").values
    axes.plot(epoch, values[:, shown].T, color=curves.LOSS, linewidth=1.7, alpha=0.75)
    for fit in fitted.fit.per_seed:
        if fit.mean is not None:
            axes.plot(epoch, fit.predict_loss(epoch), **_theory())
    _limit(axes, values)
    finish(axes, title)


def matrix(
    axes: Any, values: Array, ticks: Any = None, names: Any = None, *, shrink: float = 0.75
) -> Any:
    """Draw a matrix of distances ``[pair]`` with labels at ``ticks`` of both axes; return its colour bar."""
    image = axes.imshow(pairs.matrix(values), cmap="viridis", vmin=0)
    axes.grid(visible=False)
    if ticks is not None:
        axes.set_xticks(ticks, names)
        axes.set_yticks(ticks, names)
    return axes.get_figure().colorbar(image, ax=axes, shrink=shrink)


def settled(fitted: Fitted) -> int:
    """Return the number of epochs to draw: 1.5 times the time after which every curve stays near its final value."""
    measured = _curves(fitted)
    scale = np.ptp(measured, axis=2, keepdims=True)
    moving = (np.abs(measured - measured[:, :, -1:]) > NEAR * scale).any(axis=(0, 1))
    last = int(np.flatnonzero(moving)[-1]) if moving.any() else 0
    return int(min(measured.shape[2], max(1.5 * last, 10)))


def _curves(fitted: Fitted) -> Array:
    """Return the three measured curves, ``[3, seed, step]``."""
    at_layer = fitted.trace.sel(layer=fitted.layer)
    return np.stack([at_layer[name].transpose("seed", "step").values for name in curves.LOOKS])


def finish(axes: Any, title: str) -> None:
    """Set the title, the limits and few enough ticks for a narrow panel."""
    from matplotlib.ticker import MaxNLocator

    if title:
        axes.set_title(title)
    axes.margins(x=0.01)
    axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(5))


def _theory() -> dict[str, Any]:
    return {"color": style.INK, "linestyle": (0, (3, 3)), "linewidth": 0.75, "alpha": 0.9}


def _limit(axes: Any, measured: Array) -> None:
    """Limit the ordinate, so that a theory that diverges does not squeeze the measurement into a line."""
    low, high = float(np.nanmin(measured)), float(np.nanmax(measured))
    room = 0.08 * (high - low) or 1.0
    below, above = axes.get_ylim()
    axes.set_ylim(max(below, low - 4 * room), min(above, high + 4 * room))
