"""Figures 3.5 to 3.8: sufficiency and minimality by layer and epoch, and the information planes."""

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from bridge.collapse import InformationPlane, information_plane
from bridge.collapse import trace as read
from bridge.collapse.separation import over_seeds
from bridge.plots import style
from bridge.results.analysis import (
    Analysis,
    Doubt,
    Means,
    Picture,
    Table,
    Traces,
    means_table,
    table_of,
)
from bridge.statistics.arrays import Array
from closedform.measured import Measured
from papers.cheong2025 import quantities as q
from papers.cheong2025.studies import panels, training

PHASE_COLUMNS = (
    ("later change", q.LATER_CHANGE), ("lead", q.MINIMALITY_LEAD), ("gap in sufficiency", q.SUFFICIENCY_GAP),
    ("gap in minimality", q.MINIMALITY_GAP), ("lead of the drop", q.DROP_LEAD),
)  # fmt: skip
PHASE = (
    "Training images, bits, with standard errors over seeds. Later change: minimality at the last epoch minus that at "
    "the first measured epoch after the beginning; a compression phase would be negative. Lead: minimality that the "
    "first network keeps at the end beyond the second. Gaps: what training images have at the end beyond test images. "
    "Lead of the drop: how much more minimality falls at the end from this layer to the next than after any other."
)

SATURATED = 0.9  # of the entropy, below which information in the images counts as not extracted
READING = {
    "Sufficiency": "usable information about the class, in bits: what decoders of the rest of the network's "
    "architecture, trained anew on the layer, can tell about the class. At most log₂ C.",
    "Minimality": "the same about relabellings that tell the members of a class apart: what the layer keeps that the "
    "class does not say.",
    "When a decoder has converged": "its cross-entropy on the images that it is to describe is at most 0.02 nats or "
    "has not fallen by 0.01 nats within a hundred updates; the best epoch counts. No images are held out, as in the "
    "thesis: what tells members of a class apart can only be memorised.",
    "Lower bounds": "every value is what training reached. Below zero, decoders have not even learnt the frequencies "
    "of the labels; training and test images have decoders of their own, as in the thesis.",
}


def analyse(traces: Traces) -> Analysis:
    """Analyse the usable information through training, with its information planes."""
    checked = {label: read.checked(trace) for label, trace in traces.items()}
    planes = {label: information_plane(trace) for label, trace in checked.items()}
    pictures = (
        Picture(
            "figure-3-5-information",
            "Usable information about the class (above) and about what tells its members apart (below), by layers "
            "before the cut, mean over seeds with standard errors; training images solid, test images dashed; faint "
            "horizontal line: all there is; equal curves hide one another. Networks that stop at different epochs end "
            "at their mean. As Figures 3.5 and 3.7 of the thesis.",
            draw_curves(checked, planes),
        ),
        Picture(
            "figure-3-6-planes",
            "Information planes: sufficiency against minimality, mean over seeds with standard errors; circles: "
            "training images, squares: test images; from light (first epoch) to dark (last); equal marks hide one "
            "another. As Figures 3.6 and 3.8 of the thesis.",
            draw_planes(checked, planes),
        ),
    )
    return Analysis(
        traces=checked,
        pictures=pictures,
        tables=(training.table(checked), table(planes), phase_table(planes)),
        findings=tuple(_finding(label, plane) for label, plane in planes.items()),
        doubts=(*_doubts(planes), *training.doubts(checked)),
        reading=READING,
    )


def _tints(plane: InformationPlane) -> list[Any]:
    return [panels.INPUT, *panels.colours(len(plane.cut) - 1)]


def draw_curves(traces: Traces, planes: Mapping[str, InformationPlane]) -> Figure:
    """Draw Figures 3.5 and 3.7."""
    with panels.drawing(traces, ("sufficiency (bits)", "minimality (bits)")) as (figure, axes):
        for column, (label, plane) in enumerate(planes.items()):
            kinds = (
                (plane.sufficiency, plane.most_sufficiency),
                (plane.minimality, plane.most_minimality),
            )
            for axis, (values, most) in zip(axes[:, column], kinds, strict=True):
                for s, line in enumerate(panels.LINES.values()):
                    for cut, tint in enumerate(_tints(plane)):
                        mean, error = _over_seeds(values[:, :, s, cut])
                        look = {"color": tint, "linestyle": line, "marker": ".", "markersize": 3}
                        style.with_errors(axis, plane.epoch, mean, error, **look)
                if np.isfinite(most[0]):
                    axis.axhline(most[0], color=style.INK, linewidth=0.6, alpha=0.5)
                axis.set_ylim(
                    min(0.0, float(np.nanmin(values))),
                    1.08 * np.nanmax(most) if np.isfinite(most).any() else None,
                )
                panels.finish(axis)
            axes[0, column].set_title(panels.title(label, traces[label]))
        _legend(
            figure, planes, {split: {"linestyle": line} for split, line in panels.LINES.items()}
        )
    return figure


def draw_planes(traces: Traces, planes: Mapping[str, InformationPlane]) -> Figure:
    """Draw Figures 3.6 and 3.8."""
    with panels.drawing(traces, ["sufficiency (bits)"], x="minimality (bits)") as (figure, axes):
        for axis, (label, plane) in zip(axes[0], planes.items(), strict=True):
            for s, marker in enumerate(panels.MARKERS.values()):
                for cut, tint in enumerate(_tints(plane)):
                    kinds = (plane.minimality, plane.sufficiency)
                    (x, x_error), (y, y_error) = (
                        _over_seeds(bits[:, :, s, cut]) for bits in kinds
                    )
                    look = {
                        "color": tint,
                        "linewidth": 0.7,
                        "elinewidth": 0.6,
                        "capsize": 1.2,
                        "alpha": 0.6,
                    }
                    axis.errorbar(x, y, y_error, x_error, **look)
                    dark = np.linspace(0.35, 1, len(x))
                    axis.scatter(x, y, s=16, color=tint, alpha=dark, marker=marker, linewidths=0)
            panels.finish(axis, panels.title(label, traces[label]), integers=False)
            axis.margins(0.08)
        _legend(
            figure,
            planes,
            {s: {"linestyle": "none", "marker": mark} for s, mark in panels.MARKERS.items()},
        )
    return figure


def _legend(
    figure: Figure, planes: Mapping[str, InformationPlane], looks: Mapping[str, Any]
) -> None:
    deepest = max(planes.values(), key=lambda plane: len(plane.cut))
    entries = [
        style.entry("images" if cut == 0 else f"layer {cut}", color=tint)
        for cut, tint in zip(deepest.cut, _tints(deepest), strict=True)
    ]
    names = {"train": "training", "test": "test"}
    splits = [
        style.entry(names[split], color=style.INK, markersize=4, **look)
        for split, look in looks.items()
    ]
    style.legend(figure, entries, splits)


def table(planes: Mapping[str, InformationPlane]) -> Table:
    """Return sufficiency and minimality at every cut, before and after training."""
    rows = []
    for label, plane in planes.items():
        for (s, split), (cut, layer) in product(enumerate(read.SPLITS), enumerate(plane.cut)):
            rows.append((f"{label}, {split}, cut {layer}", label, split, plane, (s, cut)))
    caption = "Bits; standard errors over seeds. Lower bounds, the lower the less the decoders had finished."
    return table_of(
        "collapse-information", "Usable information", caption, rows,
        (
            ("configuration", lambda row: row[1]),
            ("images", lambda row: row[2]),
            ("layers before the cut", lambda row: int(row[3].cut[row[4][1]])),
            *(
                (f"{name}, {when} epoch", lambda row, quantity=quantity, name=name, get=get: Measured.mean(
                    quantity, row[0], get(getattr(row[3], name)[:, :, *row[4]])
                ))
                for quantity, name, when, get in BITS
            ),
            ("decoders that had finished", lambda row: f"{np.mean(row[3].converged[:, :, row[4][0], row[4][1]]):.0%}"),
        ),
    )  # fmt: skip


def _over_seeds(values: Array) -> tuple[Array, Array]:
    """Return mean and standard error over the seeds that have a value, ``[epoch]``; zero for fewer than two."""
    known = np.ma.masked_invalid(values)
    error = known.std(0, ddof=1) / np.sqrt(known.count(0))
    return known.mean(0).filled(np.nan), error.filled(0)


def _finding(label: str, plane: InformationPlane) -> str:
    """State sufficiency and minimality of the last cut, where the thesis sees compression, and of the input."""
    parts = []
    for name in ("sufficiency", "minimality"):
        values = getattr(plane, name)
        if np.isfinite(values).any():
            ends = values[:, -1, 0, 0], values[:, 0, 0, -1], values[:, -1, 0, -1]
            images, first, end = map(over_seeds, ends)
            parts.append(
                f"{name} {images} bits of the images, {first} of the last layer at first, {end} at last"
            )
    return f"{label}, training images: {'; '.join(parts)}."


def _doubts(planes: Mapping[str, InformationPlane]) -> Iterator[Doubt]:
    """Yield the decoders whose training had not finished, and information that is below zero or not saturated."""
    for label, plane in planes.items():
        share = float(plane.converged[np.isfinite(plane.sufficiency)].mean())
        if share < 1:
            text = "of the estimates come from decoders that had not finished training: they are too low."
            yield Doubt(label, f"{1 - share:.0%} {text}")
        for name in ("sufficiency", "minimality"):
            values, most = getattr(plane, name), float(getattr(plane, f"most_{name}")[0])
            below = int((values < 0).sum())
            if below:
                yield Doubt(
                    label,
                    f"{name.capitalize()} is below zero at {below} of {int(np.isfinite(values).sum())} places, down to "
                    f"{np.nanmin(values):.2f} bits: these decoders have not learnt the frequencies of the labels.",
                )
            of_images = values[:, -1, 0, 0]
            if most > 0 and (of_images < SATURATED * most).any():
                yield Doubt(
                    label,
                    f"{name.capitalize()} of the images themselves is {np.nanmin(of_images):.2f} bits where "
                    f"{most:.2f} can be memorised: the decoders were trained too little.",
                )


def later_change(plane: InformationPlane, cut: int) -> Array:
    """Return the change of minimality on training images since the first epoch measured after 0, ``[seed]``, or NaN."""
    values = plane.minimality[:, plane.epoch > 0, 0, cut]
    if values.shape[1] < 2:
        return np.full(len(values), np.nan)
    return np.asarray(values[:, -1] - values[:, 0])


def gap(values: Array, cut: int) -> Array:
    """Return what training images have at the end beyond test images, ``[seed, epoch, split, cut]`` -> ``[seed]``."""
    return np.asarray(values[:, -1, 0, cut] - values[:, -1, 1, cut])


def drop_lead(plane: InformationPlane, cut: int) -> Array:
    """Return how much more minimality falls at the end after this layer than after any other, ``[seed]``, or NaN."""
    falls = -np.diff(plane.minimality[:, -1, 0].T, axis=0)
    return (
        np.asarray(falls[cut] - np.delete(falls, cut, axis=0).max(0))
        if cut < len(falls)
        else falls[0] * np.nan
    )


def phase_table(planes: Mapping[str, InformationPlane]) -> Table:
    """Return the changes of every network and layer, and the leads of each network over each later one."""
    rows: list[Means] = []
    for label, plane in planes.items():
        for cut in range(1, len(plane.cut)):
            changes = {
                q.LATER_CHANGE: later_change(plane, cut),
                q.DROP_LEAD: drop_lead(plane, cut),
            }
            gaps = {
                q.SUFFICIENCY_GAP: gap(plane.sufficiency, cut),
                q.MINIMALITY_GAP: gap(plane.minimality, cut),
            }
            rows.append((label, int(plane.cut[cut]), changes | gaps))
    for (first, plane_a), (second, plane_b) in combinations(planes.items(), 2):
        if len(plane_a.cut) != len(plane_b.cut) or len(plane_a.minimality) != len(
            plane_b.minimality
        ):
            continue
        for cut in range(1, len(plane_a.cut)):
            kept = [plane.minimality[:, -1, 0, cut] for plane in (plane_a, plane_b)]
            rows.append(
                (
                    f"{first} over {second}",
                    int(plane_a.cut[cut]),
                    {q.MINIMALITY_LEAD: kept[0] - kept[1]},
                )
            )
    heads = "configuration", "layer"
    return means_table(
        "collapse-compression-phase", "Is there a compression phase?", PHASE, rows, heads, PHASE_COLUMNS
    )  # fmt: skip


BITS = (
    (q.SUFFICIENCY_FIRST, "sufficiency", "first", lambda bits: bits[:, 0]),
    (q.SUFFICIENCY_LAST, "sufficiency", "last", lambda bits: bits[:, -1]),
    (q.MINIMALITY_FIRST, "minimality", "first", lambda bits: bits[:, 0]),
    (q.MINIMALITY_LAST, "minimality", "last", lambda bits: bits[:, -1]),
)  # fmt: skip
