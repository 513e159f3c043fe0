"""Figure 1a of Jacot and Kaiser (2024): -2H/depth and the least cost of identity against the effective depth.

The first should near the teacher's inner dimension (dashed) from below, the second from above. Seconds at scale smoke,
the default, whose networks are far from critical; laptop (some minutes) has seven depths, paper needs a GPU:

    python examples/leaky_resnet/figure_1a_depths.py laptop
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.jacot2024.studies import networks, panels

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/leaky_resnet"
traces = sweep(STUDIES["leaky-resnet-depths"].configs(scale), f"{out}/traces")

# bridge.leaky_resnet.conservation, rank_bounds and spectral_gap
measured = networks.measured(traces["default"])
for depth in measured.depth.values:
    at_depth = measured.sel(depth=depth)
    rank, cost = (
        bridge.leaky_resnet.mean_and_error(at_depth[name]) for name in ("rank", "minimal_cost")
    )
    print(
        f"depth {depth:4g}  -2H/depth {rank[0]:.2f} ± {rank[1]:.2f}  least cost of identity {cost[0]:.2f} ± "
        f"{cost[1]:.2f}  relative gradient up to {float(at_depth.residual.max()):.2g}"
    )

print(style.save(panels.draw_rank(measured), f"{out}/figure_1a_depths.png"))
