"""Figure 1.1 of the thesis: a network that fits random labels, beside the same network with the images' own.

Usage: python examples/figure_1_1_random_labels.py --scale smoke
At laptop scale Fashion-MNIST is read from the folder that the environment variable CLOSEDFORM_DATA names.
"""

import argparse
from pathlib import Path

from bridge import collapse
from bridge.report import style
from bridge.studies.collapse import training
from empirics import store
from empirics.experiments import STUDIES

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--scale", choices=("smoke", "laptop", "paper"), default="laptop")
parser.add_argument("--out", type=Path, default=Path("closedform-examples"), metavar="DIR")
arguments = parser.parse_args()

configs = STUDIES["collapse-random-labels"].configs(arguments.scale)
traces = {label: store.run_or_load(config, arguments.out / "traces") for label, config in configs.items()}

for label, trace in traces.items():
    for epoch, when in ((0, "before"), ("last", "after ")):
        margin = collapse.layer_profile(trace, "train", epoch).margin
        print(f"{label:>13}, {when} training: noise floor over NC1, by layer:", *(f"{value:8.3g}" for value in margin))

print(style.save(training.draw(traces), arguments.out / "figure_1_1_random_labels.png"))
