r"""Appendix A.6: the distribution of the final distance over random initial weights.

The appendix assumes that :math:`\|dh(0)\|^2/\|x_2 - x_1\|^2` and :math:`\|dy(0)\|^2/\|dh(0)\|^2` are Gaussian with mean
and standard deviation G. Its law is compared with networks in two ways: as it is, with G from the mean of the first
ratio, and with the initial state of each network in Eq. (10), which leaves out that assumption. The ratio of the rates
is one number for all networks of a configuration, from their median final distance.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from scipy import stats

from bridge import arguments
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Doubt, Picture, Traces, table_of
from bridge.statistics.arrays import Array
from bridge.statistics.resampled import resampled
from closedform.measured import Measured
from papers.vanrossem2024 import quantities as q

FEWEST = 10  # networks; fewer do not show the shape of a distribution
MOVING = 0.01  # relative change over the last tenth of the training from which a distance has not settled
FORMS = (
    "two_point.final_distance",
    "two_point.final_distance_cdf",
    "two_point.final_distance_density",
)


@dataclass(frozen=True)
class Distances:
    """Squared distances in the networks of one configuration."""

    label: str
    dx2: float
    target2: float
    start: Array = field(repr=False)  # of the representations before training, [seed]
    outputs: Array = field(repr=False)  # of the outputs before training, [seed]
    end: Array = field(repr=False)  # of the representations after training, [seed]
    # relative change of these over the last tenth of the training, [seed]
    moved: Array = field(repr=False)

    @property
    def gain(self) -> float:
        """G: mean of the first ratio over networks."""
        return float((self.start / self.dx2).mean())

    @property
    def ratio(self) -> float:
        """τ_y/τ_h at which Eq. (10) has the measured median at the median initial state."""
        h, start, outputs = (
            float(np.median(values)) for values in (self.end, self.start, self.outputs)
        )
        # h² - h (dh2_0 - ratio dx2 dy2_0/dh2_0) - ratio dx2 target2 = 0 is linear in the ratio
        return h * (h - start) / (self.dx2 * (self.target2 - h * outputs / start))

    @property
    def predicted(self) -> Array:
        """Final distances of Eq. (10) from the initial state of each network, ``[seed]``."""
        from theory import catalogue

        form = catalogue()["two_point.final_distance"]
        return np.asarray(
            form(
                dh2_0=self.start,
                dy2_0=self.outputs,
                tau_h=1.0,
                tau_y=self.ratio,
                dx2=self.dx2,
                target2=self.target2,
            )
        )

    def law(self, name: str, h: Array) -> Array:
        """Return the ``"cdf"`` or ``"density"`` of the appendix at squared distances ``h``, in their shape."""
        from theory import catalogue

        form = catalogue()[f"two_point.final_distance_{name}"]
        return np.asarray(
            form(
                h=h,
                gain=self.gain,
                tau_h=1.0,
                tau_y=self.ratio,
                dx2=self.dx2,
                target2=self.target2,
            )
        )

    @property
    def explained(self) -> float:
        """Rank correlation over networks of the final distances with those of Eq. (10)."""
        return float(stats.spearmanr(self.predicted, self.end).statistic)

    @property
    def spread(self) -> float:
        """Standard deviation of the law of the appendix, by summation over its density."""
        h = np.linspace(1e-6, self.end.max() + 10 * self.gain * self.dx2, 20_001)
        weights = self.law("density", h)
        weights = weights / weights.sum()
        mean = float((weights * h).sum())
        return float(np.sqrt((weights * (h - mean) ** 2).sum()))


def distances(label: str, trace: xr.Dataset) -> Distances:
    """Return the distances at both ends of the training; a ValueError for a trace of fewer than ten networks."""
    arguments.dataset(
        trace, "the experiment two_point", ("dh2", "dy2"), attributes=("dx2", "target2")
    )
    inside = trace["dh2"].isel(layer=0).transpose("seed", "step").values.astype(np.float64)
    if len(inside) < FEWEST:
        raise ValueError(
            f"trace: got {len(inside)} networks, needs at least {FEWEST} for a distribution"
        )
    late = inside[:, int(0.9 * inside.shape[1])]
    return Distances(
        label, float(trace.attrs["dx2"]), float(trace.attrs["target2"]), inside[:, 0],
        trace["dy2"].transpose("seed", "step").values[:, 0].astype(np.float64), inside[:, -1],
        np.abs(inside[:, -1] / late - 1),
    )  # fmt: skip


def analyse(traces: Traces) -> Analysis:
    """Compare the spread of final distances with the law of the appendix and with Eq. (10) network by network."""
    results = [distances(label, trace) for label, trace in traces.items()]
    caption = "Squared distances; errors by jackknife over networks. KS: Kolmogorov and Smirnov's test of Eq. (47)."
    rows = [(result, *scatter(result)) for result in results]
    spread = table_of(
        "random_weights", "Spread of final distances", caption, rows,
        (
            ("configuration", lambda row: row[0].label),
            ("networks", lambda row: len(row[0].end)),
            ("$G$", lambda row: row[0].gain),
            ("std over mean of the first ratio", lambda row: row[2]),
            ("std of the final distance", lambda row: row[1]),
            ("Eq. (48)", lambda row: row[1].predicted),
            ("Eq. (10), each network", lambda row: float(row[0].predicted.std(ddof=1))),
            ("rank correlation with it", lambda row: row[0].explained),
            ("KS, $P$", lambda row: float(stats.kstest(row[0].end, lambda h: row[0].law("cdf", np.asarray(h))).pvalue)),
        ),
    )  # fmt: skip
    return Analysis(
        traces=traces,
        pictures=(
            Picture(
                "a6-final-distances",
                "Distribution of the squared final distance over networks (steps), the law of appendix A.6 with G from "
                "the mean initial distance (dashed), and Eq. (10) from the initial state of every network (thin).",
                draw(results),
            ),
        ),
        tables=(spread,),
        measured=spread.measured,
        how_compared=(
            "The spread over networks against that of Eq. (48), and the spread of the initial distances over their "
            "mean against 1, which the appendix assumes; errors by jackknife over networks."
        ),
        doubts=tuple(_doubts(results)),
        theory=FORMS,
    )


def _doubts(results: Iterable[Distances]) -> Iterator[Doubt]:
    for result in results:
        moving = int((result.moved > MOVING).sum())
        if moving:
            yield Doubt(result.label, f"{moving} networks still change by more than {MOVING:.0%}")


def scatter(result: Distances) -> tuple[Measured, Measured]:
    """Compare the spread of the final distances with Eq. (48), and the relative one of the initial ones with 1."""
    spread = resampled(result.end, lambda rows: float(rows.std(ddof=1)))
    shape = resampled(result.start, lambda rows: float(rows.std(ddof=1) / rows.mean()))
    return (
        spread.in_unit(q.SPREAD, result.label, result.spread),
        shape.in_unit(q.SHAPE, result.label, 1.0),
    )


def draw(results: list[Distances]) -> Figure:
    """Draw the three distribution functions, one panel for each configuration."""
    x = r"squared final distance $\|dh(\infty)\|^2$"
    with layout.drawing_of(len(results), 3, x=x, y="share of networks below") as (figure, axes):
        for panel, result in zip(axes, results, strict=True):
            largest = 1.25 * max(result.end.max(), result.predicted.max())
            h = np.linspace(1e-4, largest, 400)
            share = np.arange(1, len(result.end) + 1) / len(result.end)
            panel.step(
                np.sort(result.end), share, where="post", color=style.BLUE, label="networks"
            )
            panel.step(np.sort(result.predicted), share, where="post", color=style.ORANGE, linewidth=0.9,
                       label="Eq. (10), each network")  # fmt: skip
            panel.plot(h, result.law("cdf", h), **style.THEORY, label="Eq. (47)")
            panel.set(xlim=(0, largest), title=result.label)
        style.legend(figure)
    return figure
