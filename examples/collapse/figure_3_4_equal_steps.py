"""Figure 3.4 of Cheong (2025): does log NC1 fall by equal steps from layer to layer, and would chance do as well?

Over three layers any fall has a correlation of at least 0.866 with depth, so the steps themselves are compared.
A quarter of a minute at scale smoke, the default, on scikit-learn's 8 x 8 digits; laptop (ten minutes) reads
Fashion-MNIST and CIFAR-10 from the folder that the environment variable CLOSEDFORM_DATA names; paper needs a GPU:

    python examples/collapse/figure_3_4_equal_steps.py laptop
"""

import sys

import bridge
import theory
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.cheong2025.studies import separations

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/collapse"
traces = sweep(STUDIES["collapse-layers"].configs(scale), f"{out}/traces")

print(
    "least |r| of any fall over three layers:",
    theory.collapse.equiseparation([4.0, 1.0, 1.0 - 1e-9]).r,
)
for label, trace in traces.items():
    for split in ("train", "test"):
        law = bridge.collapse.equiseparation(trace, split)
        print(
            f"{label}, {split}: {law.summary()}; probability of the difference of steps: {law.p_equal:.2g}"
        )

print(style.save(separations.draw(traces), f"{out}/figure_3_4_equal_steps.png"))
