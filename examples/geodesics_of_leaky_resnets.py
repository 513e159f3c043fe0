"""Small Leaky ResNets against geodesics: closed form, direct solution, order in 1/L (not in the paper).

Usage: python examples/geodesics_of_leaky_resnets.py --scale smoke
"""

import argparse
from pathlib import Path

from bridge import leaky_resnet
from bridge.report import style
from bridge.studies.leaky_resnet import geodesics
from empirics import store
from empirics.experiments import STUDIES

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--scale", choices=("smoke", "laptop", "paper"), default="laptop")
parser.add_argument("--out", type=Path, default=Path("closedform-examples"), metavar="DIR")
arguments = parser.parse_args()

configs = STUDIES["leaky-resnet-geodesics"].configs(arguments.scale)
traces = {label: store.run_or_load(config, arguments.out / "traces") for label, config in configs.items()}

found = {label: leaky_resnet.geodesics(trace) for label, trace in traces.items()}
for label, each in found.items():
    print(f"{label:<20} order in 1/L {each.orders.round(3)}  distance {float(each.found.distance.max()):.1g}")

print(style.save(geodesics.draw(traces, found), arguments.out / "geodesics_of_leaky_resnets.png"))
