"""Figure 2 on geometry: volume element and curvature while networks learn a sinusoidal boundary.

Usage: python examples/geometry_figure_2_sinusoid.py --scale smoke
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

configs = STUDIES["geometry-sinusoid"].configs(arguments.scale)
traces = {label: store.run_or_load(config, arguments.out / "traces") for label, config in configs.items()}

analysis = studies.analyse("geometry-sinusoid", traces)
for finding in analysis.findings:
    print(finding)
for picture in analysis.pictures:
    print(style.save(picture.figure, arguments.out / f"geometry_figure_2_{picture.name}.png"))
