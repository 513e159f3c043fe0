"""Figure 5 of Paccolat et al. (2021): how the amplification factor grows with the training set.

Usage: python examples/figure_05_amplification.py --scale smoke
"""

import argparse
from pathlib import Path

import bridge
from bridge.report import style
from bridge.studies.compression import amplification_pictures
from bridge.studies.compression.families import families
from empirics import store
from empirics.experiments import STUDIES

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--scale", choices=("smoke", "laptop", "paper"), default="laptop")
parser.add_argument("--out", type=Path, default=Path("closedform-examples"), metavar="DIR")
arguments = parser.parse_args()

configs = STUDIES["compression-amplification"].configs(arguments.scale)
traces = {label: store.run_or_load(config, arguments.out / "traces") for label, config in configs.items()}

groups = families(traces)
fits = {name: bridge.compression.amplification_scaling(group) for name, group in groups.items()}
for name, found in fits.items():
    print(f"{name}\n{found.fit.summary()}")
predicted = {
    label: bridge.compression.saturation(trace) for label, trace in traces.items() if label.startswith("stripe")
}
for label, each in predicted.items():
    print(f"{label:<20} log of Lambda* over its prediction {each.log_ratio:+.3f} +- {each.log_ratio_error:.3f}")

print(style.save(amplification_pictures.in_time(groups, predicted), arguments.out / "figure_05_in_time.png"))
figure = amplification_pictures.against_points(groups, fits, predicted)
print(style.save(figure, arguments.out / "figure_05_amplification.png"))
