"""The fit of the command ``closedform fit two-point FILE``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.results.analyses import Fit
from bridge.tables import table
from bridge.tables.reader import load
from bridge.tables.runs import TIME_NAMES
from bridge.two_point import trace as traces

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from bridge.two_point import Forecast, Score, TwoPointFit


def fit(
    file: Any,
    *,
    dx2: float | None = None,
    target2: float | None = None,
    layer: str | None = None,
    initial: str = "auto",
    fixed: str | None = None,
    seen: float | None = None,
) -> Fit:
    """Fit the two-point theory to a CSV or netCDF file with t, dh2, dy2, w (optionally loss and seed).

    Args:
        file: path of the file, or a table.
        dx2: squared distance of the two inputs, input^2. Default: from the file's attributes.
        target2: squared distance of the two target outputs, output^2. Default: from the file's attributes.
        layer: number or name of the layer, for a file with several layers. Default: the only one.
        initial: auto, data, fit, or a known initial state: dh2, dy2, w separated by commas. Default: auto.
        fixed: a known time constant, tau_h=300 or tau_y=300; the other one is fitted. Default: none.
        seen: time up to which the theory is fitted; the rest is forecast and scored. Default: all, without a forecast.
    """
    from bridge.two_point import estimate

    data = load(file)
    if layer is not None:
        layer = next((known for known in table.layers(data) if str(known) == layer), layer)
    options: dict[str, Any] = {
        "dx2": dx2,
        "target2": target2,
        "layer": layer,
        "initial": _initial(initial),
        "fixed": _fixed(fixed),
    }
    if seen is None:
        return estimate.fit(data, **options)
    early = estimate.fit(_until(data, seen), **options)
    last = max(float(trace.t[-1]) for trace in traces.read(data, dx2, target2, layer))
    forecast = early.forecast(last)
    return Forecasted(early, forecast, forecast.score(data))


def _until(data: Any, seen: float) -> Any:
    """Return the part of a Dataset or a DataFrame up to a time."""
    name = next((known for known in TIME_NAMES if known in data), None)
    if name is None:
        return data  # the fit says what is missing
    if hasattr(data, "data_vars"):
        return data.isel({data[name].dims[0]: np.flatnonzero(data[name].values <= seen)})
    return data[data[name] <= seen]


def _initial(text: str) -> str | tuple[float, ...]:
    """Return the word, or the numbers that are separated by commas."""
    if "," not in text:
        return text
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise ValueError(
            f"option --initial: got {text!r}, needs auto, data, fit or three numbers dh2,dy2,w"
        ) from None


def _fixed(text: str | None) -> dict[str, float] | None:
    """Return the name and the number of NAME=VALUE."""
    if text is None:
        return None
    name, _, value = text.partition("=")
    try:
        return {name: float(value)}
    except ValueError:
        raise ValueError(
            f"option --fixed: got {text!r}, needs tau_h=NUMBER or tau_y=NUMBER"
        ) from None


@dataclass(frozen=True)
class Forecasted:
    """A fit to the beginning of a file, the forecast of the rest, and its score."""

    fit: TwoPointFit
    forecast: Forecast
    score: Score

    def summary(self) -> str:
        """Return the tables of all three."""
        return "\n\n".join((self.fit.summary(), self.forecast.summary(), self.score.summary()))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the forecast."""
        return self.forecast.plot(ax)
