"""Control of Figure 1b of Jacot and Kaiser (2024): which dimension is kept of a code that surrounds the origin?

Half a minute at scale smoke, the default; laptop (some minutes) is nearer to the figure, paper needs a GPU:

    python examples/leaky_resnet/figure_1b_codes.py laptop
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.jacot2024.studies import ranks

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/leaky_resnet"
traces = sweep(STUDIES["leaky-resnet-codes"].configs(scale), f"{out}/traces")

for label, trace in traces.items():
    bounds, gaps = (
        bridge.leaky_resnet.rank_bounds(trace),
        bridge.leaky_resnet.spectral_gap(trace).gap,
    )
    for depth in trace.depth.values:
        cost = bounds.minimal_cost.sel(depth=depth).mean().item()
        kept = gaps.sel(depth=depth).values.astype(int)
        print(
            f"{label:<28} L = {depth:g}: least cost of identity {cost:.2f} (k* = 1), directions above the gap: {kept}"
        )

print(style.save(ranks.draw_ratios(traces), f"{out}/figure_1b_codes.png"))
