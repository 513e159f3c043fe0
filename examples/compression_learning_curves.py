"""Figures 2 and 7 (bottom) of Paccolat et al. (2021): learning curves, fitted exponents beside the predicted ones.

Usage: python examples/compression_learning_curves.py --scale smoke
"""

import argparse
from pathlib import Path

from bridge.compression.exponents import learning_curves
from bridge.report import style
from bridge.studies.compression.learning_curves import draw
from empirics import store
from empirics.experiments import STUDIES

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--scale", choices=("smoke", "laptop", "paper"), default="laptop")
parser.add_argument("--out", type=Path, default=Path("closedform-examples"), metavar="DIR")
arguments = parser.parse_args()

configs = STUDIES["compression-learning-curves"].configs(arguments.scale)
curves = {
    label: learning_curves(store.run_or_load(config, arguments.out / "traces")) for label, config in configs.items()
}
for label, found in curves.items():
    for each in found:
        low, high = each.interval
        print(
            f"{label}, {each.regime:12}  beta {each.beta:.3f} [{low:.3f}, {high:.3f}]  predicted {each.predicted:.3f}"
        )

print(style.save(draw(curves), arguments.out / "compression_learning_curves.png"))
