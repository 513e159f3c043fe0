"""Figures G.1 to G.4 of Zavatone-Veth et al. (2023): volume element and curvature while networks learn exclusive or.

Is volume larger near the decision boundary, and did training make it so? Half a minute at scale
laptop, the default, with networks of three widths; at scale smoke the narrow one learns too little, paper has five:

    python examples/geometry/figure_g1_xor.py paper
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.zavatoneveth2023.studies import maps

scale, out = sys.argv[1] if len(sys.argv) > 1 else "laptop", "closedform-examples/geometry"
traces = sweep(STUDIES["geometry-xor"].configs(scale), f"{out}/traces")

for number, (label, trace) in enumerate(traces.items(), start=1):
    rank = bridge.geometry.expansion(trace)
    print(
        f"{label}: rank correlation of log-volume with the distance to the boundary, interval over networks"
    )
    print(
        f"  before training {rank.before.shown}, after {rank.after.shown}, of the change {rank.change.shown}"
    )
    print(style.save(maps.draw(trace, layer=1), f"{out}/figure_g1_xor_{number}.png"))
