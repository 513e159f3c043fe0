"""The result of a forecast: curves with bands, and their score once the rest of the training is known."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from bridge import arguments
from bridge.fit.outcome import Failure, raised
from bridge.plots.result import Result
from bridge.statistics.arrays import Array
from bridge.tables.runs import TIME_NAMES
from bridge.two_point import forecast as bands
from bridge.two_point import trace as traces
from bridge.two_point.fitted import FittedTheory
from bridge.two_point.summary import WIDTH, placed_at
from bridge.two_point.trace import CURVES, Trace
from closedform import checks
from closedform.checks import arrays

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

BAND = 0.2  # opacity of a drawn band

DRAWN = 400  # times of a forecast of which only the end is given


@dataclass(frozen=True, repr=False)
class Forecast(Result):
    """The curves of the theory at given times, with bands.

    Attributes:
        t: times, ``[time]``, in the unit of the data.
        curves: ``dh2``, ``dy2`` and ``w`` of the theory, ``[seed, 3, time]``.
        low: lower ends of the bands, ``[seed, 3, time]``.
        high: upper ends, ``[seed, 3, time]``.
        level: share of networks whose whole rest is to be inside the bands.
        seen: time up to which the training has been seen, the latest over seeds.
        fit: the fit behind it.

    >>> import bridge
    >>> from empirics.experiments import two_point
    >>> trace = two_point.run(two_point.Config(depth=4, width=40, layers=(2,), epochs=800, seeds=2), progress=False)
    >>> bridge.two_point.fit(trace).forecast([900, 1000]).curves.shape
    (2, 3, 2)
    """

    t: Array = field(repr=False)
    curves: Array = field(repr=False)
    low: Array = field(repr=False)
    high: Array = field(repr=False)
    level: float
    seen: float
    fit: FittedTheory = field(repr=False)
    roots: tuple[Array, ...] = field(repr=False)

    def score(self, data: Any, *, time: str | None = None) -> Score:
        """Compare the forecast with the whole training.

        Args:
            data: the same measurement as that of the fit, with later times; see :func:`bridge.two_point.fit`.
            time: name of the time column. Default: as for the fit.

        Raises:
            ValueError: if the data have other seeds, or no point later than those that the fit has seen.
        """
        first = self.fit.trace
        return self.scored(traces.read(data, first.dx2, first.target2, first.layer, time))

    def scored(self, measured: Sequence[Trace]) -> Score:
        """Do the same for traces that were read before."""
        names, known = (
            [trace.label for trace in measured],
            [seed.trace.label for seed in self.fit.per_seed],
        )
        if names != known:
            raise ValueError(f"data: got the runs {names}, needs those of the fit, {known}")
        inside, errors = [], []
        for whole, fit, root in zip(measured, self.fit.per_seed, self.roots, strict=True):
            later = whole.t > fit.trace.t[-1]
            if not later.any():
                raise ValueError(
                    f"data: end at {whole.t[-1]:g}; needs times after {fit.trace.t[-1]:g}, the end of the fit"
                )
            curves, low, high = bands.envelope(fit, whole.t[later], root=root, level=self.level)
            truth = whole.state[:, later]
            inside.append(((truth >= low) & (truth <= high)).mean(axis=1))
            scale = np.abs(whole.state).max(axis=1)
            errors.append(np.sqrt(((curves - truth) ** 2).mean(axis=1)) / scale)
        return Score(self.level, np.array(inside), np.array(errors), tuple(names))

    def to_dataframe(self) -> pd.DataFrame:
        """Return a table with one row for each seed, curve and time."""
        import pandas as pd

        parts = []
        for index, seed in enumerate(self.fit.per_seed):
            for row, name in enumerate(CURVES):
                columns = {"theory": self.curves, "low": self.low, "high": self.high}
                values = {column: array[index, row] for column, array in columns.items()}
                parts.append(
                    pd.DataFrame({"seed": seed.trace.label, "curve": name, "t": self.t, **values})
                )
        return pd.concat(parts, ignore_index=True)

    def _draw(self, ax: Axes) -> None:
        draw(self, ax)

    def summary(self) -> str:
        """Return a few lines of text: the ends of the bands at the last time."""
        seeds = "1 seed" if len(self.curves) == 1 else f"{len(self.curves)} seeds"
        lines = [
            f"forecast of two points from {self.seen:g} to {self.t[-1]:g}, {seeds}",
            f"the bands are meant to hold the whole rest of {self.level:.0%} of networks",
            f"{'at the end':14}{'theory':>12}{'low':>12}{'high':>12}",
        ]
        ends = np.stack([self.curves, self.low, self.high], axis=-1)[:, :, -1]
        for seed, of_seed in zip(self.fit.per_seed, ends, strict=True):
            for name, numbers in zip(CURVES, of_seed, strict=True):
                lines.append(
                    f"{seed.trace.label[:8]:9}{name:5}"
                    + "".join(f"{number:12.4g}" for number in numbers)
                )
        place = placed_at(self.fit.trace, "two_point.forecast_distance")
        return "\n".join([*lines, *textwrap.wrap(place, WIDTH, subsequent_indent="    ")])


@dataclass(frozen=True, repr=False)
class Score(Result):
    """How well a forecast did.

    Attributes:
        level: level of the bands.
        inside: share of the later points inside the band, ``[seed, 3]``.
        errors: root mean square difference at later points, relative to the largest value of the curve, ``[seed, 3]``.
        labels: names of the runs.
    """

    level: float
    inside: Array = field(repr=False)
    errors: Array = field(repr=False)
    labels: tuple[str, ...] = field(repr=False)

    @property
    def held(self) -> tuple[bool, ...]:
        """Whether the whole rest of all three curves was inside the bands, for each seed."""
        return tuple(bool(whole) for whole in (self.inside == 1).all(axis=1))

    def to_dataframe(self) -> pd.DataFrame:
        """Return a table with one row for each seed and curve."""
        import pandas as pd

        rows = [
            (label, name, self.inside[seed, row], self.errors[seed, row])
            for (seed, label), (row, name) in product(enumerate(self.labels), enumerate(CURVES))
        ]
        return pd.DataFrame(rows, columns=["seed", "curve", "inside", "error"])

    def summary(self) -> str:
        """Return a few lines of text."""
        lines = [
            f"forecast scored: the whole rest of {sum(self.held)} of {len(self.held)} seeds is inside the bands "
            f"(meant for {self.level:.0%})"
        ]
        for name, share, error in zip(
            CURVES, self.inside.mean(axis=0), self.errors.mean(axis=0), strict=True
        ):
            lines.append(
                f"{name:5}{share:8.1%} of the later points inside, error {error:.2%} of the largest value"
            )
        return "\n".join(lines)


def forecast(
    fit: FittedTheory, t: Any, level: float, *, roots: Sequence[Array | Failure] | None = None
) -> Forecast:
    """Return the forecast of a fit.

    Args:
        fit: the fit.
        t: times, ``[time]``, in the unit of the data, or the last of them; or a trace or table, whose times are taken.
        level: share of networks whose whole rest is to be inside the bands, from 0.5 to 0.95.
        roots: the :func:`bridge.two_point.forecast.deviations` of its seeds. Default: computed.

    Returns:
        The curves of every seed with bands.

    Raises:
        ValueError: if a time is before the first point, the level is out of range, or a seed has no deviations.
    """
    times = arrays.real_array("t", times_of(t))
    last = max(float(seed.trace.t[-1]) for seed in fit.per_seed)
    if times.ndim == 0 and times > last:
        times = np.linspace(last, float(times), DRAWN)
    if times.ndim != 1 or times.size == 0 or times.min() < fit.trace.t[0]:
        raise ValueError(
            f"t: got shape {times.shape}, needs [time], none before the first point, {fit.trace.t[0]:g}"
        )
    level = checks.real_number("level", level, "a number from 0.5 to 0.95", least=0.5)
    if level > bands.LEVELS[-1]:
        raise ValueError(
            f"level: got {level:g}, needs a number from 0.5 to 0.95, the levels that were calibrated"
        )
    known = tuple(map(raised, bands.deviations(fit.per_seed) if roots is None else roots))
    rows = [
        bands.envelope(seed, times, root=root, level=level)
        for seed, root in zip(fit.per_seed, known, strict=True)
    ]
    curves, low, high = map(np.stack, zip(*rows, strict=True))
    return Forecast(
        t=times,
        curves=curves,
        low=low,
        high=high,
        level=level,
        seen=last,
        fit=fit,
        roots=known,
    )


def draw(forecast: Forecast, ax: Axes) -> None:
    """Draw what was seen of every seed, and its forecast with bands, into ``ax``."""
    from bridge.plots import style
    from bridge.two_point import curves

    colours = [colour for colour, _ in curves.LOOKS.values()]
    for number, seed in enumerate(forecast.fit.per_seed):
        for row, colour in enumerate(colours):
            ax.plot(seed.trace.t, seed.trace.state[row], color=colour, linewidth=curves.MEASURED)
            ends = forecast.low[number, row], forecast.high[number, row]
            ax.fill_between(forecast.t, *ends, color=colour, alpha=BAND, linewidth=0)
            ax.plot(forecast.t, forecast.curves[number, row], **style.THEORY)
    ax.axvline(forecast.seen, color=style.INK, linewidth=0.5, alpha=0.4)
    ax.set_xlabel("time (epochs)")
    entries = [*curves.handles(), style.theory_handle("forecast")]
    ax.legend(
        handles=entries, loc="lower left", bbox_to_anchor=(-0.02, 0.99), ncols=4, borderaxespad=0
    )
    share = f"bands for the whole rest of {forecast.level:.0%} of networks"
    ax.set_title(f"seen up to {forecast.seen:g}; {share}", loc="left", pad=24)


def times_of(data: Any) -> ArrayLike:
    """Return the times of a trace or table, each once (a ValueError without any); anything else as it is."""
    if not (isinstance(data, Mapping) or hasattr(data, "columns")):
        return data  # type: ignore[no-any-return]
    known = [name for name in TIME_NAMES if name in data]
    if not known:
        raise ValueError(f"t: the table has no times; needs one of {arguments.listed(TIME_NAMES)}")
    return np.unique(np.asarray(data[known[0]]))
