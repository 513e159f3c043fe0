"""The analysis of both studies of image networks: figures, the hypothesis as numbers, findings, doubts."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

import numpy as np
import xarray as xr

from bridge.results.analysis import Analysis, Doubt, Picture, Traces
from empirics.experiments.registry import command_name
from papers.zavatoneveth2023.studies.images import correlations, drawing, slices
from papers.zavatoneveth2023.studies.images.hypothesis import Correlation, prediction

GRADED = 1e4  # ratio of singular values above which a note is added
READING = {
    "Volume element of an image network": (
        "√det g says how much the features magnify volume at an image. There are fewer features than pixels, so it is "
        "the product of the singular values of the Jacobian: how much the directions that the features see are "
        "magnified. It is a product of very many factors; only its changes mean something, and features that hardly "
        "react to anything weigh as much in it as those that decide."
    ),
    "What the intervals are over": (
        "Points of one line depend on each other; a line counts once, a network (a seed) is what is independent. The "
        "error is that of the means of the networks, or that which the scatter of the lines within them causes, if it "
        "is larger; below three networks there is none. Towards the middle of a line images are blends, with "
        "less contrast and further from what was learned; the column with the position held fixed asks whether the "
        "volume element follows the uncertainty beyond that."
    ),
}


def analyse(traces: Traces) -> Analysis:
    """Compare volume elements with the predictions of a ResNet (Figures 4, 5), or of a linear probe (Figure 6)."""
    first = next(iter(traces.values()))
    name = command_name(first.attrs["experiment"])
    readout = "the network" if name == "geometry-resnet" else "the linear probe"
    by_label = {label: correlations.measured(trace) for label, trace in traces.items()}
    where = drawing.origin(traces)
    names = drawing.class_names(first)
    first_class = int(first["plane_labels"].sel(plane="same").values.flat[0])
    ends = [names[int(c)] for c in first["line_labels"].isel(seed=0, line=0).values]
    pictures = (
        Picture(
            f"{name}-lines",
            f"From an image of class {ends[0]} (left) to one of class {ends[1]} (right): log volume element, less its "
            f"mean over the line, over bands in the colour of the class that {readout} predicts; below, the entropy of "
            f"that prediction over its maximum, with dotted lines where the prediction changes. First network. {where}",
            drawing.draw_lines(traces),
        ),
        Picture(
            f"{name}-planes",
            "The plane through three images of different classes (corners of the triangle, which is their convex "
            "hull; what is outside is the rest of the affine hull), after training. White lines: where the prediction "
            f"changes. The colours of the volume element end at its 2nd and 98th percentile. First network. {where}",
            slices.draw_planes(traces, "different"),
        ),
        *(
            Picture(
                f"{name}-planes-{number}",
                f"As above, for images of the classes {_classes(traces, plane, names)}. {where}",
                slices.draw_planes(traces, plane),
            )
            for number, plane in enumerate(
                slices.different_planes(next(iter(traces.values())))[1:], start=2
            )
        ),
        Picture(
            f"{name}-planes-same",
            f"As above, for three images of one class, {names[first_class]}. {where}",
            slices.draw_planes(traces, "same"),
        ),
        Picture(
            f"{name}-hypothesis",
            "Rank correlation of the volume element with the entropy of the prediction (or with nearness to the "
            "decision boundary) along lines: each small mark a line, large marks the mean over networks with its 95 % "
            f"interval. {where}",
            correlations.draw(by_label, traces),
        ),
        Picture(
            f"{name}-spectra",
            "Square roots of the eigenvalues of the metric at the three images of the first plane, first network; "
            f"those that are zero to rounding are left out. {where}",
            drawing.draw_spectra(traces),
        ),
    )
    return Analysis(
        traces,
        pictures,
        tables=(correlations.table(by_label, traces), slices.table(traces)),
        findings=tuple(finding(label, traces[label], cases) for label, cases in by_label.items()),
        doubts=tuple(
            chain.from_iterable(doubts(label, trace, where) for label, trace in traces.items())
        ),
        reading=READING,
    )


def _classes(traces: Traces, plane: str, names: Sequence[str]) -> str:
    labels = next(iter(traces.values()))["plane_labels"].isel(seed=0).sel(plane=plane).values
    return ", ".join(names[int(label)] for label in labels)


def finding(label: str, trace: xr.Dataset, cases: Mapping[str, Correlation]) -> str:
    """Return a sentence on the correlations of one configuration."""
    first, test = (
        float(trace["accuracy"].isel(snapshot=i).sel(split="test").mean()) for i in (0, -1)
    )
    trained, beyond, before = cases["trained"], cases["beyond"], cases["untrained"]
    over = "; 95 % interval over networks and lines" if np.isfinite(trained.low) else ""
    sphere = f" On the unit sphere it is {cases['sphere'].shown}." if "sphere" in cases else ""
    return (
        f"{label} (test accuracy {test:.1%}, {first:.1%} before training): along lines between classes the log volume "
        f"element correlates with the entropy of the prediction by {trained.shown} ({trained.verdict}{over}), "
        f"with the position held fixed {beyond.shown} ({beyond.verdict}). The untrained network's volume element "
        f"against the same predictions: {before.shown}; along lines within one class: {cases['same'].shown}.{sphere}"
    )


def doubts(label: str, trace: xr.Dataset, where: str) -> Iterator[Doubt]:
    """Yield the reasons not to trust one configuration."""
    if "subset" in where:
        yield Doubt(
            label,
            "The networks saw a subset of the data set; accuracies are lower than published.",
        )
    accuracy = float(trace["accuracy"].isel(snapshot=-1).sel(split="test").mean("seed"))
    if accuracy < 0.8:
        yield Doubt(
            label,
            f"Test accuracy is {accuracy:.0%}; predictions are often wrong, even at the ends.",
        )
    if trace.sizes["seed"] < 5:
        yield Doubt(label, f"{trace.sizes['seed']} networks only; intervals are wide.")
    gone = [
        str(seed)
        for seed, at in zip(trace.seed.values, trace.diverged_at.values, strict=True)
        if at >= 0
    ]
    if gone:
        yield Doubt(label, "Training diverged; nothing was measured after that.", ", ".join(gone))
    trained = trace["spectrum"].isel(snapshot=-1)
    live = drawing.above_rounding(trained.values, drawing.rounding(trace))
    dead = int((~live).sum())
    if dead:
        yield Doubt(
            label,
            f"{dead} of {live.size} eigenvalues at the first planes' images are zero to rounding: features that are "
            "constant around an image (dead units) drop out of the volume element there, which jumps where they do.",
        )
    spread = (
        float(np.sqrt(np.max(trained.values[live]) / np.min(trained.values[live])))
        if live.any()
        else 1.0
    )
    if spread > GRADED:
        yield Doubt(
            label,
            f"Singular values of the Jacobian spread over a factor of {spread:.1g}: features that hardly react to "
            "anything weigh as much in the volume element as those that decide.",
        )
    if not (
        np.diff(prediction(trace["line_logits"].isel(snapshot=-1).values), axis=-1) != 0
    ).any():
        yield Doubt(label, "No line crosses a decision boundary.")
