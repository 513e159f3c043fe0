"""Figure 11: the theory against four altered dynamics.

Usage: python examples/figure_11_alternatives.py --scale smoke
"""

import argparse
from pathlib import Path

from bridge.report import style
from bridge.studies.two_point import alternatives
from bridge.studies.two_point.alternatives import fit_laws
from empirics import store
from empirics.experiments import STUDIES

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--scale", choices=("smoke", "laptop", "paper"), default="laptop")
parser.add_argument("--out", type=Path, default=Path("closedform-examples"), metavar="DIR")
arguments = parser.parse_args()

configs = STUDIES["two-point-alternatives"].configs(arguments.scale)
traces = {label: store.run_or_load(config, arguments.out / "traces") for label, config in configs.items()}

fitted = fit_laws(traces)
for each in fitted:
    print(f"{each.law:<14} fit loss {each.fit.loss:9.3g}  R2 {each.fit.r_squared:.4f}")

print(style.save(alternatives.draw(fitted), arguments.out / "figure_11_alternatives.png"))
