"""Figures 6 and 16 of van Rossem and Saxe (2024): which of the four points of XOR merge in the representation.

Deep networks from small weights merge the pairs with the same target, as Eq. (10) says; two-layer networks only one of
them. Figure 16: by Adam. Two minutes at scale laptop, the default; smoke takes half a minute, paper needs a GPU:

    python examples/two_point/figure_6_xor.py paper
"""

import sys

from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.vanrossem2024.studies import xor

scale, out = sys.argv[1] if len(sys.argv) > 1 else "laptop", "closedform-examples/two_point"
traces = sweep(STUDIES["two-point-xor"].configs(scale), f"{out}/traces")

analysis = xor.analyse(traces)
for one in analysis.results:
    merged, predicted = one.merged(one.measured), one.merged(one.predicted)
    print(
        f"{one.label:<22} merged pairs {merged.mean():.2f}  Eq. (10) {predicted.mean():.2f}  r {one.correlation:.2f}"
    )

for picture in analysis.pictures:
    print(style.save(picture.figure, f"{out}/{picture.name}.png"))
