"""Figures 9 and 10 of Paccolat et al. (2021): what a tangent kernel's components know of the labels.

Usage: python examples/compression_kernel_components.py --scale smoke
"""

import argparse
from pathlib import Path

from bridge.report import style
from bridge.studies.compression.kernel_components import draw_components, draw_planes, floor
from empirics import store
from empirics.experiments import STUDIES

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--scale", choices=("smoke", "laptop", "paper"), default="laptop")
parser.add_argument("--out", type=Path, default=Path("closedform-examples"), metavar="DIR")
arguments = parser.parse_args()

configs = STUDIES["compression-kernel-components"].configs(arguments.scale)
traces = {label: store.run_or_load(config, arguments.out / "traces") for label, config in configs.items()}
print(f"information where there is none: {floor():.3f} bits")
for label, trace in traces.items():
    for kernel in trace["kernel"].values:
        bits = trace["information"].sel(kernel=kernel).mean("seed").values
        print(f"{label:14} {kernel:20} " + " ".join(f"{each:.2f}" for each in bits))

print(style.save(draw_components(traces), arguments.out / "compression_components.png"))
print(style.save(draw_planes(traces), arguments.out / "compression_planes.png"))
