"""The sizes at which both studies run.

*Smoke* needs no files: scikit-learn's digits, each pixel repeated 2 x 2 times (at 8 x 8 the last stage would have one
position, and units that sleep there would rule the volume element). *Laptop* is a narrow ResNet-18 on a thousand images
of CIFAR-10, averaged to 16 x 16 pixels: enough to see that it runs and what its figures look like, not enough to learn
well (40 % of test images). *Paper* is ResNet-34 of width 64 on whole images, 10,000 of them (what a 12,000-image subset
of CIFAR-10 holds), for a GPU. Derivatives are in float32 throughout, as in the paper: volumes change by factors of e^10
here, and float32 leaves an error of 1e-3 or so in their logarithm.
"""

from __future__ import annotations

from typing import Any

from empirics.experiments.study import Scale

SMOKE: dict[str, Any] = {
    "dataset": "digits", "image_size": 16, "train_size": 300, "test_size": 150, "width": 4, "epochs": 6,
    "batch_size": 25, "learning_rate": 0.02, "lines": 2, "positions": 9, "resolution": 7, "classes": (3, 8, 6),
    "precision": "model", "seeds": 2,
}  # fmt: skip
LAPTOP: dict[str, Any] = {
    "image_size": 16, "train_size": 1000, "test_size": 500, "width": 8, "epochs": 20, "batch_size": 50,
    "learning_rate": 0.02, "lines": 5, "positions": 21, "resolution": 13, "precision": "model", "seeds": 3,
}  # fmt: skip
PAPER: dict[str, Any] = {
    "train_size": 10_000, "test_size": 2_000, "depth": 34, "width": 64, "epochs": 200, "batch_size": 1024,
    "learning_rate": 0.01, "snapshots": (50,), "lines": 10, "positions": 41, "resolution": 41,
    "precision": "model", "seeds": 3, "device": "cuda",
}  # fmt: skip
SIZES: dict[Scale, dict[str, Any]] = {"smoke": SMOKE, "laptop": LAPTOP, "paper": PAPER}
