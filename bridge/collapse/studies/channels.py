"""Section 3.1: the lead of f₊ over f₋ in test accuracy, where f₊ has four times as many channels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from bridge.collapse import trace as read
from bridge.collapse.separation import over_seeds
from bridge.collapse.studies import profiles, statements, training
from bridge.results.analysis import Analysis, Doubt, Picture

if TYPE_CHECKING:
    import xarray as xr

FITTED = 0.99  # training accuracy of a network that has learnt its training images


def analyse(traces: Mapping[str, xr.Dataset]) -> Analysis:
    """Compare the test accuracies of both networks on the same images."""
    checked = {label: read.checked(trace) for label, trace in traces.items()}
    return Analysis(
        traces=checked,
        pictures=(
            training.picture("channels-training", checked),
            Picture("channels-profiles", profiles.CAPTION, profiles.draw(checked)),
        ),
        tables=(training.table(checked), statements.table(checked)),
        findings=(*statements.leads_in_words(checked), *(_finding(label, trace) for label, trace in checked.items())),
        doubts=(*training.doubts(checked), *unfitted(checked)),
        reading={
            "Lead": "Test accuracy of f₊ minus that of f₋, trained on the same images; f₊ is a residual network with "
            "more channels. The thesis reports one network each.",
        },
    )


def _finding(label: str, trace: xr.Dataset) -> str:
    train, test = (over_seeds(read.at(trace, "accuracy", split)) for split in read.SPLITS)
    return f"{label}: accuracy {train} on the training images, {test} on the test images."


def unfitted(traces: Mapping[str, xr.Dataset]) -> tuple[Doubt, ...]:
    """Return a doubt for every configuration whose networks have not fitted their training images."""
    accuracies = {label: float(read.at(trace, "accuracy", "train").mean()) for label, trace in traces.items()}
    return tuple(
        Doubt(label, "", f"Training accuracy is {accuracy:.0%}; the networks of the thesis fit all training images.")
        for label, accuracy in accuracies.items()
        if accuracy < FITTED
    )
