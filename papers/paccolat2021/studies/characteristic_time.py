"""Figure 11: characteristic time and amplification against the network scale."""

from collections.abc import Iterator, Mapping
from itertools import chain

import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bridge.compression import TimeLaw, time_law
from bridge.compression import trace as read
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Doubt, Picture, Table, Traces, table_of
from bridge.statistics.arrays import Array
from papers.paccolat2021 import quantities as q
from papers.paccolat2021.studies.families import doubts, families, log_axes

FEATURE = 1e-3  # largest network scale to which the law is applied

READING = {
    "Characteristic time": "t*, when the first 10 % of the training points are fitted, in units of τ = h√(d/2).",
    "Offset": "derived for infinitely many neurons. −log of a mean over few of them is larger on average (Jensen), so "
    "that narrow networks are later, at any α; the slope does not know of it.",
    "Network scale": "α multiplies the network's output: the smaller it is, the longer the weights must grow.",
}
HOW_COMPARED = (
    "Slope and offset of t* in log(1/α), fitted realisation by realisation, against the derived law: half the growth "
    "time of the fastest attractor, and the offset from neurons drawn and followed to that attractor."
)


def analyse(traces: Traces) -> Analysis:
    """Analyse t* in every dimension against its derived law, and Λ*."""
    groups = families(traces)
    laws = {}
    for name, group in groups.items():
        small = {
            label: trace
            for label, trace in group.items()
            if read.config_of(trace).alpha <= FEATURE
        }
        if len(small) > 1 and all(
            read.config_of(trace).labels == "stripes" for trace in small.values()
        ):
            laws[name] = time_law(small)
    tables = (table(laws),) if laws else ()
    picture = Picture(
        "figure-11-scales",
        "Against the network scale, every realisation: characteristic time; the same less the derived law (line: mean, "
        "band: standard error of the derived offset); global amplification factor at t*. Dashed: the derived law, "
        "slope and offset; nothing is fitted. Dimensions are set apart a little. As Figure 11 of the paper.",
        draw(groups, laws),
    )
    return Analysis(
        traces=dict(traces),
        pictures=(picture,),
        tables=tables,
        measured=tuple(chain.from_iterable(table.measured for table in tables)),
        how_compared=HOW_COMPARED,
        doubts=(*doubts(traces), *_doubts(laws)),
        theory=("compression.growth_time",),
        reading=READING,
    )


def table(laws: Mapping[str, TimeLaw]) -> Table:
    """Return slopes and offsets with the derived ones."""
    return table_of(
        "compression-time", "Law of the characteristic time", "Times in units of τ.", laws.items(),
        (
            ("labels", lambda row: row[0]),
            ("slope", lambda row: row[1].slope.of(q.TIME_SLOPE, row[0])),
            (r"$\tau^*/2\tau$", lambda row: row[1].theory.slope),
            ("ratio", lambda row: row[1].slope.measured.item() / row[1].theory.slope),
            ("offset", lambda row: row[1].offset.of(q.TIME_OFFSET, row[0])),
            ("derived offset", lambda row: row[1].theory.offset),
            ("error of the derived offset", lambda row: row[1].theory.offset_error),
        ),
    )  # fmt: skip


def draw(groups: Mapping[str, Traces], laws: Mapping[str, TimeLaw]) -> Figure:
    """Draw t*, its difference from the derived law, Λ* and, where there is one, the test error against α."""
    test = any("test_error_at" in trace for trace in _all_traces(groups))
    labels = (
        r"$t^*/\tau$",
        r"$t^*/\tau$ less the derived law",
        r"$\Lambda^*$",
        *(["test error"] if test else []),
    )
    x = r"network scale $\alpha$"
    with layout.drawing(1, len(labels), x=x, y=labels, size=(2.7, 2.5)) as (figure, axes):
        time, rest, factor = axes[0, :3]
        for number, (name, group) in enumerate(groups.items()):
            colour, aside = (
                style.COLOURS[number % len(style.COLOURS)],
                2.0 ** (number - len(groups) / 2),
            )
            inside = sorted(group.values(), key=lambda trace: read.config_of(trace).alpha)
            alpha = np.array([read.config_of(trace).alpha for trace in inside])
            times = np.stack([read.at_first_share(trace, "time") for trace in inside])
            _dots(time, alpha * aside, times, colour, name)
            _dots(
                factor,
                alpha * aside,
                np.stack([read.at_first_share(t, "amplification") for t in inside]),
                colour,
            )
            if name in laws:
                law = laws[name].theory
                small = alpha <= FEATURE
                derived = np.array([law(scale) for scale in alpha[small]])
                time.plot(alpha[small], derived, color=colour, linestyle=style.DASHED, linewidth=1)
                _dots(rest, alpha[small] * aside, times[small] - derived[:, None], colour)
                rest.plot(
                    alpha[small] * aside,
                    (times[small] - derived[:, None]).mean(axis=1),
                    color=colour,
                    linewidth=1,
                )
                rest.axhspan(
                    -law.offset_error, law.offset_error, color=colour, alpha=0.08, linewidth=0
                )
            if test:
                _dots(
                    axes[0, 3],
                    alpha,
                    np.stack([t["test_error_at"].isel(share=-1).values for t in inside]),
                    colour,
                )
        rest.axhline(0, color=style.INK, linestyle=style.DASHED, linewidth=1)
        layout.logarithmic(factor)
        for axis in axes[0]:
            log_axes(axis, y=False)
        if test:
            log_axes(axes[0, 3])
        if not _small(groups):
            log_axes(time)
        time.legend(fontsize=7)
    return figure


def _small(groups: Mapping[str, Traces]) -> bool:
    return all(read.config_of(trace).alpha <= FEATURE for trace in _all_traces(groups))


def _all_traces(groups: Mapping[str, Traces]) -> Iterator[xr.Dataset]:
    """Return the traces of all groups."""
    for group in groups.values():
        yield from group.values()


def _dots(axis: Axes, alpha: Array, values: Array, colour: str, name: str | None = None) -> None:
    """Draw every realisation ``values [scale, seed]`` as a disc, with one entry of the legend."""
    at = np.broadcast_to(alpha[:, None], values.shape)
    axis.plot(
        at.ravel(),
        values.ravel(),
        "o",
        color=colour,
        markersize=2,
        alpha=0.6,
        linewidth=0,
        label=name,
    )


def _doubts(laws: Mapping[str, TimeLaw]) -> list[Doubt]:
    return [
        Doubt(
            name,
            f"mean t* bends away from a straight line by {law.bend:.2g} τ: α is not small throughout",
        )
        for name, law in laws.items()
        if law.bend > 0.5
    ]
