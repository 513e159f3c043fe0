"""Figures 4 and 14: two digits within a large data set against the theory, and how linear the maps are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Picture, Table, Traces, table_of, with_verdict
from bridge.statistics.arrays import Array
from bridge.two_point import TwoPointFit, curves, pairs
from closedform.measured import Measured
from papers.vanrossem2024 import quantities as q
from papers.vanrossem2024.studies import linearity
from papers.vanrossem2024.studies.fitted import MISSES, TWICE, geometric_mean

# distinct digits, as in Figure 4, and similar ones
DIGITS = {"0 and 1": (0, 1), "3 and 8": (3, 8)}
EACH = 6  # pairs of every kind and network, drawn at random
DRAW = 0  # seed of the draw
DRAWN = 4  # pairs in the figure
ROUNDING = 1e-15
HOW_COMPARED = (
    "Logarithm of the share of the variance of the three curves that the theory with two fitted constants misses, mean "
    "over pairs of a network, against a tenth: below it the theory describes the pairs. Errors are over networks."
)


@dataclass(frozen=True)
class Followed:
    """One pair of digits in one network, with the theory fitted to it from the network's own initial state."""

    digits: tuple[int, int]
    seed: int  # position of the network
    columns: Mapping[str, Array] = field(repr=False)  # t, dh2, dy2, w, [epoch]
    fit: TwoPointFit = field(repr=False)


def analyse(traces: Traces) -> Analysis:
    """Fit the theory to pairs of digits, and compare the first with the second order of both maps."""
    followed = tuple(chain.from_iterable(follow(label, trace) for label, trace in traces.items()))
    linear = tuple(linearity.parity(label, trace) for label, trace in traces.items())
    pictures = (
        Picture(
            "figure-04-mnist-pairs",
            "Two images of MNIST, a zero and a one, while a network learns all digits. Dashed: the theory of two "
            "points with two fitted constants, from the pair's initial state. As Figure 4 of the paper, for several "
            "pairs.",
            draw([pair for pair in followed if pair.digits == (0, 1)][:DRAWN]),
        ),
        *linearity.pictures(linear),
    )
    unexplained = (
        Measured.mean(q.UNEXPLAINED_CURVES, name, _shares(followed, digits), MISSES, "<", TWICE)
        for name, digits in DIGITS.items()
    )
    return Analysis(
        traces=traces,
        pictures=pictures,
        tables=(_table(followed),),
        measured=(*with_verdict(unexplained), *linearity.trends(linear)),
        how_compared=HOW_COMPARED,
        findings=tuple(map(linearity.finding, linear)),
        theory=("two_point.dh2", "two_point.dy2", "two_point.w"),
    )


def follow(label: str, trace: xr.Dataset) -> tuple[Followed, ...]:
    """Fit the theory to random pairs of the digits of :data:`DIGITS`, the same images in every network."""
    from bridge import two_point

    pairs.checked(label, trace)
    rng = np.random.default_rng(DRAW)
    digit = trace.point_digit.values.astype(int)
    followed = []
    for digits in DIGITS.values():
        places = [np.flatnonzero(digit == value) for value in digits]
        if not all(len(images) for images in places):
            raise ValueError(
                f"configuration {label!r}: no image of {digits} is recorded; needs more recorded points"
            )
        for a, b in zip(*(rng.choice(images, EACH) for images in places), strict=True):
            dx2, target2, curves_of = _curves(trace, int(a), int(b))
            for seed, columns in enumerate(curves_of):
                fit = two_point.fit(columns, dx2=dx2, target2=target2, initial="data")
                followed.append(Followed(digits, seed, columns, fit))
    return tuple(followed)


def _curves(trace: xr.Dataset, a: int, b: int) -> tuple[float, float, list[dict[str, Array]]]:
    """Return dx2, target2 and, for every network, the curves of a pair of recorded points."""
    first, second = pairs.ends(trace)
    pair = int(np.flatnonzero((first == min(a, b)) & (second == max(a, b)))[0])
    dh2 = trace.distance2.isel(pair=pair).transpose("seed", "epoch").values
    outputs = trace.outputs.transpose("seed", "epoch", "point", "output").values
    dy = outputs[:, :, b] - outputs[:, :, a]
    target = trace.target.values[b] - trace.target.values[a]
    dy2 = (dy**2).sum(axis=-1)
    w = dy2 - dy @ target
    t = trace.epoch.values.astype(np.float64)
    columns = [
        {"t": t, "dh2": dh2[seed], "dy2": dy2[seed], "w": w[seed]} for seed in range(len(dh2))
    ]
    return float(trace.input_distance2[pair]), float(target @ target), columns


def draw(followed: Sequence[Followed]) -> Figure:
    """Draw Figure 4: the three curves of every pair over the theory, the representation on an axis of its own."""
    labels: layout.Look = {
        "x": "training time (epochs)",
        "y": r"$\|dy\|^2$, $w$  (right: $\|dh\|^2$)",
    }
    with layout.drawing_of(len(followed), DRAWN, **labels, size=(2.35, 2.1)) as (figure, axes):
        for number, (axis, pair) in enumerate(zip(axes, followed, strict=True)):
            which = sum(earlier.seed == pair.seed for earlier in followed[: number + 1])
            right = axis.twinx()
            t = pair.columns["t"]
            fine = np.linspace(t[0], t[-1], 300)
            theory = pair.fit.predict(fine)
            for (name, (colour, _)), dashed in zip(curves.LOOKS.items(), theory, strict=True):
                on = right if name == "dh2" else axis
                on.plot(t, pair.columns[name], color=colour, linewidth=1.7, alpha=0.8)
                on.plot(fine, dashed, **style.THEORY)
            right.tick_params(axis="y", colors=curves.LOOKS["dh2"][0])
            right.grid(visible=False)
            axis.set_title(f"pair {which}, network {pair.seed}\n$R^2$ = {pair.fit.r_squared:.3f}")
        curves.legend(figure)
    return figure


def _shares(followed: Sequence[Followed], digits: tuple[int, int]) -> Array:
    """Return the mean logarithm of the unexplained share over the pairs of every network, ``[seed]``."""
    unexplained: dict[int, list[float]] = {}
    for pair in followed:
        if pair.digits == digits:
            unexplained.setdefault(pair.seed, []).append(max(1 - pair.fit.r_squared, ROUNDING))
    return np.array([np.mean(np.log(unexplained[seed])) for seed in sorted(unexplained)])


def _table(followed: Sequence[Followed]) -> Table:
    rows = []
    for name, digits in DIGITS.items():
        rows.append((name, [pair.fit for pair in followed if pair.digits == digits]))
    caption = "Share of the variance of the three curves that the theory explains; time constants in epochs."
    return table_of(
        "mnist-pairs", "Pairs of digits", caption, rows,
        (
            ("digits", lambda row: row[0]),
            ("pairs", lambda row: len(row[1])),
            ("median $R^2$", lambda row: float(np.median([fit.r_squared for fit in row[1]]))),
            ("least", lambda row: min(fit.r_squared for fit in row[1])),
            ("largest", lambda row: max(fit.r_squared for fit in row[1])),
            (r"$\tau_h$", lambda row: geometric_mean(q.TAU_H, row[0], [fit.tau_h for fit in row[1]])),
            (r"$\tau_y$", lambda row: geometric_mean(q.TAU_Y, row[0], [fit.tau_y for fit in row[1]])),
        ),
    )  # fmt: skip
