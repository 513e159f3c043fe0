"""Figure 3 of the Leaky ResNets: path length and momenta against the effective depth.

Usage: python examples/figure_3_bounded.py --scale smoke
"""

import argparse
from pathlib import Path

from bridge.report import style
from bridge.studies.leaky_resnet import depths
from empirics import store
from empirics.experiments import STUDIES

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--scale", choices=("smoke", "laptop", "paper"), default="laptop")
parser.add_argument("--out", type=Path, default=Path("closedform-examples"), metavar="DIR")
arguments = parser.parse_args()

configs = STUDIES["leaky-resnet-depths"].configs(arguments.scale)
traces = {label: store.run_or_load(config, arguments.out / "traces") for label, config in configs.items()}

print(style.save(depths.draw_bounded(traces["default"]), arguments.out / "figure_3_bounded.png"))
