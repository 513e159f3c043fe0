"""Figure 3.4 of the thesis: does log NC1 fall by equal steps from layer to layer, and would chance do as well?

Usage: python examples/figure_3_4_equal_steps.py --scale smoke
At laptop scale Fashion-MNIST is read from the folder that the environment variable CLOSEDFORM_DATA names.
"""

import argparse
from pathlib import Path

from bridge import collapse
from bridge.report import style
from bridge.studies.collapse import separations
from empirics import store
from empirics.experiments import STUDIES

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--scale", choices=("smoke", "laptop", "paper"), default="laptop")
parser.add_argument("--out", type=Path, default=Path("closedform-examples"), metavar="DIR")
arguments = parser.parse_args()

configs = STUDIES["collapse-layers"].configs(arguments.scale)
traces = {label: store.run_or_load(config, arguments.out / "traces") for label, config in configs.items()}

for label, trace in traces.items():
    for split in ("train", "test"):
        law = collapse.equiseparation(trace, split)
        print(f"{label}, {split}: {law.summary()}; probability of the difference of steps: {law.p_equal:.2g}")

print(style.save(separations.draw(traces), arguments.out / "figure_3_4_equal_steps.png"))
