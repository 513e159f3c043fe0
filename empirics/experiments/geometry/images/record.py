"""The trace of both experiments on images: names, dimensions and meanings of its variables."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from empirics.data.names import CLASSES, SHAPES
from empirics.experiments.geometry.images import slices
from empirics.experiments.geometry.images.config import VisionConfig
from empirics.experiments.geometry.images.measured import KINDS
from empirics.experiments.geometry.images.splits import NAMES
from empirics.runs.parts import Parts
from empirics.runs.session import RunResult

SPLITS = ("train", "test")
LINE, PLANE = ("seed", "snapshot", "line", "position"), ("seed", "snapshot", "plane", "row", "column")
SPHERE: dict[str, tuple[tuple[str, ...], str]] = {
    "line_sphere_log_volume": (LINE, "log sqrt(det g) of the features divided by their length, on the sphere")
}
PICTURE = ("channel", "pixel_row", "pixel_column")
VARIABLES = {
    "training_loss": (("seed", "epoch"), "mean loss of the batches of the epoch, augmented, in training mode"),
    "accuracy": (("seed", "snapshot", "split"), "accuracy of the readout or the linear probe"),
    "line_log_volume": (LINE, "log sqrt(det g), natural logarithm"),
    "line_distance": (LINE, "distance to the decision boundary to first order (normalised input)"),
    "line_logits": ((*LINE, "class"), "logits"),
    "plane_log_volume": (PLANE, "log sqrt(det g), natural logarithm"),
    "plane_distance": (PLANE, "distance to the decision boundary to first order (normalised input)"),
    "plane_logits": ((*PLANE, "class"), "logits"),
    "spectrum": (("seed", "snapshot", "corner", "eigenvalue"), "eigenvalues of the metric at the first plane's images"),
    "line_labels": (("seed", "line", "end"), "classes of the two images"),
    "plane_labels": (("seed", "plane", "corner"), "classes of the three images"),
    "line_images": (("seed", "line", "end", *PICTURE), "the two images, 0 to 255"),
    "plane_images": (("seed", "plane", "corner", *PICTURE), "the three images, 0 to 255"),
    "diverged_at": (("seed",), "first epoch with a loss that is not finite; -1: none"),
}


def recorded(config: VisionConfig, parts: Parts, *, on_sphere: bool = False) -> RunResult:
    """Return the record of a run from the values of its seeds, with those on the unit sphere if they were measured."""
    x, y = slices.plane_axes(config.resolution, config.margin)
    coordinates: dict[str, tuple[Any, dict[str, str]]] = {
        "epoch": (np.arange(config.epochs + 1), {"long_name": "epochs of training"}),
        "snapshot": (np.asarray(config.measured_at), {"long_name": "epoch after which the geometry was measured"}),
        "split": (np.asarray(SPLITS, dtype=str), {}),
        "line": (np.asarray([f"{kind} {i}" for kind in KINDS for i in range(config.lines)], dtype=str), {}),
        "plane": (np.asarray(planes(config), dtype=str), {"long_name": "classes of the three images"}),
        "position": (np.linspace(0, 1, config.positions), {"long_name": "weight of the second image"}),
        "row": (y, {"long_name": "vertical coordinate on the plane, in units of the triangle's side"}),
        "column": (x, {"long_name": "horizontal coordinate on the plane, in units of the triangle's side"}),
    }
    attributes = {
        "classes": CLASSES,
        "class_names": json.dumps(NAMES[config.dataset]),
        "channels": SHAPES[config.dataset][0],
        "origin": parts.state["origin"],
        "train_size": parts.state["train_size"],
        "test_size": parts.state["test_size"],
    }
    return RunResult(parts.stacked({**VARIABLES, **SPHERE} if on_sphere else VARIABLES), coordinates, attributes)


def planes(config: VisionConfig) -> tuple[str, ...]:
    """Return the names of the planes: ``different``, ``different 2``, ... through several classes, ``same`` last."""
    different, same = KINDS
    return (different, *(f"{different} {i}" for i in range(2, len(config.triples) + 1)), same)
