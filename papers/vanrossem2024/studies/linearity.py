"""Figure 14: how much of encoder and decoder between two points is linear, by the distance of the representations."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Traces, with_verdict
from bridge.statistics.arrays import Array
from closedform.measured import Measured
from papers.vanrossem2024 import quantities as q
from papers.vanrossem2024.studies.fitted import TWICE

BINS = 10
MAPS = ("encoder", "decoder")
HOW_COMPARED = (
    "Logarithm of odd over even part in the nearest tenth of the pairs over that in the farthest, against 0: above it, "
    "near pairs are the more linear ones. Errors are over networks."
)
LOOKS = {"at initialisation": style.TEAL, "first record": style.PURPLE, "at the end": style.BLUE}


@dataclass(frozen=True)
class Parity:
    """Odd over even part of both maps in bins of equally many pairs, from near to far."""

    label: str
    epochs: tuple[int, ...]  # that are shown: 0, the first recorded one and the last
    distance: Array = field(repr=False)  # mean of a bin, [epoch, seed, bin]
    ratio: dict[str, Array] = field(repr=False)  # median of a bin for each map, [epoch, seed, bin]

    def trend(self, which: str, epoch: int = -1) -> Array:
        """Return the logarithm of a map's ratio in the nearest bin over that in the farthest, ``[seed]``."""
        ratio = self.ratio[which][epoch]
        return np.asarray(np.log(ratio[:, 0] / ratio[:, -1]))


def analyse(traces: Traces) -> Analysis:
    """Compare the first with the second order of both maps at the end of training, and at the first record."""
    linear = tuple(parity(label, trace) for label, trace in traces.items())
    return Analysis(
        traces=traces, pictures=pictures(linear, "figure-14-epochs"), measured=trends(linear),
        how_compared=HOW_COMPARED, findings=tuple(map(finding, linear)),
    )  # fmt: skip


def parity(label: str, trace: xr.Dataset) -> Parity:
    """Sort the random pairs of a trace by the distance of their representations and compare odd with even parts."""
    if "encoder_odd" not in trace:
        raise ValueError(f"configuration {label!r}: has no random pairs; needs pairs > 0")
    chosen = sorted({0, 1, trace.sizes["epoch"] - 1})
    at = trace.isel(epoch=chosen)
    parts = {
        name: at[name].transpose("epoch", "seed", "random_pair").values
        for name in ("encoder_odd", "encoder_even", "decoder_odd", "decoder_even")
    }
    order = np.argsort(parts["encoder_odd"], axis=-1)
    bins = np.array_split(np.arange(order.shape[-1]), BINS)

    def binned(values: Array, mean: bool) -> Array:
        ordered = np.take_along_axis(values, order, axis=-1)
        rows = [
            (np.mean if mean else np.median)(ordered[..., members], axis=-1) for members in bins
        ]
        return np.stack(rows, axis=-1)

    ratio = {
        which: binned(parts[f"{which}_odd"] / parts[f"{which}_even"], mean=False) for which in MAPS
    }
    epochs = tuple(int(epoch) for epoch in at.epoch.values)
    return Parity(label, epochs, binned(2 * parts["encoder_odd"], mean=True), ratio)


def trends(linear: Sequence[Parity]) -> tuple[Measured, ...]:
    """Compare the trend of both maps with 0, at the end and at the first record; near pairs are more linear above."""
    compared = []
    for result in linear:
        moments = (-1, 1) if len(result.epochs) > 2 else (-1,)
        for epoch, which in product(moments, MAPS):
            label = f"{result.label}, epoch {result.epochs[epoch]}, {which}"
            compared.append(
                Measured.mean(q.LINEARITY, label, result.trend(which, epoch), 0.0, ">", TWICE)
            )
    return with_verdict(compared)


def pictures(linear: Sequence[Parity], name: str = "figure-14-linearity") -> tuple[Picture, ...]:
    """Return the figure of every configuration, in files that begin with ``name``."""
    return tuple(
        Picture(
            name if number == 0 else f"{name}-{number}",
            f"Odd part over even part{f', {result.label},' if len(linear) > 1 else ''} of encoder (left) and decoder "
            "(right) between random pairs of images, in ten bins of the distance of their representations; above the "
            "dashed line the linear term dominates. Medians over pairs, one line for each network. For smooth maps the "
            "parts are the first and the second order of Taylor's expansion, which Figure 14 of the paper compares.",
            draw(result),
        )
        for number, result in enumerate(linear)
    )


def draw(one: Parity) -> Figure:
    """Draw the ratios against the distance, at initialisation, after the first recorded epoch and at the end."""
    labels = [f"epoch {epoch}" for epoch in one.epochs]
    x, y = r"$\|dh\|$", "odd over even part"
    with layout.drawing(1, len(MAPS), x=x, y=y, titles=MAPS, size=(3.2, 2.4)) as (figure, axes):
        for axis, which in zip(axes.flat, MAPS, strict=True):
            for epoch, colour in enumerate(list(LOOKS.values())[: len(labels)]):
                axis.plot(
                    one.distance[epoch].T,
                    one.ratio[which][epoch].T,
                    ".-",
                    color=colour,
                    linewidth=1,
                    alpha=0.8,
                )
            axis.axhline(1.0, **style.THEORY)
            layout.logarithmic(axis, "x")
            layout.logarithmic(axis)
        looks = zip(labels, LOOKS.values(), strict=False)
        entries = [style.entry(label, color=colour, marker=".") for label, colour in looks]
        style.legend(figure, [*entries, style.theory_handle("equal parts")])
    return figure


def finding(one: Parity) -> str:
    """Return a sentence on one configuration."""
    texts = []
    for which in MAPS:
        begin, end = (np.exp(one.trend(which, epoch).mean()) for epoch in (0, -1))
        near, far = one.ratio[which][-1].mean(axis=0)[[0, -1]]
        texts.append(
            f"{which}: {near:.2g} for the nearest tenth of the pairs and {far:.2g} for the farthest at the end, a "
            f"factor of {end:.2g} ({begin:.2g} at initialisation)"
        )
    return f"Odd over even part, {one.label}: {'; '.join(texts)}."
