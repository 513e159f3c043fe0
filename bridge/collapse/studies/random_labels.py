"""Figure 1.1: how far the same network collapses with true labels and with random ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from bridge.collapse import layer_profile
from bridge.collapse import trace as read
from bridge.collapse.separation import over_seeds
from bridge.collapse.studies import profiles, separations, training
from bridge.collapse.studies.layers import READING, THEORY
from bridge.results.analysis import Analysis, Picture

if TYPE_CHECKING:
    import xarray as xr


def analyse(traces: Mapping[str, xr.Dataset]) -> Analysis:
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
        findings=tuple(_finding(label, trace) for label, trace in checked.items()),
        doubts=training.doubts(checked),
        theory=THEORY,
        reading=READING,
    )


def _finding(label: str, trace: xr.Dataset) -> str:
    shown = [over_seeds(read.at(trace, "accuracy", split)) for split in read.SPLITS]
    before, after = layer_profile(trace, "train", 0), layer_profile(trace, "train")
    ratio = np.stack([before.margin[[0, -1]], after.margin[[0, -1]]])
    return (
        f"{label}: accuracy {shown[0]} on the training images, {shown[1]} on the test images. On the training images "
        f"the noise floor is {ratio[0, 0]:.3g} times NC1 in the first layer and {ratio[0, 1]:.3g} times in the last "
        f"before training, {ratio[1, 0]:.3g} and {ratio[1, 1]:.3g} times after it."
    )
