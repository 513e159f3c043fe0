"""The result of a forecast: curves with bands, and their score once the rest of the training is known."""

from __future__ import annotations

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
from bridge.tables.table import TIME_NAMES
from bridge.two_point import forecast as bands
from bridge.two_point import trace as traces
from bridge.two_point.trace import CURVES, Trace
from closedform import checks
from closedform.checks import arrays

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from bridge.two_point.result import TwoPointFit


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
    fit: TwoPointFit = field(repr=False)
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
        names, known = [one.label for one in measured], [one.trace.label for one in self.fit.per_seed]
        if names != known:
            raise ValueError(f"data: got the runs {names}, needs those of the fit, {known}")
        inside, errors = [], []
        for one, fit, root in zip(measured, self.fit.per_seed, self.roots, strict=True):
            later = one.t > fit.trace.t[-1]
            if not later.any():
                raise ValueError(
                    f"data: end at {one.t[-1]:g}; needs times after {fit.trace.t[-1]:g}, the end of the fit"
                )
            curves, low, high = bands.envelope(fit, one.t[later], root, self.level)
            truth = one.state[:, later]
            inside.append(((truth >= low) & (truth <= high)).mean(axis=1))
            scale = np.abs(one.state).max(axis=1)
            errors.append(np.sqrt(((curves - truth) ** 2).mean(axis=1)) / scale)
        return Score(self.level, np.array(inside), np.array(errors), tuple(names))

    def to_dataframe(self) -> pd.DataFrame:
        """Return a table with one row for each seed, curve and time."""
        import pandas as pd

        rows = [
            pd.DataFrame(
                {"seed": one.trace.label, "curve": name, "t": self.t, "theory": self.curves[seed, row],
                 "low": self.low[seed, row], "high": self.high[seed, row]}
            )
            for (seed, one), (row, name) in product(enumerate(self.fit.per_seed), enumerate(CURVES))
        ]  # fmt: skip
        return pd.concat(rows, ignore_index=True)

    def _draw(self, ax: Axes) -> None:
        from bridge.two_point.curves import draw_forecast

        draw_forecast(self, ax)

    def summary(self) -> str:
        """Return a few lines of text: the ends of the bands at the last time."""
        seeds = "1 seed" if len(self.curves) == 1 else f"{len(self.curves)} seeds"
        lines = [
            f"forecast of two points from {self.seen:g} to {self.t[-1]:g}, {seeds}",
            f"the bands are meant to hold the whole rest of {self.level:.0%} of networks",
            f"{'at the end':14}{'theory':>12}{'low':>12}{'high':>12}",
        ]
        for seed, one in enumerate(self.fit.per_seed):
            for row, name in enumerate(CURVES):
                ends = (part[seed, row, -1] for part in (self.curves, self.low, self.high))
                lines.append(f"{one.trace.label[:8]:9}{name:5}" + "".join(f"{end:12.4g}" for end in ends))
        return "\n".join(lines)


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
        for name, share, error in zip(CURVES, self.inside.mean(axis=0), self.errors.mean(axis=0), strict=True):
            lines.append(f"{name:5}{share:8.1%} of the later points inside, error {error:.2%} of the largest value")
        return "\n".join(lines)


def forecast(fit: TwoPointFit, t: Any, level: float, given: Sequence[Array | Failure] | None = None) -> Forecast:
    """Return the forecast of a fit at times ``t``, with ``given`` :func:`bridge.two_point.forecast.deviations`."""
    times = arrays.real_array("t", times_of(t))
    if times.ndim != 1 or times.size == 0 or times.min() < fit.trace.t[0]:
        raise ValueError(f"t: got shape {times.shape}, needs [time], none before the first point, {fit.trace.t[0]:g}")
    level = checks.real_number("level", level, "a number from 0.5 to 0.95", least=0.5)
    if level > bands.LEVELS[-1]:
        raise ValueError(f"level: got {level:g}, needs a number from 0.5 to 0.95, the levels that were calibrated")
    roots = tuple(raised(root) for root in (bands.deviations(fit.per_seed) if given is None else given))
    rows = [bands.envelope(one, times, root, level) for one, root in zip(fit.per_seed, roots, strict=True)]
    curves, low, high = map(np.stack, zip(*rows, strict=True))
    return Forecast(
        t=times,
        curves=curves,
        low=low,
        high=high,
        level=level,
        seen=max(float(one.trace.t[-1]) for one in fit.per_seed),
        fit=fit,
        roots=roots,
    )


def times_of(data: Any) -> ArrayLike:
    """Return the times of a trace or table, each once (a ValueError without any); anything else as it is."""
    if not (isinstance(data, Mapping) or hasattr(data, "columns")):
        return data  # type: ignore[no-any-return]
    name = next((name for name in TIME_NAMES if name in data), None)
    if name is None:
        raise ValueError(f"t: the table has no times; needs one of {arguments.listed(TIME_NAMES)}")
    return np.unique(np.asarray(data[name]))
