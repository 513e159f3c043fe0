"""Control of Figure 1b of the Leaky ResNets: does the gap follow the teacher's inner dimension?

Usage: python examples/figure_1b_control_of_ranks.py --scale smoke
"""

import argparse
from pathlib import Path

from bridge import leaky_resnet
from bridge.report import style
from bridge.studies.leaky_resnet import ranks
from empirics import store
from empirics.experiments import STUDIES

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--scale", choices=("smoke", "laptop", "paper"), default="laptop")
parser.add_argument("--out", type=Path, default=Path("closedform-examples"), metavar="DIR")
arguments = parser.parse_args()

configs = STUDIES["leaky-resnet-ranks"].configs(arguments.scale)
traces = {label: store.run_or_load(config, arguments.out / "traces") for label, config in configs.items()}

for label, trace in traces.items():
    gap = leaky_resnet.spectral_gap(trace).isel(depth=-1)
    ratios = ", ".join(f"{ratio:.0f}" for ratio in gap.ratio.values)
    print(f"{label:<24} gap after {gap.gap.values.astype(int)}, ratios {ratios}")

print(style.save(ranks.draw_ratios(traces), arguments.out / "figure_1b_control_of_ranks.png"))
