"""Figures 7, 8, 13 and 17: the representation of blobs collapses along the feature that a context does not ask for."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Doubt, Picture, Table, Traces, table_of, with_verdict
from bridge.statistics.arrays import Array
from bridge.two_point import pairs
from closedform.measured import Measured, Relation
from papers.vanrossem2024 import quantities as q
from papers.vanrossem2024.studies.fitted import TWICE, geometric_mean

# loss, output^2; the plateau, at which only the context's mean is known, is at 0.09
LEARNED = 1e-2
# of the squared extent along the irrelevant over that along the relevant feature
COLLAPSED = float(np.log(0.1))
PIXELS = 5
SEED = 0  # of the projection, which starts from random points
HOW_COMPARED = (
    "Logarithm of the mean squared distance of pairs that differ in the irrelevant feature only, over that of pairs "
    "that differ in the relevant one only. Eq. (10) at small weights says that it goes to minus infinity, since the "
    "targets of the former pairs are the same; the bound is a tenth. At high weights the bound is on the other side."
)


@dataclass(frozen=True)
class Extents:
    """One configuration: mean squared distances of pairs after training, ``[seed]``."""

    label: str
    # that differ only in the feature that their context asks for
    relevant: Array = field(repr=False)
    irrelevant: Array = field(repr=False)  # that differ only in the other feature
    contexts: Array = field(repr=False)  # of different contexts with the same target
    loss: Array = field(repr=False)  # training loss, output^2

    @property
    def log_ratio(self) -> Array:
        """Logarithm of the squared extent along the irrelevant over that along the relevant feature, ``[seed]``."""
        return np.log(self.irrelevant / self.relevant)

    @property
    def extent(self) -> Measured | None:
        """That logarithm against a tenth: below it at small weights, above it at high ones."""
        relation: Relation = ">" if self.label.startswith("high") else "<"
        return Measured.mean(
            q.EXTENT, pairs.with_optimiser(self.label), self.log_ratio, COLLAPSED, relation, TWICE
        )

    @property
    def apart(self) -> Measured:
        """Squared distance of the contexts over the extent along the relevant feature, geometric mean."""
        return geometric_mean(
            q.CONTEXTS, pairs.with_optimiser(self.label), self.contexts / self.relevant
        )


def analyse(traces: Traces) -> Analysis:
    """Measure the extents of the representation, and project it as in the figures."""
    extents = tuple(measure(label, trace) for label, trace in traces.items())
    groups = {
        "figure-08-blobs": (
            "8",
            [label for label in traces if label in ("low weights", "high weights")],
        ),
        "figure-13-very-low-weights": (
            "13",
            [label for label in traces if label.startswith("very")],
        ),
        "figure-17-blobs-adam": (
            "17 (Adam)",
            [label for label in traces if label.endswith(pairs.ADAM)],
        ),
    }
    pictures = [
        Picture(
            "figure-07-blobs",
            "Images of Gaussian blobs at the corners and in the middle of the range of places, and the targets of both "
            "contexts. As Figure 7 of the paper.",
            draw_data(),
        )
    ]
    for name, (number, labels) in groups.items():
        if labels:
            caption = (
                "Representations of the first network after training, by multidimensional scaling in three dimensions: "
                "the first two coloured by context and by target, the last two by target. Eq. (10) says that a context "
                f"collapses to a line at small weights. As Figure {number} of the paper."
            )
            pictures.append(
                Picture(name, caption, draw({label: traces[label] for label in labels}))
            )
    return Analysis(
        traces=traces,
        pictures=tuple(pictures),
        tables=(_table(extents),),
        measured=with_verdict(extent.extent for extent in extents),
        how_compared=HOW_COMPARED,
        doubts=tuple(
            Doubt(
                extent.label,
                f"the loss ends at up to {extent.loss.max():.2g}: training has not converged",
            )
            for extent in extents
            if extent.loss.max() > LEARNED
        ),
        theory=("two_point.final_distance",),
    )


def measure(label: str, trace: xr.Dataset) -> Extents:
    """Return the mean squared distances after training, of pairs that differ in one respect only."""
    pairs.checked(label, trace)
    context, first, second = (
        trace[f"point_{name}"].values for name in ("context", "first", "second")
    )
    relevant, irrelevant = (
        np.where(context == 0, first, second),
        np.where(context == 0, second, first),
    )
    a, b = pairs.ends(trace)
    together = context[a] == context[b]
    kinds = {
        "relevant": together & (irrelevant[a] == irrelevant[b]),
        "irrelevant": together & (relevant[a] == relevant[b]),
        "contexts": ~together & (relevant[a] == relevant[b]),
    }
    last = trace.isel(epoch=-1)
    distance2 = last.distance2.transpose("seed", "pair").values
    means = {name: distance2[:, chosen].mean(axis=1) for name, chosen in kinds.items()}
    return Extents(label=label, loss=last.loss.values, **means)


def projected(trace: xr.Dataset) -> Array:
    """Return a projection ``[point, 3]`` of the first network's representations, by metric scaling of distances."""
    from sklearn.manifold import MDS

    distance = np.sqrt(pairs.matrix(trace.distance2.isel(seed=0, epoch=-1).values))
    scaling = MDS(
        n_components=3, metric="precomputed", n_init=1, init="classical_mds", random_state=SEED
    )
    return np.asarray(scaling.fit_transform(distance), dtype=np.float64)


def draw(traces: Traces) -> Figure:
    """Draw the projections, a column for every configuration: two planes, the first by context and by target."""
    with layout.drawing(3, len(traces), titles=[*traces], size=(2.3, 1.9)) as (figure, axes):
        for column, trace in zip(axes.T, traces.values(), strict=True):
            positions = projected(trace)
            context, target = trace.point_context.values, trace.target.values[:, 0]
            for which, colour in enumerate((style.BLUE, style.ORANGE)):
                here = context == which
                column[0].plot(
                    positions[here, 0], positions[here, 1], ".", color=colour, markersize=3.5
                )
            column[1].scatter(positions[:, 0], positions[:, 1], c=target, s=6, cmap="viridis")
            points: Any = column[2].scatter(
                positions[:, 1], positions[:, 2], c=target, s=6, cmap="viridis"
            )
            for axis, plane in zip(column, ((1, 2), (1, 2), (2, 3)), strict=True):
                axis.set_aspect("equal", adjustable="datalim")
                axis.set_xticklabels([])
                axis.set_yticklabels([])
                axis.set(xlabel=f"MDS dimension {plane[0]}", ylabel=f"MDS dimension {plane[1]}")
        figure.colorbar(points, ax=axes[1:, :], label="target", shrink=0.6)
        colours = enumerate((style.BLUE, style.ORANGE), start=1)
        style.legend(
            figure,
            [style.entry(f"context {n}", marker="o", linestyle="", color=c) for n, c in colours],
        )
    return figure


def draw_data() -> Figure:
    """Draw the images of nine blobs, at the lowest, middle and highest places along both coordinates."""
    from empirics.experiments.two_point.many_points import Config, points

    side = 3
    images = points(Config(dataset="blobs", side=side, recorded=8)).x[: side**2, :-2].numpy()
    with layout.drawing(side, side, size=(0.95, 0.95)) as (figure, axes):
        for image, axis, number in zip(images, axes.T.ravel(), range(side**2), strict=True):
            axis.imshow(
                image.reshape(PIXELS, PIXELS).T,
                cmap="viridis",
                vmin=0,
                vmax=images.max(),
                origin="lower",
            )
            axis.grid(visible=False)
            axis.set_xticks([])
            axis.set_yticks([])
            first, second = divmod(number, side)
            axis.set_title(f"({first - 1}, {second - 1})", fontsize=8)
        figure.supxlabel("first coordinate: target of context 1", fontsize=8)
        figure.supylabel("second coordinate: target of context 2", fontsize=8)
    return figure


def _table(extents: tuple[Extents, ...]) -> Table:
    caption = "Mean squared distances after training, over networks with standard errors; of the ratio the logarithm."
    return table_of(
        "blobs", "Extents of the representation", caption, extents,
        (
            ("configuration", lambda one: one.label),
            ("networks", lambda one: len(one.loss)),
            ("largest loss", lambda one: float(one.loss.max())),
            ("ln(irrelevant / relevant)", lambda one: one.extent),
            ("between contexts / relevant", lambda one: one.apart),
        ),
    )  # fmt: skip
