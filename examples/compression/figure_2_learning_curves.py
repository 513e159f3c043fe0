"""Figures 2 and 7 (bottom) of Paccolat et al. (2021): learning curves, with fitted and predicted exponents.

Lazy networks learn more slowly than those that compress what does not matter; the theory says by how much. Half a
minute at scale smoke, the default, with few points for an exponent; laptop takes some minutes, paper needs a GPU:

    python examples/compression/figure_2_learning_curves.py laptop
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.paccolat2021.studies import learning_curves

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/compression"
traces = sweep(STUDIES["compression-learning-curves"].configs(scale), f"{out}/traces")

curves = {label: bridge.compression.learning_curves(trace) for label, trace in traces.items()}
for label, exponents in curves.items():
    for curve in exponents:
        low, high = curve.interval
        beta = f"beta {curve.beta:.3f} [{low:.3f}, {high:.3f}]"
        print(
            f"{label}, {curve.regime:12}  {beta}  predicted {curve.predicted:.3f}: {curve.comparison.verdict}"
        )

print(style.save(learning_curves.draw(curves), f"{out}/figure_2_learning_curves.png"))
