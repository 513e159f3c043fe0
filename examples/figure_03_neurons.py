"""Figure 3 of Paccolat et al. (2021): one neuron against its flow, the fixed points, trajectories of the neurons.

Usage: python examples/figure_03_neurons.py --scale smoke
"""

import argparse
from pathlib import Path

import bridge
from bridge.report import style
from bridge.studies.compression import neuron_pictures
from empirics import store
from empirics.experiments import STUDIES

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--scale", choices=("smoke", "laptop", "paper"), default="laptop")
parser.add_argument("--out", type=Path, default=Path("closedform-examples"), metavar="DIR")
arguments = parser.parse_args()

config = STUDIES["compression-neurons"].configs(arguments.scale)["stripe d=2"]
trace = store.run_or_load(config, arguments.out / "traces")

found = bridge.compression.assignment(trace)
for number, attractor in enumerate(found.attractors):
    print(
        f"z* = {float(attractor.position):+.4f}, tau*/tau = {float(attractor.growth_time):.3f}: "
        f"{(found.nearest == number).sum()} neurons, median lambda {found.median(number):.3g}"
    )
print(style.save(neuron_pictures.figure_3(trace, found), arguments.out / "figure_03_neurons.png"))
