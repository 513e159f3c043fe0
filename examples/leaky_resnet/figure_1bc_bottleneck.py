"""Figures 1b and 1c of Jacot and Kaiser (2024): spectra along the layers, and the Hamiltonian with its two parts.

The middle layers keep few directions, and H stays where its parts change. About a minute at scale laptop,
the default; at scale smoke the networks are far from critical, paper needs a GPU:

    python examples/leaky_resnet/figure_1bc_bottleneck.py paper
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.jacot2024.studies import bottleneck

scale, out = sys.argv[1] if len(sys.argv) > 1 else "laptop", "closedform-examples/leaky_resnet"
traces = sweep(STUDIES["leaky-resnet-bottleneck"].configs(scale), f"{out}/traces")

energy = bridge.leaky_resnet.conservation(traces["default"])
for seed in energy.seed.values:
    net = energy.sel(seed=seed).isel(depth=-1)
    varies = f"varies {float(net.ratio):.0f} times less than its parts"
    print(
        f"seed {seed}  -2H/depth {float(net['rank']):.2f}, {varies}; relative gradient {float(net.residual):.2g}"
    )

print(style.save(bottleneck.draw(traces["default"]), f"{out}/figure_1bc_bottleneck.png"))
