"""Figures 3.5 to 3.8 of the thesis: usable information by layer and epoch, and the information planes.

Usage: python examples/figure_3_6_information_planes.py --scale smoke
At laptop scale Fashion-MNIST is read from the folder that the environment variable CLOSEDFORM_DATA names.
"""

import argparse
from pathlib import Path

from bridge import collapse
from bridge.report import style
from bridge.studies.collapse import information
from empirics import store
from empirics.experiments import STUDIES

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--scale", choices=("smoke", "laptop", "paper"), default="laptop")
parser.add_argument("--out", type=Path, default=Path("closedform-examples"), metavar="DIR")
arguments = parser.parse_args()

configs = STUDIES["collapse-information"].configs(arguments.scale)
traces = {label: store.run_or_load(config, arguments.out / "traces") for label, config in configs.items()}

planes = {label: collapse.information_plane(trace) for label, trace in traces.items()}
for label, plane in planes.items():
    for cut in plane.cut:
        ends = [each[:, [0, -1], 0, cut].mean(axis=0) for each in (plane.sufficiency, plane.minimality)]
        shown = [f"{a:.2f} to {b:.2f}" for a, b in ends]
        print(f"{label}, layer {cut}, training images: sufficiency {shown[0]}, minimality {shown[1]} bits")

print(style.save(information.draw_curves(traces, planes), arguments.out / "figure_3_5_information.png"))
print(style.save(information.draw_planes(traces, planes), arguments.out / "figure_3_6_information_planes.png"))
