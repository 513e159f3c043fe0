"""Figure 2a of the Leaky ResNets: test cost against the number of layers for the three meshes.

Usage: python examples/figure_2a_meshes.py --scale smoke
"""

import argparse
from pathlib import Path

from bridge import leaky_resnet
from bridge.report import style
from bridge.studies.leaky_resnet import meshes
from empirics import store
from empirics.experiments import STUDIES

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--scale", choices=("smoke", "laptop", "paper"), default="laptop")
parser.add_argument("--out", type=Path, default=Path("closedform-examples"), metavar="DIR")
arguments = parser.parse_args()

configs = STUDIES["leaky-resnet-meshes"].configs(arguments.scale)
traces = {label: store.run_or_load(config, arguments.out / "traces") for label, config in configs.items()}

rows = leaky_resnet.compare_meshes(traces)
for row in rows:
    print(f"{row['mesh']:<12} L = {row['layers']:<3} test cost {row['test_cost']:.3f} ± {row['test_cost_error']:.3f}")

print(style.save(meshes.draw(rows), arguments.out / "figure_2a_meshes.png"))
