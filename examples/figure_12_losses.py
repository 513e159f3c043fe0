"""Figure 12: training losses among architectures and nonlinearities.

Usage: python examples/figure_12_losses.py --scale smoke
"""

import argparse
from pathlib import Path

from bridge.report import style
from bridge.studies.two_point import architectures
from bridge.studies.two_point.fitted import fit_each
from empirics import store
from empirics.experiments import STUDIES

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--scale", choices=("smoke", "laptop", "paper"), default="laptop")
parser.add_argument("--out", type=Path, default=Path("closedform-examples"), metavar="DIR")
arguments = parser.parse_args()

configs = STUDIES["two-point-architectures"].configs(arguments.scale)
traces = {label: store.run_or_load(config, arguments.out / "traces") for label, config in configs.items()}

fitted = fit_each(traces)
for each in fitted:
    print(f"{each.label:<24} tau_mean {each.fit.tau_mean or float('nan'):8.4g}")

print(style.save(architectures.draw_losses(fitted), arguments.out / "figure_12_losses.png"))
