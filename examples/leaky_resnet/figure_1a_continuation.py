"""Figure 1a of Jacot and Kaiser (2024) at large effective depths, where networks continue those of smaller ones.

-2H/depth should near the teacher's inner dimension from below. Seconds at scale smoke, the default, whose effective
depths are too small for the limit; laptop (some minutes) goes on to 21, paper needs a GPU:

    python examples/leaky_resnet/figure_1a_continuation.py laptop
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.jacot2024.studies import depths, networks, panels

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/leaky_resnet"
traces = sweep(STUDIES["leaky-resnet-continuation"].configs(scale), f"{out}/traces")

measured = networks.measured(traces["continued"])
for depth in measured.depth.values:
    at_depth = measured.sel(depth=depth)
    mean, error = bridge.leaky_resnet.mean_and_error(at_depth["rank"])
    print(
        f"depth {depth:4g}  -2H/depth {mean:.2f} ± {error:.2f}  gradient up to {float(at_depth.residual.max()):.2g}"
    )
print(
    "limit:",
    depths.limit("continued", measured) or "too few critical networks at large effective depths",
)

print(style.save(panels.draw_rank(measured), f"{out}/figure_1a_continuation.png"))
