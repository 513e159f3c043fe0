"""Accuracies of pairs of networks: f₊ ahead of f₋ (Section 3.1), and true against random labels (Figure 1.1)."""

from __future__ import annotations

import xarray as xr

from bridge.collapse import layer_profile
from bridge.collapse import trace as read
from bridge.collapse.separation import over_seeds
from bridge.collapse.studies import profiles, separations, statements, training
from bridge.collapse.studies.layers import READING, THEORY
from bridge.results.analysis import Analysis, Doubt, Picture, Traces

FITTED = 0.99  # training accuracy of a network that has learnt its training images


def of_channels(traces: Traces) -> Analysis:
    """Compare the test accuracies of both networks on the same images, where f₊ has four times as many channels."""
    checked = {label: read.checked(trace) for label, trace in traces.items()}
    return Analysis(
        traces=checked,
        pictures=(
            training.picture("channels-training", checked),
            Picture("channels-profiles", profiles.CAPTION, profiles.draw(checked)),
        ),
        tables=(training.table(checked), statements.table(checked)),
        findings=(*statements.leads_in_words(checked), *(f"{_shown(*item)}." for item in checked.items())),
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
    accuracies = {label: float(read.at(trace, "accuracy", "train").mean()) for label, trace in traces.items()}
    return tuple(
        Doubt(label, f"Training accuracy is {accuracy:.0%}; the networks of the thesis fit all training images.")
        for label, accuracy in accuracies.items()
        if accuracy < FITTED
    )
