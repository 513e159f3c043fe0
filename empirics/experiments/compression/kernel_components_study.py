"""Figures 9 and 10: what the first components of the tangent kernel know of the labels, before and after training.

*Smoke* needs no files: the stripe, and the parity of scikit-learn's digits. *Laptop*: the stripe, and the parity of
MNIST's digits with seven convolutions. *Paper*: h = 10,000, and 16 convolutions; the paper prints neither the network
scale nor the learning rate of its images.

On MNIST alpha is 1: with 0.1 outputs have to grow tenfold, and networks without normalisation die at these learning
rates. So small a network learns features at alpha = 1, too: learnt anew with other images, its kernel errs half as
often after training as before.
"""

from __future__ import annotations

from collections.abc import Mapping

from empirics.experiments.compression.kernel_components_config import Config
from empirics.experiments.study import Scale, Study

SMOKE_DIGITS = Config(
    task="digits", points=200, test_points=400, width=8, blocks=1, alpha=0.1, most_steps=200, kernel_steps=1000,
    realisations=2,
)  # fmt: skip
MNIST = Config(
    task="mnist", points=300, test_points=600, width=8, blocks=2, alpha=1.0, learning_rate=0.02, most_steps=600,
    kernel_steps=5000, realisations=2,
)  # fmt: skip
MNIST_PAPER = Config(
    task="mnist", points=2000, test_points=10_000, width=16, blocks=5, alpha=1.0, learning_rate=0.005,
    most_steps=20_000, kernel_steps=100_000, realisations=5, device="cuda",
)  # fmt: skip
TABLES: Mapping[Scale, Mapping[str, Config]] = {
    "smoke": {
        "stripe": Config(points=300, width=50, most_steps=250, kernel_steps=1000, realisations=2),
        "8 x 8 digits": SMOKE_DIGITS,
    },
    "laptop": {"stripe": Config(), "MNIST": MNIST},
    "paper": {
        "stripe": Config(
            points=4000, test_points=50_000, width=10_000, turning=1e-2, moving=0.1, most_steps=100_000,
            kernel_steps=100_000, realisations=5, device="cuda",
        ),
        "MNIST": MNIST_PAPER,
    },
}  # fmt: skip

STUDY = Study(
    name="compression-kernel-components",
    question="Do the first components of the tangent kernel come to know the labels, and do the last layer's?",
    figure="Figures 9 and 10",
    table=lambda scale: TABLES[scale],
)
