"""Figure 5 of van Rossem and Saxe (2024): final distances at other data, from rates fitted at one choice of data.

Every architecture is fitted once; Eq. (10) then predicts the final distance of networks that learned other inputs and
targets, without a refit. Three minutes at scale laptop, the default; smoke takes half a minute, paper needs a GPU:

    python examples/two_point/figure_5_final_distances.py paper
"""

import sys

from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.vanrossem2024.studies import grid

scale, out = sys.argv[1] if len(sys.argv) > 1 else "laptop", "closedform-examples/two_point"
traces = sweep(STUDIES["two-point-final-distances"].configs(scale), f"{out}/traces")

# bridge.two_point.fit, then theory's two_point.final_distance
fitted, grids = grid.predict(traces)
for one in grids:
    ratio = f"ln(measured/predicted) {one.ratio.text}"
    print(f"{one.label:<18} R2 {one.r_squared:6.3f}  {ratio}  ({one.left_out} not converged)")

print(style.save(grid.draw(grids), f"{out}/figure_5_final_distances.png"))
