"""Figure 3.3 of the thesis: compression gap against generalisation gap, layer by layer.

Usage: python examples/figure_3_3_gaps.py --scale smoke
At laptop scale Fashion-MNIST is read from the folder that the environment variable CLOSEDFORM_DATA names.
"""

import argparse
from pathlib import Path

from bridge import collapse
from bridge.report import style
from bridge.studies.collapse import layers
from empirics import store
from empirics.experiments import STUDIES

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--scale", choices=("smoke", "laptop", "paper"), default="laptop")
parser.add_argument("--out", type=Path, default=Path("closedform-examples"), metavar="DIR")
arguments = parser.parse_args()

configs = STUDIES["collapse-layers"].configs(arguments.scale)
traces = {label: store.run_or_load(config, arguments.out / "traces") for label, config in configs.items()}

for label, trace in traces.items():
    gaps = collapse.gaps(trace)
    for seed, (linear, ranks) in enumerate(zip(gaps.pearson, gaps.spearman, strict=True)):
        shown = "  ".join(f"{a:+.2f} ({b:+.2f})" for a, b in zip(linear, ranks, strict=True))
        print(f"{label}, seed {seed}: correlation (of ranks) of the two gaps, by layer: {shown}")

print(style.save(layers.draw_gaps(traces), arguments.out / "figure_3_3_gaps.png"))
