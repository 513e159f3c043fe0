"""Figures 2b and 2c of the Leaky ResNets: where each mesh puts its layers along the path.

Usage: python examples/figure_2bc_adaptive_mesh.py --scale smoke
"""

import argparse
from pathlib import Path

from bridge.report import style
from bridge.studies.leaky_resnet import adaptive
from empirics import store
from empirics.experiments import STUDIES

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--scale", choices=("smoke", "laptop", "paper"), default="laptop")
parser.add_argument("--out", type=Path, default=Path("closedform-examples"), metavar="DIR")
arguments = parser.parse_args()

configs = STUDIES["leaky-resnet-adaptive"].configs(arguments.scale)
traces = {label: store.run_or_load(config, arguments.out / "traces") for label, config in configs.items()}

print(style.save(adaptive.draw_spectra(traces), arguments.out / "figure_2b_adaptive_mesh.png"))
print(style.save(adaptive.draw_paths(traces), arguments.out / "figure_2c_adaptive_mesh.png"))
