"""Figure 3 of Jacot and Kaiser (2024): the path's length and the momenta stay bounded as the effective depth grows.

Seconds at scale smoke, the default, with two depths; laptop (some minutes) has seven, paper needs a GPU:

    python examples/leaky_resnet/figure_3_bounded.py laptop
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.jacot2024.studies import depths

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/leaky_resnet"
traces = sweep(STUDIES["leaky-resnet-depths"].configs(scale), f"{out}/traces")

trace = traces["default"]
for depth in trace.depth.values:
    length, momentum = (
        trace.path_length.sel(depth=depth),
        trace.momentum_norm.sel(depth=depth).max("node"),
    )
    texts = (
        "{:.3g} ± {:.1g}".format(*bridge.leaky_resnet.mean_and_error(values))
        for values in (length, momentum)
    )
    print(
        f"depth {depth:4g}",
        *(f"{name} {text}" for name, text in zip(("length", "momentum"), texts, strict=True)),
    )

print(style.save(depths.draw_bounded(trace), f"{out}/figure_3_bounded.png"))
