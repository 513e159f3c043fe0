"""Figure 3.2 of the thesis: NC1 of every layer while networks learn, with the noise floor.

Usage: python examples/figure_3_2_collapse.py --scale smoke
At laptop scale Fashion-MNIST is read from the folder that the environment variable CLOSEDFORM_DATA names.
"""

import argparse
from pathlib import Path

from bridge import collapse
from bridge.report import style
from bridge.studies.collapse import layers, profiles
from empirics import store
from empirics.experiments import STUDIES

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--scale", choices=("smoke", "laptop", "paper"), default="laptop")
parser.add_argument("--out", type=Path, default=Path("closedform-examples"), metavar="DIR")
arguments = parser.parse_args()

configs = STUDIES["collapse-layers"].configs(arguments.scale)
traces = {label: store.run_or_load(config, arguments.out / "traces") for label, config in configs.items()}

for label, trace in traces.items():
    for epoch, when in ((0, "before"), ("last", "after ")):
        profile = collapse.layer_profile(trace, "train", epoch)
        shown = "  ".join(
            f"{nc1:.3g} (floor {floor:.0f})"
            for nc1, floor in zip(profile.mean, profile.shuffled.mean(axis=0), strict=True)
        )
        print(f"{label}, {when} training, NC1 by layer: {shown}")

print(style.save(layers.draw_collapse(traces), arguments.out / "figure_3_2_collapse.png"))
print(style.save(profiles.draw(traces), arguments.out / "figure_3_2_profiles.png"))
