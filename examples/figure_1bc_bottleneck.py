"""Figures 1b and 1c of the Leaky ResNets: spectra along the layers, and H beside its parts.

Usage: python examples/figure_1bc_bottleneck.py --scale smoke
"""

import argparse
from pathlib import Path

from bridge import leaky_resnet
from bridge.report import style
from bridge.studies.leaky_resnet import bottleneck
from empirics import store
from empirics.experiments import STUDIES

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--scale", choices=("smoke", "laptop", "paper"), default="laptop")
parser.add_argument("--out", type=Path, default=Path("closedform-examples"), metavar="DIR")
arguments = parser.parse_args()

configs = STUDIES["leaky-resnet-bottleneck"].configs(arguments.scale)
traces = {label: store.run_or_load(config, arguments.out / "traces") for label, config in configs.items()}

found = leaky_resnet.conservation(traces["default"])
for seed in found.seed.values:
    one = found.sel(seed=seed).isel(depth=-1)
    varies = f"varies {float(one.ratio):.0f} times less than its parts"
    print(f"seed {seed}  -2H/depth {float(one['rank']):.2f}, {varies}; relative gradient {float(one.residual):.2f}")

print(style.save(bottleneck.draw(traces["default"]), arguments.out / "figure_1bc_bottleneck.png"))
