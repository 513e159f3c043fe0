"""Control of Figure 1b of Jacot and Kaiser (2024): does the spectrum's gap follow the teacher's inner dimension k*?

Half a minute at scale smoke, the default; laptop (some minutes) is nearer to the figure, paper needs a GPU:

    python examples/leaky_resnet/figure_1b_ranks.py laptop
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.jacot2024.studies import ranks

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/leaky_resnet"
traces = sweep(STUDIES["leaky-resnet-ranks"].configs(scale), f"{out}/traces")

for label, trace in traces.items():
    gap = bridge.leaky_resnet.spectral_gap(trace).isel(depth=-1)
    ratios = ", ".join(f"{ratio:.0f}" for ratio in gap.ratio.values)
    print(
        f"{label:<24} directions above the gap: {gap.gap.values.astype(int)}, smaller below it by factors {ratios}"
    )

print(style.save(ranks.draw_ratios(traces), f"{out}/figure_1b_ranks.png"))
