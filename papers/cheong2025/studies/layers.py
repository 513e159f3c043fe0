"""Figures 3.1 to 3.4: training, NC1 by layer and epoch, the two gaps, and the law of equal steps."""

import numpy as np
import xarray as xr
from matplotlib.figure import Figure

from bridge.collapse import gaps, layer_profile
from bridge.collapse import trace as read
from bridge.collapse.separation import over_seeds
from bridge.plots import layout, style
from bridge.results.analysis import Analysis, Doubt, Picture, Traces
from papers.cheong2025.studies import panels, profiles, separations, statements, training

FITTED = 0.99  # training accuracy of a network that has learnt its training images

THEORY = tuple(
    f"collapse.{name}"
    for name in (
        "noise_floor", "noise_floor_few_dimensions", "simplex_nc1", "three_layer_correlation", "correlation_chance",
        "monotone_correlation_chance",
    )
)  # fmt: skip
READING = {
    "NC1": "tr(Σ_W Σ_B⁺): variance within classes over variance between them, in the directions that tell classes "
    "apart. Small where classes are tight and far apart.",
    "Noise floor": "NC1 is finite even where labels mean nothing, because estimated class means differ by chance; it "
    "grows with the number of images. A layer says something about its classes as far as it is below its floor.",
    "r": "correlation of log NC1 with the layer: -1 where NC1 falls by equal factors. Three layers have |r| of at "
    "least 0.866 whenever NC1 falls twice, so r close to -1 is weak evidence; the difference of the steps is the test.",
}


def analyse(traces: Traces) -> Analysis:
    """Analyse training, layers, gaps and the law of equal steps."""
    checked = {label: read.checked(trace) for label, trace in traces.items()}
    pictures = (
        Picture("collapse-profiles", profiles.CAPTION, profiles.draw(checked)),
        training.picture("figure-3-1-training", checked, " As Figure 3.1 of the thesis."),
        Picture(
            "figure-3-2-collapse",
            "NC1 of every layer while the networks learn, one curve for each seed; training images solid, test images "
            "dashed. Dots: the noise floor, which is that of the same features with shuffled labels, before and "
            "after training. As Figure 3.2 of the thesis.",
            draw_collapse(checked),
        ),
        Picture(
            "figure-3-3-gaps",
            "Compression gap (NC1 of the test images minus that of the training images) against generalisation gap "
            "(test loss minus training loss), one point for each epoch and seed, later epochs darker; positive "
            "generalisation gaps only. r: Pearson's correlation, mean over seeds. As Figure 3.3 of the thesis.",
            draw_gaps(checked),
        ),
        Picture("figure-3-4-equal-steps", separations.CAPTION, separations.draw(checked)),
    )
    return Analysis(
        traces=checked,
        pictures=pictures,
        tables=(
            training.table(checked),
            profiles.table(checked),
            separations.table(checked),
            statements.table(checked),
        ),
        measured=separations.later_steps(checked),
        how_compared=separations.HOW_COMPARED,
        findings=statements.leads_in_words(checked),
        doubts=tuple(training.doubts(checked)),
        theory=THEORY,
        reading=READING,
    )


def draw_collapse(traces: Traces) -> Figure:
    """Draw Figure 3.2: NC1 of every layer against the epoch."""
    with panels.drawing(traces, [profiles.NC1]) as (figure, axes):
        for axis, (label, trace) in zip(axes[0], traces.items(), strict=True):
            epoch = trace["epoch"].values
            tints = panels.colours(trace.sizes["layer"])
            ends = (np.zeros(trace.sizes["seed"]), trace["last_epoch"].values)
            for tint, layer in zip(tints, trace["layer"].values, strict=True):
                for split in read.SPLITS:
                    measured = trace.sel(layer=layer, split=split)
                    values = measured["nc1"].transpose("seed", "epoch").values
                    panels.curves(axis, epoch, values, color=tint, linestyle=panels.LINES[split])
                    for x, moment in zip(ends, ("initial", "final"), strict=True):
                        floor = measured["shuffled_nc1"].sel(moment=moment).values
                        axis.plot(
                            x,
                            floor,
                            color=tint,
                            marker=".",
                            markersize=4,
                            linestyle="none",
                            alpha=0.5,
                        )
            panels.finish(axis, panels.title(label, trace))
            layout.logarithmic(axis)
        deepest = max(traces.values(), key=lambda trace: int(trace.sizes["layer"]))
        dots = style.entry(
            "noise floor", color=style.INK, marker=".", markersize=4, linestyle="none"
        )
        panels.layers_legend(figure, deepest["layer"].values, dots)
    return figure


def draw_gaps(traces: Traces) -> Figure:
    """Draw Figure 3.3: the two gaps against each other, a panel for each configuration and layer."""
    layers = max(int(trace.sizes["layer"]) for trace in traces.values())
    with layout.drawing(len(traces), layers, size=(2.1, 1.9)) as (figure, axes):
        for row, (label, trace) in zip(axes, traces.items(), strict=True):
            both = gaps(trace)
            tints = panels.colours(len(both.layer))
            for i, (axis, tint) in enumerate(zip(row, tints, strict=False)):
                for generalisation, compression, used in zip(
                    both.generalisation, both.compression, both.used, strict=True
                ):
                    dark = np.linspace(0.3, 1, max(int(used.sum()), 1))[: int(used.sum())]
                    axis.scatter(
                        generalisation[used],
                        compression[used, i],
                        s=11,
                        color=tint,
                        alpha=dark,
                        linewidths=0,
                    )
                axis.axhline(0, color=style.INK, linewidth=0.5)
                known = both.pearson[:, i][np.isfinite(both.pearson[:, i])]
                number = f": r = {known.mean():.2f}" if known.size else ""
                panels.finish(axis, f"layer {both.layer[i]}{number}", integers=False)
                axis.xaxis.get_major_locator().set_params(nbins=4)
                axis.yaxis.get_major_locator().set_params(nbins=5)
            row[0].set_ylabel(panels.title(label, trace) if len(traces) > 1 else "compression gap")
        figure.supxlabel("generalisation gap (nats)", fontsize=9)
        if len(traces) > 1:
            figure.supylabel("compression gap", fontsize=9)
    return figure


def of_channels(traces: Traces) -> Analysis:
    """Analyse training and profiles, and the lead in test accuracy of f₊ over f₋ where both are there."""
    checked = {label: read.checked(trace) for label, trace in traces.items()}
    return Analysis(
        traces=checked,
        pictures=(
            training.picture("channels-training", checked),
            Picture("channels-profiles", profiles.CAPTION, profiles.draw(checked)),
        ),
        tables=(training.table(checked), statements.table(checked)),
        findings=(
            *statements.leads_in_words(checked),
            *(f"{_shown(*item)}." for item in checked.items()),
        ),
        doubts=(*training.doubts(checked), *unfitted(checked)),
        reading={
            "Lead": "Test accuracy of f₊ minus that of f₋, trained on the same images; f₊ is a residual network with "
            "more channels. The thesis reports one network each.",
        },
    )


def of_random_labels(traces: Traces) -> Analysis:
    """Analyse training curves and profiles with true and with random labels."""
    checked = {label: read.checked(trace) for label, trace in traces.items()}
    pictures = (
        Picture(
            "figure-1-1-random-labels",
            "Accuracy and loss with the images' own labels and with random ones (in training; test images keep their "
            "own), one curve for each seed; training images solid, test images dashed. As Figure 1.1 of the thesis.",
            training.draw(checked),
        ),
        Picture("random-labels-profiles", profiles.CAPTION, profiles.draw(checked)),
    )
    return Analysis(
        traces=checked,
        pictures=pictures,
        tables=(training.table(checked), profiles.table(checked), separations.table(checked)),
        findings=tuple(_with_floor(label, trace) for label, trace in checked.items()),
        doubts=tuple(training.doubts(checked)),
        theory=THEORY,
        reading=READING,
    )


def _shown(label: str, trace: xr.Dataset) -> str:
    train, test = (over_seeds(read.at(trace, "accuracy", split)) for split in read.SPLITS)
    return f"{label}: accuracy {train} on the training images, {test} on the test images"


def _with_floor(label: str, trace: xr.Dataset) -> str:
    before, after = (layer_profile(trace, "train", epoch).margin[[0, -1]] for epoch in (0, "last"))
    return (
        f"{_shown(label, trace)}. On the training images the noise floor is {before[0]:.3g} times NC1 in the first "
        f"layer and {before[1]:.3g} times in the last before training, {after[0]:.3g} and {after[1]:.3g} times "
        "after it."
    )


def unfitted(traces: Traces) -> tuple[Doubt, ...]:
    """Return a doubt for every configuration whose networks have not fitted their training images."""
    accuracies = {
        label: float(read.at(trace, "accuracy", "train").mean()) for label, trace in traces.items()
    }
    return tuple(
        Doubt(
            label,
            f"Training accuracy is {accuracy:.0%}; the networks of the thesis fit all training images.",
        )
        for label, accuracy in accuracies.items()
        if accuracy < FITTED
    )
