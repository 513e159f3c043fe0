r"""Figures 2 and 7 (bottom): how fast does the test error fall, and what does compression gain?

*Smoke*: few points. *Laptop*: the lazy regime in d = 2, where from 1,000 points on its exponent is that of many, and
around the cylinder, where it is not yet; small networks in d = 5 beside their kernels, stopped before the last points
are fitted.
*Paper*: as published (h = 10,000, d = 5 and 10, 20 realisations; the cylinder 9).
"""

from __future__ import annotations

from collections.abc import Mapping

from empirics.experiments.compression.learning_curves_config import REGIMES, Config
from empirics.experiments.study import Scale, Study

SIZES = (100, 215, 464, 1000, 2154, 4642, 10_000)
SMOKE = {
    "stripe, d = 2": Config(sizes=(60, 120, 240, 480), realisations=6, test_points=4000),
    "stripe, d = 5": Config(
        dimension=5, sizes=(30, 60, 120, 240), regimes=REGIMES, kernel_method="flow", compression=None, width=50,
        most_steps=120, kernel_steps=1000, realisations=3, test_points=2000,
    ),
}  # fmt: skip
LAPTOP = {
    "stripe, d = 2": Config(sizes=(1000, 2000, 4000, 8000), test_points=100_000),
    "cylinder, d = 3": Config(model="cylinder", dimension=3, realisations=6),
    "stripe, d = 5": Config(
        dimension=5, sizes=(50, 100, 200, 400), regimes=REGIMES, kernel_method="flow", compression=None, realisations=4,
    ),
}  # fmt: skip
PAPER = {
    f"{model}, d = {d}": Config(
        model=model, dimension=d,  # type: ignore[arg-type]
        sizes=SIZES, regimes=REGIMES, kernel_method="flow", compression=None, width=10_000,
        kernel_steps=200_000, turning=1e-2, moving=0.1, most_steps=100_000, realisations=realisations,
        test_points=50_000, device="cuda",
    )
    for model, d, realisations in (("stripe", 5, 20), ("stripe", 10, 20), ("cylinder", 3, 9))
}  # fmt: skip
TABLES: Mapping[Scale, Mapping[str, Config]] = {"smoke": SMOKE, "laptop": LAPTOP, "paper": PAPER}

STUDY = Study(
    name="compression-learning-curves",
    question="With which exponent does the test error fall in the lazy and in the feature regime, and is compression "
    "of the data what makes the difference?",
    figure="Figures 2 and 7 (bottom)",
    table=lambda scale: TABLES[scale],
)
