"""One run on images: networks of several seeds, one after the other, each looked at when a checkpoint comes."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from empirics.experiments.geometry.mnist.config import Config
from empirics.experiments.geometry.mnist.records import Recorder
from empirics.experiments.session import NEVER, Outcome, Record, Session, run_of

CURVE, IMAGE, LINE = ("seed", "epoch"), ("seed", "epoch", "image"), ("seed", "epoch", "line", "position")
PLANE = ("seed", "vertex")
MEASURED = {
    "log_volume": "log sqrt(det g) of the last hidden layer's features",
    "curvature": "scalar curvature of the same (dimensionless)",
    "curvature_error": "standard error of the curvature; 0 where it is exact",
    "distance": "distance to the decision boundary, at most (pixel values)",
    "prediction": "predicted class",
    "entropy": "entropy of the predicted probabilities (nats)",
}
VARIABLES = {
    "train_loss": (CURVE, "mean cross-entropy (nats)"),
    "train_accuracy": (CURVE, "share of training images in their class"),
    "test_loss": (CURVE, "mean cross-entropy (nats)"),
    "test_accuracy": (CURVE, "share of test images in their class"),
    "volume_seconds": (CURVE, "seconds a point for the volume element"),
    "curvature_seconds": (CURVE, "seconds a point for the curvature"),
    **{f"image_{name}": (IMAGE, meaning) for name, meaning in MEASURED.items()},
    **{f"line_{name}": (LINE, meaning) for name, meaning in MEASURED.items()},
    **{f"plane_{name}": (PLANE, MEASURED[name]) for name in ("log_volume", "prediction", "entropy")},
    "spectrum": (("seed", "epoch", "corner", "eigenvalue"), "eigenvalues of the metric at three images"),
    "constant_pixels": (("seed",), "pixels that are the same in all training images"),
    "image_label": (("seed", "image"), "class"),
    "line_label": (("seed", "line", "end"), "class"),
    "anchor_label": (("seed", "corner"), "class"),
    "line_end": (("seed", "line", "end", "pixel"), "image at the end of a segment"),
    "anchor": (("seed", "corner", "pixel"), "image at a corner of the triangle"),
    "weight": (("seed", "vertex", "corner"), "barycentric coordinate of a point of the triangle"),
    "diverged_at": (("seed",), f"a checkpoint by which the loss is not finite; {NEVER}: none"),
}


@run_of(Config, dtype="float32")
def run(config: Config, session: Session[Config]) -> Record:
    """Train the networks of ``config`` and return the geometry of their last hidden layer.

    Returns:
        Dataset with dimensions ``seed``, ``epoch`` (the checkpoints), ``image``, ``line`` and ``position`` (0 to 1),
        ``vertex`` and ``corner`` (of the triangle), ``eigenvalue``, ``pixel``. NaN where nothing was measured.

    Raises:
        ValueError: if the device is not there, or the data are not (no directory named, not so many images).
        FileNotFoundError: if the data files are not in the directory.
        ModuleNotFoundError: if the digits are asked for without scikit-learn.
    """

    def learn(seed: int) -> Outcome:
        recorder = Recorder(config, seed)
        diverged = NEVER
        try:
            recorder.train(session.progress)
        except ArithmeticError:
            finite = np.isfinite(recorder.values["train_loss"])
            diverged = next((epoch for epoch, good in zip(config.checkpoints, finite, strict=True) if not good), 0)
        return Outcome(recorder.values, diverged, {"origin": recorder.origin})

    parts = session.one_by_one(learn)
    described = {
        name: row for name, row in VARIABLES.items() if config.plane or not name.startswith(("plane_", "weight"))
    }
    coordinates: dict[str, tuple[Any, dict[str, str]]] = {
        "epoch": (np.asarray(config.checkpoints), {"long_name": "epochs of training"}),
        "position": (np.linspace(0, 1, config.steps), {"long_name": "share of the way from one image to the other"}),
    }
    attributes = {"origin": json.dumps(parts.state["origin"], ensure_ascii=False), "inputs": config.pixels}
    return Record(parts.stacked(described), coordinates, attributes)
