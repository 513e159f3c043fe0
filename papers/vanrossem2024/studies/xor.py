"""Figures 6 and 16: which points of XOR merge, in deep and in two-layer networks, by gradient descent and by Adam."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bridge.plots import layout
from bridge.results.analysis import Analysis, Doubt, Picture, Table, Traces, table_of, with_verdict
from bridge.statistics.arrays import Array
from bridge.two_point import pairs
from closedform.measured import Measured
from papers.vanrossem2024 import quantities as q
from papers.vanrossem2024.studies import panels
from papers.vanrossem2024.studies.fitted import doubts, fit_one

RATES = "default, two points"  # label of the two-point networks to which the rates are fitted
# squared distance of a pair, relative to the mean of the pairs with different targets
MERGED = 0.05
LEARNED = 1e-3  # loss, output^2; what has not learned has no final distances
POINTS = ("00", "10", "01", "11")
HOW_COMPARED = (
    f"The mean number of pairs with the same target whose squared distance ends below {100 * MERGED:g} % of that of "
    "pairs with different targets. Eq. (10) predicts two at small weights, from the rates of the two-point networks. "
    "The mean logarithm of measured over predicted distance of the pairs with different targets, against 0."
)
MATTERS = float(np.log(1.1))  # smallest relevant deviation of a distance, in a logarithm


@dataclass(frozen=True)
class Learned:
    """One configuration: squared final distances of the six pairs, of the networks that have learned XOR."""

    label: str
    measured: Array = field(repr=False)  # [seed, pair]
    predicted: Array = field(repr=False)  # by Eq. (10), [seed, pair]
    same: NDArray[np.bool_] = field(repr=False)  # target of both points, [pair]
    left_out: int  # networks that have not learned XOR

    def merged(self, distance2: Array) -> Array:
        """Return the number of merged pairs of every network, ``[seed]``, for squared distances ``[seed, pair]``."""
        scale = distance2[:, ~self.same].mean(axis=1, keepdims=True)
        return np.asarray((distance2[:, self.same] < MERGED * scale).sum(axis=1))

    @property
    def correlation(self) -> float:
        """Pearson's correlation over pairs of the mean measured and the mean predicted distance (not squared)."""
        measured, predicted = (
            np.sqrt(values).mean(axis=0) for values in (self.measured, self.predicted)
        )
        return float(np.corrcoef(measured, predicted)[0, 1])


def analyse(traces: Traces) -> Analysis:
    """Compare the distances of the four points with Eq. (10) with the rates of two-point networks.

    Raises:
        ValueError: if the two-point networks are missing.
    """
    if RATES not in traces:
        raise ValueError(
            f"traces: got {', '.join(traces)}; needs {RATES!r}, to which the rates are fitted"
        )
    fitted = fit_one(RATES, traces[RATES])
    # averaged as in B.1
    rates = np.array([[1 / seed.tau_h, 1 / seed.tau_y] for seed in fitted.fit.per_seed])
    tau_h, tau_y = (1 / rates.mean(axis=0)).tolist()
    every = {
        label: pairs.checked(label, trace) for label, trace in traces.items() if label != RATES
    }
    learned = tuple(
        _learned(label, trace, (tau_h, tau_y))
        for label, trace in every.items()
        if _has_learned(trace).any()
    )
    without = [label for label, trace in every.items() if not _has_learned(trace).any()]
    by_adam = [entry for entry in learned if entry.label.endswith(pairs.ADAM)]
    groups = {
        "figure-06-xor": (
            "gradient descent",
            "6",
            [entry for entry in learned if entry not in by_adam],
        ),
        "figure-16-xor-adam": ("Adam", "16", by_adam),
    }
    pictures = tuple(
        Picture(
            name,
            f"Distances of the representations of the four points of XOR after training by {optimiser}, mean over "
            "networks (above), and by Eq. (10) with the rates of two-point networks (below); inputs as labels; every "
            "panel has a scale of its own. r: correlation of both over the six pairs. As Figure "
            f"{number} of the paper.",
            draw(group),
        )
        for name, (optimiser, number, group) in groups.items()
        if group
    )
    return Analysis(
        traces=traces,
        pictures=pictures,
        tables=(_table(learned),),
        measured=with_verdict([*map(merged_pairs, learned), *map(targets_apart, learned)]),
        how_compared=HOW_COMPARED,
        doubts=(
            *doubts((fitted,)),
            *(Doubt(label, "no network has learned XOR; left out") for label in without),
        ),
        theory=("two_point.final_distance",),
        results=learned,
    )


def _has_learned(trace: xr.Dataset) -> NDArray[np.bool_]:
    return np.asarray(trace.loss.isel(epoch=-1).values < LEARNED)


def _learned(label: str, trace: xr.Dataset, tau: tuple[float, float]) -> Learned:
    has_learned = _has_learned(trace)
    kept = trace.isel(seed=has_learned)
    return Learned(
        label=label,
        measured=kept.distance2.isel(epoch=-1).transpose("seed", "pair").values,
        predicted=pairs.predicted(kept, *tau),
        same=pairs.distance2(trace, trace.target) == 0,
        left_out=int((~has_learned).sum()),
    )


def draw(group: list[Learned]) -> Figure:
    """Draw the matrices of distances, measured above and predicted below, a column for every configuration."""
    titles = [
        f"{entry.label.removesuffix(pairs.ADAM)}\nr = {entry.correlation:.2f}" for entry in group
    ]
    labels: layout.Look = {"y": (r"measured $\|dh\|$", r"Eq. (10), $\|dh\|$"), "titles": titles}
    with layout.drawing(2, len(group), **labels, size=(1.75, 1.4)) as (figure, axes):
        for column, member in zip(axes.T, group, strict=True):
            for axis, values in zip(column, (member.measured, member.predicted), strict=True):
                bar = panels.matrix(axis, np.sqrt(values).mean(axis=0), range(len(POINTS)), POINTS)
                bar.ax.tick_params(labelsize=6.5)
    return figure


def merged_pairs(one: Learned) -> Measured:
    """Compare the mean number of merged pairs with the predicted one."""
    merged, expected = one.merged(one.measured), one.merged(one.predicted)
    count = len(merged)
    # at least of one that differs by a pair
    scatter = max(float(merged.var(ddof=1)) if count > 1 else 0.0, 1 / count)
    error = float(np.sqrt(scatter / count))
    value, predicted = float(merged.mean()), float(expected.mean())
    return Measured(
        q.MERGED_PAIRS,
        pairs.with_optimiser(one.label),
        value,
        error,
        max(count, 2),
        predicted,
        resolution=0.2,
    )


def targets_apart(one: Learned) -> Measured | None:
    """Compare the distance of pairs with different targets with the prediction, network by network."""
    return Measured.mean(
        q.TARGETS_APART, pairs.with_optimiser(one.label), _logarithms(one), 0.0, resolution=MATTERS
    )


def _logarithms(one: Learned) -> Array:
    """Return the mean logarithms of measured over predicted distance of the networks that have all of them."""
    measured, predicted = one.measured[:, ~one.same], one.predicted[:, ~one.same]
    kept = (measured > 0).all(axis=1) & (predicted > 0).all(axis=1)
    return np.asarray(np.log(measured[kept] / predicted[kept]).mean(axis=1) / 2)


def _table(learned: tuple[Learned, ...]) -> Table:
    caption = "Number of networks by the number of pairs with the same target that merged; r over the six pairs."
    return table_of(
        "xor", "Merged pairs", caption, learned,
        (
            ("configuration", lambda one: one.label),
            ("networks", lambda one: len(one.measured)),
            ("not learned", lambda one: one.left_out),
            *(
                (head, lambda one, count=count: int((one.merged(one.measured) == count).sum()))
                for count, head in enumerate(("no pair merged", "one pair", "both pairs"))
            ),
            ("pairs by Eq. (10)", lambda one: float(one.merged(one.predicted).mean())),
            ("r", lambda one: one.correlation),
        ),
    )  # fmt: skip
