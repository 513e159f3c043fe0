"""Figure 5 of Paccolat et al. (2021): how the amplification factor grows with the training set.

As its square root, with the derived prefactor; and of every training set by its own fluctuation. Under a minute at
scale laptop, the default; smoke is quicker, paper needs a GPU:

    python examples/compression/figure_5_amplification.py paper
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.paccolat2021.studies import amplification
from papers.paccolat2021.studies.families import families

scale, out = sys.argv[1] if len(sys.argv) > 1 else "laptop", "closedform-examples/compression"
traces = sweep(STUDIES["compression-amplification"].configs(scale), f"{out}/traces")

groups = families(traces)  # the same labels in the same dimension
fits = {
    name: bridge.compression.amplification_scaling(group)
    for name, group in groups.items()
    if len(group) > 2
}
for name, power in fits.items():
    print(f"{name}: grows as p^{power.fit.exponent:.3f} ± {power.fit.error:.2g}, theory p^0.5")
predicted = {
    label: bridge.compression.saturation(trace)
    for label, trace in traces.items()
    if label.startswith("stripe")
}
for label, ratio in predicted.items():
    print(
        f"{label:<20} log of Lambda* over its prediction {ratio.log_ratio:+.3f} ± {ratio.log_ratio_error:.3f}"
    )

print(style.save(amplification.in_time(groups, predicted), f"{out}/figure_5_in_time.png"))
figure = amplification.against_points(groups, fits, predicted)
print(style.save(figure, f"{out}/figure_5_amplification.png"))
