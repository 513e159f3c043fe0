"""Figure 3 on geometry: volume element and curvature between images (set CLOSEDFORM_DATA for MNIST).

Usage: python examples/geometry_figure_3_mnist.py --scale smoke
"""

import argparse
from pathlib import Path

from bridge import studies
from bridge.report import style
from empirics import store
from empirics.experiments import STUDIES

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--scale", choices=("smoke", "laptop", "paper"), default="laptop")
parser.add_argument("--out", type=Path, default=Path("closedform-examples"), metavar="DIR")
arguments = parser.parse_args()

configs = STUDIES["geometry-mnist"].configs(arguments.scale)
traces = {label: store.run_or_load(config, arguments.out / "traces") for label, config in configs.items()}

analysis = studies.analyse("geometry-mnist", traces)
for finding in analysis.findings:
    print(finding)
for picture in analysis.pictures:
    print(style.save(picture.figure, arguments.out / f"geometry_figure_3_{picture.name}.png"))
