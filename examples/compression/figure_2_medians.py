"""Figure 2 of Paccolat et al. (2021), by gradient flow: exponents of median test errors beside those of means.

The paper trains frozen kernels by gradient flow and shows medians over the data sets. A minute at scale smoke, the
default, with few points for an exponent; laptop takes some ten minutes:

    python examples/compression/figure_2_medians.py laptop
"""

import sys

import bridge
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.paccolat2021.studies import flow_curves

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/compression"
traces = sweep(STUDIES["compression-learning-curves-flow"].configs(scale), f"{out}/traces")

for label, trace in traces.items():
    for curve in bridge.compression.learning_curves(trace):
        beta, error = flow_curves.of_medians(curve.sizes, curve.errors)
        print(
            f"{label}, {curve.regime:12}  beta of medians {beta:.3f} ± {error:.3f}  of means {curve.beta:.3f}  "
            f"predicted {curve.predicted:.3f}"
        )
