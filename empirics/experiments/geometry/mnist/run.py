"""Training of one network per seed on images, with measurements of its geometry at the checkpoints."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from empirics.experiments.geometry.mnist.config import Config
from empirics.experiments.geometry.mnist.records import GeometryRecorder
from empirics.runs.session import NEVER, RunResult, SeedResult, Session, run_of

CURVE, IMAGE, LINE = (
    ("seed", "epoch"),
    ("seed", "epoch", "image"),
    ("seed", "epoch", "line", "position"),
)
PLANE = ("seed", "epoch", "triangle", "vertex")
MEASURED = {
    "log_volume": "log sqrt(det g) of the last hidden layer's features",
    "curvature": "scalar curvature of the last hidden layer's features (dimensionless)",
    "curvature_error": "standard error of the curvature; 0 where it is exact",
    "distance": "upper bound of the distance to the decision boundary (pixel values)",
    "prediction": "predicted class",
    "entropy": "entropy of the predicted probabilities (nats)",
}
VARIABLES = {
    "train_loss": (CURVE, "mean cross-entropy (nats)"),
    "train_accuracy": (CURVE, "accuracy on the training images"),
    "test_loss": (CURVE, "mean cross-entropy (nats)"),
    "test_accuracy": (CURVE, "accuracy on the test images"),
    "volume_seconds": (CURVE, "computing time per point for the volume element (s)"),
    "curvature_seconds": (CURVE, "computing time per point for the curvature (s)"),
    **{f"image_{name}": (IMAGE, meaning) for name, meaning in MEASURED.items()},
    **{f"line_{name}": (LINE, meaning) for name, meaning in MEASURED.items()},
    **{
        f"plane_{name}": (PLANE, MEASURED[name])
        for name in ("log_volume", "prediction", "entropy")
    },
    "spectrum": (
        ("seed", "epoch", "corner", "eigenvalue"),
        "eigenvalues of the metric at the first triangle's images",
    ),
    "constant_pixels": (("seed",), "number of pixels that are the same in all training images"),
    "image_label": (("seed", "image"), "class"),
    "line_label": (("seed", "line", "end"), "class"),
    "anchor_label": (("seed", "triangle", "corner"), "class"),
    "line_end": (("seed", "line", "end", "pixel"), "image at the end of a segment"),
    "anchor": (("seed", "triangle", "corner", "pixel"), "image at a corner of a triangle"),
    "weight": (("seed", "vertex", "corner"), "barycentric coordinate of a point of a triangle"),
    "diverged_at": (("seed",), f"first checkpoint not reached with a finite loss; {NEVER}: none"),
}


@run_of(Config, dtype="float32")
def run(config: Config, session: Session[Config]) -> RunResult:
    """Train the networks of ``config`` and return the geometry of their last hidden layer.

    Args:
        config: the configuration.
        session: what keeps time, checkpoints and progress; the decorated function takes its options as keywords.

    Returns:
        Dataset with dimensions ``seed``, ``epoch`` (the checkpoints), ``image``, ``line`` and ``position`` (0 to 1),
        ``triangle``, ``vertex`` and ``corner`` (of a triangle), ``eigenvalue`` and ``pixel``. NaN where nothing was
        measured.

    >>> sizes = {"train_size": 50, "test_size": 60, "images": 3, "lines": 1, "steps": 3, "plane": 3}
    >>> config = Config(dataset="digits", widths=(70,), epochs=1, checkpoints=(0, 1), triples=(1, 2, 3), **sizes)
    >>> run(config, progress=False).sizes["epoch"]
    2
    """

    def learn(seed: int) -> SeedResult:
        recorder = GeometryRecorder(config, seed)
        diverged = NEVER
        try:
            recorder.train(session.unfinished, session.progress)
        except ArithmeticError:
            finite = np.isfinite(recorder.values["train_loss"])
            diverged = next(
                (
                    epoch
                    for epoch, is_finite in zip(config.checkpoints, finite, strict=True)
                    if not is_finite
                ),
                0,
            )
        return SeedResult(recorder.values, diverged, {"origin": recorder.origin})

    parts = session.one_by_one(learn)
    described = {
        name: row
        for name, row in VARIABLES.items()
        if config.plane or not name.startswith(("plane_", "weight"))
    }
    coordinates: dict[str, tuple[Any, dict[str, str]]] = {
        "epoch": (np.asarray(config.checkpoints), {"long_name": "epochs of training"}),
        "position": (np.linspace(0, 1, config.steps), {"long_name": "weight of the second image"}),
    }
    attributes = {
        "origin": json.dumps(parts.state["origin"], ensure_ascii=False),
        "inputs": config.pixels,
    }
    return RunResult(parts.stacked(described), coordinates, attributes)
