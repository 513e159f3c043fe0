"""Figure 15 of van Rossem and Saxe (2024): the theory of gradient descent, compared with networks trained with Adam.

It describes them poorly, and the fit says so. A quarter of a minute at scale laptop, the default; smoke is quicker,
paper needs a GPU:

    python examples/two_point/figure_15_adam.py paper
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.vanrossem2024.studies import fitted, single

scale, out = sys.argv[1] if len(sys.argv) > 1 else "laptop", "closedform-examples/two_point"
traces = sweep(STUDIES["two-point-adam"].configs(scale), f"{out}/traces")

print(bridge.two_point.fit(traces["Adam"]).summary())
print(style.save(single.draw(fitted.fit_each(traces)), f"{out}/figure_15_adam.png"))
