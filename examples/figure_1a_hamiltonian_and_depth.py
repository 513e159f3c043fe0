"""Figure 1a of the Leaky ResNets: -2H/depth and the least cost of identity against the effective depth.

Usage: python examples/figure_1a_hamiltonian_and_depth.py --scale smoke
"""

import argparse
from pathlib import Path

from bridge.report import style
from bridge.studies.leaky_resnet import depths, networks
from empirics import store
from empirics.experiments import STUDIES

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--scale", choices=("smoke", "laptop", "paper"), default="laptop")
parser.add_argument("--out", type=Path, default=Path("closedform-examples"), metavar="DIR")
arguments = parser.parse_args()

configs = STUDIES["leaky-resnet-depths"].configs(arguments.scale)
traces = {label: store.run_or_load(config, arguments.out / "traces") for label, config in configs.items()}

found = networks.measured(traces["default"])
for depth in found.depth.values:
    one = found.sel(depth=depth)
    print(
        f"depth {depth:4g}  -2H/depth {one['rank'].values.round(2)}  relative gradient {one.residual.values.round(3)}"
    )

print(style.save(depths.draw_rank(found), arguments.out / "figure_1a_hamiltonian_and_depth.png"))
