"""Figures 9 and 18: the distances between the representations of a hundred digits, measured and predicted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bridge.plots import style
from bridge.results.analysis import Analysis, Column, Compared, Picture, Table
from bridge.statistics.arrays import Array
from bridge.two_point import pairs, weighting

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

PRINTED = {"all": 0.703, "different": 0.512}  # correlations of Figure 9, with and without the diagonal blocks
RELEASED = "Eq. (50), as released"
ALONE = "Eq. (10), pairs alone"
SCALED = "Eq. (50), mean distance 1"
RESOLUTION = 0.05  # of a correlation
HOW_COMPARED = (
    "Pearson's correlation over pairs of the mean squared distance of the representations with the prediction of "
    "Eq. (50) in the released form, against the number that the paper states. Errors: jackknife over networks."
)


@dataclass(frozen=True)
class Structure:
    """One configuration: squared distances of the representations of the recorded digits.

    Attributes:
        label: name of the configuration.
        measured: squared distances after training, ``[seed, pair]``.
        same: whether both images of a pair are of the same digit, ``[pair]``.
        predicted: predictions of different kinds, ``{kind: [pair]}``.
        accuracy: fraction of the training images that are classified correctly, ``[seed]``.
    """

    label: str
    measured: Array = field(repr=False)
    same: NDArray[np.bool_] = field(repr=False)
    predicted: Mapping[str, Array] = field(repr=False)
    accuracy: Array = field(repr=False)

    def correlation(self, kind: str, which: str) -> tuple[float, float]:
        """Return the correlation of the mean over networks with a prediction, and its jackknife error.

        Args:
            kind: name of the prediction.
            which: ``"all"`` entries of the matrix, its diagonal among them, or those of ``"different"`` digits.
        """
        count = len(self.measured)
        value = _correlation(self.measured.mean(axis=0), self.predicted[kind], self.same, which)
        if count < 2:
            return value, np.nan
        left_out = [
            _correlation(np.delete(self.measured, seed, axis=0).mean(axis=0), self.predicted[kind], self.same, which)
            for seed in range(count)
        ]
        return value, float(np.std(left_out) * np.sqrt(count - 1))


@dataclass(frozen=True)
class StructureAnalysis(Analysis):
    """The analysis of the structure on MNIST.

    Attributes:
        structures: one for each configuration.
    """

    structures: tuple[Structure, ...] = ()


def analyse(traces: Mapping[str, xr.Dataset]) -> StructureAnalysis:
    """Hold the distances of the digits against three forms of the prediction."""
    structures = tuple(measure(label, trace) for label, trace in traces.items())
    pictures = tuple(
        Picture(
            "figure-09-mnist" if number == 0 else "figure-18-mnist-adam" if number == 1 else f"mnist-{number}",
            f"{one.label}: squared distances of the representations of the first {traces[one.label].sizes['point']} "
            f"images of MNIST, sorted by digit: mean over {len(one.measured)} networks, and three forms of the "
            "prediction, each on a scale of its own; r: correlation with the measurement over all entries. As Figure "
            f"{'9' if number == 0 else '18'} of the paper.",
            draw(one, traces[one.label]),
        )
        for number, one in enumerate(structures)
    )
    return StructureAnalysis(
        traces=traces,
        pictures=pictures,
        tables=(_table(structures),),
        compared=tuple(c for one in structures[:1] for c in _compared(one)),
        how_compared=HOW_COMPARED,
        findings=tuple(_finding(one) for one in structures),
        theory=("two_point.final_distance",),
        structures=structures,
    )


def measure(label: str, trace: xr.Dataset) -> Structure:
    """Return distances and predictions of one configuration."""
    pairs.checked(label, trace)
    first, second = pairs.ends(trace)
    digit = trace.point_digit.values.astype(int)
    small_weights = np.sqrt(trace.input_distance2.values * pairs.target_distance2(trace))  # A_low up to a factor
    far = weighting.weighted_far(trace.class_distance.values, trace.class_count.values, digit)
    scaled = weighting.weighted(pairs.matrix(small_weights / small_weights.mean()))
    last = trace.isel(epoch=-1)
    return Structure(
        label=label,
        measured=last.distance2.transpose("seed", "pair").values,
        same=digit[first] == digit[second],
        predicted={RELEASED: far[first, second], SCALED: scaled[first, second], ALONE: small_weights},
        accuracy=last.accuracy.values,
    )


def draw(one: Structure, trace: xr.Dataset) -> Figure:
    """Draw the measured and the predicted matrices."""
    digit = trace.point_digit.values.astype(int)
    ticks = [float(np.flatnonzero(digit == value).mean()) for value in np.unique(digit)]
    shown = {"measured": one.measured.mean(axis=0), **one.predicted}
    with style.context():
        figure, axes = style.grid(1, len(shown), size=(2.35, 2.0))
        for axis, (kind, values) in zip(axes.flat, shown.items(), strict=True):
            image = axis.imshow(pairs.matrix(values), cmap="viridis", vmin=0)
            figure.colorbar(image, ax=axis, shrink=0.7)
            axis.set_xticks(ticks, np.unique(digit))
            axis.set_yticks(ticks, np.unique(digit))
            axis.grid(visible=False)
            share = "" if kind == "measured" else f"\nr = {one.correlation(kind, 'all')[0]:.2f}"
            axis.set_title(f"{kind}{share}")
    return figure


def _correlation(measured: Array, predicted: Array, same: NDArray[np.bool_], which: str) -> float:
    if which == "different":
        return float(np.corrcoef(measured[~same], predicted[~same])[0, 1])
    return float(np.corrcoef(pairs.matrix(measured).ravel(), pairs.matrix(predicted).ravel())[0, 1])


def _compared(one: Structure) -> list[Compared]:
    import bridge

    listed = []
    for which, printed in PRINTED.items():
        value, error = one.correlation(RELEASED, which)
        if np.isfinite(error) and error > 0:
            comparison = bridge.compare(
                printed, value, error=error, repetitions=len(one.measured), resolution=RESOLUTION
            )
            name = "all entries" if which == "all" else "different digits"
            listed.append(Compared(one.label, f"correlation with Eq. (50), {name}", comparison))
    return listed


def _table(structures: tuple[Structure, ...]) -> Table:
    rows: list[dict[str, Any]] = []
    for one in structures:
        for kind in one.predicted:
            row: dict[str, Any] = {"configuration": one.label, "networks": len(one.measured), "prediction": kind}
            row["accuracy"] = float(one.accuracy.mean())
            for which in PRINTED:
                row[which], row[f"{which}_error"] = one.correlation(kind, which)
            rows.append(row)
    columns = (
        Column("configuration", "configuration"),
        Column("networks", "networks"),
        Column("accuracy", "training accuracy", 3),
        Column("prediction", "prediction"),
        Column("all", "r, all entries"),
        Column("different", "r, different digits"),
    )
    caption = "Correlations with the mean squared distance over networks; errors: jackknife. The paper: 0.703, 0.512."
    return Table("mnist-structure", "Structure on MNIST", caption, columns, tuple(rows))


def _finding(one: Structure) -> str:
    texts = [
        f"{kind} {one.correlation(kind, 'all')[0]:.3f} and {one.correlation(kind, 'different')[0]:.3f}"
        for kind in one.predicted
    ]
    return (
        f"{one.label}, {len(one.measured)} networks with a training accuracy of {one.accuracy.mean():.1%}: correlation "
        f"of the squared distances over all entries and over different digits: {'; '.join(texts)} "
        f"(the paper: {PRINTED['all']} and {PRINTED['different']})."
    )
