"""Figure 10: fit loss and effective learning rates in every hidden layer.

Usage: python examples/figure_10_layers.py --scale smoke
"""

import argparse
from pathlib import Path

from bridge.report import style
from bridge.studies.two_point import layers
from bridge.studies.two_point.layers import fit_layers
from empirics import store
from empirics.experiments import STUDIES

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--scale", choices=("smoke", "laptop", "paper"), default="laptop")
parser.add_argument("--out", type=Path, default=Path("closedform-examples"), metavar="DIR")
arguments = parser.parse_args()

configs = STUDIES["two-point-layer"].configs(arguments.scale)
traces = {label: store.run_or_load(config, arguments.out / "traces") for label, config in configs.items()}

fitted = fit_layers(traces)
for each in fitted:
    rates = f"1/tau_h {1 / each.fit.tau_h:.3g}  1/tau_y {1 / each.fit.tau_y:.3g}"
    print(f"layer {each.layer:>2}  fit loss {each.fit.loss:9.3g}  {rates}")

print(style.save(layers.draw(fitted), arguments.out / "figure_10_layers.png"))
