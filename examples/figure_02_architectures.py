"""Figure 2: universal learning dynamics among architectures and nonlinearities.

Usage: python examples/figure_02_architectures.py --scale smoke
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
    print(f"{each.label:<24} tau_h {each.fit.tau_h:8.4g}  tau_y {each.fit.tau_y:8.4g}  R2 {each.fit.r_squared:.4f}")

print(style.save(architectures.draw_dynamics(fitted), arguments.out / "figure_02_architectures.png"))
