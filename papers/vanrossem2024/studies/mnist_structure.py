r"""Figures 9 and 18: the distances between the representations of a hundred digits, measured and predicted.

The exponential weighting of predicted distances (Eq. 50) lessens violations of the triangle inequality: with the
predicted squared distances :math:`D` of all pairs, the weighted prediction is :math:`e^{-D} D e^{-D}`, where the
exponential is taken entry by entry. Its result depends on the scale of :math:`D`, which Eq. (10) fixes only with the
effective rates. On raw pixels from 0 to 255 and with equal rates, as in the released code, every :math:`e^{-D}` between
different digits is below :math:`10^{-300}`, and the weighting adds up the distances of all images of two digits.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from numpy.typing import NDArray

from bridge.plots import layout
from bridge.results.analysis import Analysis, Picture, Table, Traces, table_of, with_verdict
from bridge.statistics.arrays import Array
from bridge.statistics.resampled import FEWEST, resampled
from bridge.two_point import pairs
from closedform.measured import Measured
from papers.vanrossem2024 import quantities as q
from papers.vanrossem2024.studies import panels

# correlations of Figure 9, with and without the diagonal blocks
PRINTED = {"all": 0.703, "different": 0.512}
CORRELATIONS = {"all": q.CORRELATION_ALL, "different": q.CORRELATION_DIFFERENT}
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
    """One configuration: squared distances of the representations of the recorded digits."""

    label: str
    measured: Array = field(repr=False)  # after training, [seed, pair]
    same: NDArray[np.bool_] = field(repr=False)  # digit, [pair]
    predicted: Mapping[str, Array] = field(repr=False)  # of each kind, [pair]
    accuracy: Array = field(repr=False)  # on the training images, [seed]

    def correlation(self, kind: str, which: str) -> Measured:
        """Return the correlation of the mean distances with a prediction, and its jackknife error."""
        label = f"{self.label}, {kind}"

        def correlation(networks: Array) -> float:
            return _correlation(networks.mean(axis=0), self.predicted[kind], self.same, which)

        if len(self.measured) < FEWEST:
            return Measured(CORRELATIONS[which], label, correlation(self.measured))
        # every network is a mean over thousands of pairs, none of which it could hide
        found = resampled(self.measured, correlation, scale="plain", seen=len(self.measured))
        # the paper's number is that of the mean over its networks, too, with the same bias
        return replace(found, value=found.plain).in_unit(CORRELATIONS[which], label)


def analyse(traces: Traces) -> Analysis:
    """Compare the distances of the digits with three forms of the prediction."""
    structures = tuple(measure(label, trace) for label, trace in traces.items())
    pictures = tuple(
        Picture(
            "figure-09-mnist"
            if number == 0
            else "figure-18-mnist-adam"
            if number == 1
            else f"mnist-{number}",
            f"{structure.label}: squared distances of the representations of the first "
            f"{traces[structure.label].sizes['point']} images of MNIST, sorted by digit: mean over "
            f"{len(structure.measured)} networks, and three forms of the "
            "prediction, each on a scale of its own; r: correlation with the measurement over all entries. As Figure "
            f"{'9' if number == 0 else '18'} of the paper.",
            draw(structure, traces[structure.label]),
        )
        for number, structure in enumerate(structures)
    )
    return Analysis(
        traces=traces,
        pictures=pictures,
        tables=(_table(structures),),
        measured=with_verdict(
            structures[0].correlation(RELEASED, which).against(printed, resolution=RESOLUTION)
            for which, printed in PRINTED.items()
        ),
        how_compared=HOW_COMPARED,
        theory=("two_point.final_distance",),
    )


def measure(label: str, trace: xr.Dataset) -> Structure:
    """Return distances and predictions of one configuration."""
    pairs.checked(label, trace)
    first, second = pairs.ends(trace)
    digit = trace.point_digit.values.astype(int)
    # A_low up to a factor
    small_weights = np.sqrt(trace.input_distance2.values * pairs.distance2(trace, trace.target))
    far = weighted_far(trace.class_distance.values, trace.class_count.values, digit)
    scaled = weighted(pairs.matrix(small_weights / small_weights.mean()))
    last = trace.isel(epoch=-1)
    return Structure(
        label=label,
        measured=last.distance2.transpose("seed", "pair").values,
        same=digit[first] == digit[second],
        predicted={
            RELEASED: far[first, second],
            SCALED: scaled[first, second],
            ALONE: small_weights,
        },
        accuracy=last.accuracy.values,
    )


def draw(one: Structure, trace: xr.Dataset) -> Figure:
    """Draw the measured and the predicted matrices."""
    digit = trace.point_digit.values.astype(int)
    ticks = [float(np.flatnonzero(digit == value).mean()) for value in np.unique(digit)]
    shown = {"measured": one.measured.mean(axis=0), **one.predicted}
    with layout.drawing(1, len(shown), size=(2.35, 2.0)) as (figure, axes):
        for axis, (kind, values) in zip(axes.flat, shown.items(), strict=True):
            panels.matrix(axis, values, ticks, np.unique(digit), shrink=0.7)
            share = "" if kind == "measured" else f"\nr = {one.correlation(kind, 'all').value:.2f}"
            axis.set_title(f"{kind}{share}")
    return figure


def _correlation(measured: Array, predicted: Array, same: NDArray[np.bool_], which: str) -> float:
    if which == "different":
        return float(np.corrcoef(measured[~same], predicted[~same])[0, 1])
    return float(
        np.corrcoef(pairs.matrix(measured).ravel(), pairs.matrix(predicted).ravel())[0, 1]
    )


def _table(structures: tuple[Structure, ...]) -> Table:
    caption = "Correlations with the mean squared distance over networks; errors: jackknife. The paper: 0.703, 0.512."
    rows: list[tuple[Structure, str]] = []
    for structure in structures:
        rows += [(structure, kind) for kind in structure.predicted]
    return table_of(
        "mnist-structure", "Structure on MNIST", caption, rows,
        (
            ("configuration", lambda row: row[0].label),
            ("networks", lambda row: len(row[0].measured)),
            ("training accuracy", lambda row: float(row[0].accuracy.mean())),
            ("prediction", lambda row: row[1]),
            ("r, all entries", lambda row: row[0].correlation(row[1], "all")),
            ("r, different digits", lambda row: row[0].correlation(row[1], "different")),
        ),
    )  # fmt: skip


def weighted(distance2: Array) -> Array:
    """Return Eq. (50) for a symmetric matrix ``[point, point]`` of predicted squared distances."""
    weights = np.exp(-distance2)
    return np.asarray(weights @ distance2 @ weights)


def weighted_far(class_distance: Array, class_count: Array, member: Array) -> Array:
    """Return Eq. (50) in the limit in which all weights between different classes vanish, up to a factor.

    It is the sum over all points of both classes of their predicted squared distances; zero for points of the same
    class.
    """
    total = class_distance * class_count[:, None] * class_count
    np.fill_diagonal(total, 0.0)
    return np.asarray(total[np.ix_(member, member)])
