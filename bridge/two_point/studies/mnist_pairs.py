"""Figures 4 and 14: two digits within a large data set against the theory, and how linear the maps are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from bridge.analysis import Analysis, Column, Compared, Picture, Table
from bridge.arrays import Array, geometric_mean
from bridge.figures import layout, style
from bridge.two_point import curves, pairs
from bridge.two_point.studies import linearity

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

    from bridge.two_point import TwoPointFit

DIGITS = ((0, 1), (3, 8))  # distinct digits, as in Figure 4, and similar ones
EACH = 6  # pairs of every kind and network, drawn at random
DRAW = 0  # seed of the draw
DRAWN = 4  # pairs in the figure
MISSES = 0.1  # share of the variance of the curves from which the theory is said to miss them
ROUNDING = 1e-15
HOW_COMPARED = (
    "Logarithm of the share of the variance of the three curves that the theory with two fitted constants leaves over, "
    "mean over pairs of a network, against a tenth: below it the theory describes the pairs. Errors are over networks."
)


@dataclass(frozen=True)
class Followed:
    """One pair of digits in one network, with the theory fitted to it.

    Attributes:
        digits: both digits.
        seed: position of the network.
        columns: epochs ``t`` and the curves ``dh2``, ``dy2``, ``w``.
        fit: the fit of the theory from the network's own initial state.
    """

    digits: tuple[int, int]
    seed: int
    columns: Mapping[str, Array] = field(repr=False)
    fit: TwoPointFit = field(repr=False)


@dataclass(frozen=True)
class PairsAnalysis(Analysis):
    """The analysis of pairs of digits.

    Attributes:
        followed: the pairs with their fits.
        linear: the odd and even parts of both maps by distance.
    """

    followed: tuple[Followed, ...] = ()
    linear: tuple[linearity.Parity, ...] = ()


def analyse(traces: Mapping[str, xr.Dataset]) -> PairsAnalysis:
    """Fit the theory to pairs of digits, and compare the first with the second order of both maps."""
    followed = tuple(pair for label, trace in traces.items() for pair in follow(label, trace))
    linear = tuple(linearity.parity(label, trace) for label, trace in traces.items())
    pictures = (
        Picture(
            "figure-04-mnist-pairs",
            "Two images of MNIST, a zero and a one, while a network learns all digits. Dashed: the theory of two "
            "points with two fitted constants, from the pair's initial state. As Figure 4 of the paper, for several "
            "pairs.",
            draw([pair for pair in followed if pair.digits == DIGITS[0]][:DRAWN]),
        ),
        *linearity.pictures(linear),
    )
    return PairsAnalysis(
        traces=traces,
        pictures=pictures,
        tables=(_table(followed),),
        compared=(*_compared(followed), *linearity.compared(linear)),
        how_compared=HOW_COMPARED,
        findings=(*(_finding(followed, digits) for digits in DIGITS), *linearity.findings(linear)),
        theory=("two_point.dh2", "two_point.dy2", "two_point.w"),
        followed=followed,
        linear=linear,
    )


def follow(label: str, trace: xr.Dataset) -> tuple[Followed, ...]:
    """Fit the theory to random pairs of the digits of :data:`DIGITS`, the same images in every network.

    Raises:
        ValueError: if a digit is not among the recorded images.
    """
    from bridge import two_point

    pairs.checked(label, trace)
    rng = np.random.default_rng(DRAW)
    digit = trace.point_digit.values.astype(int)
    followed = []
    for digits in DIGITS:
        places = [np.flatnonzero(digit == value) for value in digits]
        if not all(len(place) for place in places):
            raise ValueError(f"configuration {label!r}: no image of {digits} is recorded; needs more recorded points")
        for a, b in zip(*(rng.choice(place, EACH) for place in places), strict=True):
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
    columns = [{"t": t, "dh2": dh2[seed], "dy2": dy2[seed], "w": w[seed]} for seed in range(len(dh2))]
    return float(trace.input_distance2[pair]), float(target @ target), columns


def draw(followed: Sequence[Followed]) -> Figure:
    """Draw Figure 4: the three curves of every pair over the theory, the representation on an axis of its own."""
    with style.context():
        figure, axes = layout.rows_of_panels(len(followed), DRAWN, size=(2.35, 2.1))
        for number, (axis, pair) in enumerate(zip(axes.flat, followed, strict=False)):
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
        layout.label_outer(figure, "training time (epochs)", r"$\|dy\|^2$, $w$  (right: $\|dh\|^2$)")
        curves.legend(figure)
    return figure


def _shares(followed: Sequence[Followed], digits: tuple[int, int]) -> Array:
    """Return the mean logarithm of the unexplained share over the pairs of every network, ``[seed]``."""
    chosen = [pair for pair in followed if pair.digits == digits]
    seeds = sorted({pair.seed for pair in chosen})
    left = {seed: [max(1 - p.fit.r_squared, ROUNDING) for p in chosen if p.seed == seed] for seed in seeds}
    return np.array([np.mean(np.log(left[seed])) for seed in seeds])


def _compared(followed: Sequence[Followed]) -> tuple[Compared, ...]:
    import bridge

    listed = []
    for digits in DIGITS:
        shares = _shares(followed, digits)
        if len(shares) > 1 and np.ptp(shares) > 0:
            comparison = bridge.compare(np.log(MISSES), shares, resolution=np.log(2))
            name = f"{digits[0]} and {digits[1]}"
            listed.append(Compared(name, "logarithm of the unexplained share, against a tenth", comparison, "<"))
    return tuple(listed)


def _table(followed: Sequence[Followed]) -> Table:
    rows = []
    for digits in DIGITS:
        chosen = [pair for pair in followed if pair.digits == digits]
        shares = np.array([pair.fit.r_squared for pair in chosen])
        row: dict[str, object] = {"digits": f"{digits[0]} and {digits[1]}", "pairs": len(chosen)}
        row |= {"median": float(np.median(shares)), "least": float(shares.min()), "most": float(shares.max())}
        for name in ("tau_h", "tau_y"):
            row[name], row[f"{name}_error"] = geometric_mean(np.log([getattr(pair.fit, name) for pair in chosen]))
        rows.append(row)
    columns = (
        Column("digits", "digits"),
        Column("pairs", "pairs"),
        Column("median", "median $R^2$", 3),
        Column("least", "least", 3),
        Column("most", "largest", 3),
        Column("tau_h", r"$\tau_h$"),
        Column("tau_y", r"$\tau_y$"),
    )
    caption = "Share of the variance of the three curves that the theory explains; time constants in epochs."
    return Table("mnist-pairs", "Pairs of digits", caption, columns, tuple(rows))


def _finding(followed: Sequence[Followed], digits: tuple[int, int]) -> str:
    shares = np.array([pair.fit.r_squared for pair in followed if pair.digits == digits])
    return (
        f"Digits {digits[0]} and {digits[1]}: the fitted theory explains {np.median(shares):.2f} of the variance of "
        f"the three curves (median over {len(shares)} pairs; from {shares.min():.2f} to {shares.max():.2f})."
    )
