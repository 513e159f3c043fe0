"""Figures 7, 8, 13 and 17 of van Rossem and Saxe (2024): blobs in two contexts, from very low to high initial weights.

At small weights the representation collapses along the coordinate that the context does not ask for; at very small ones
both contexts come to lie on one line. Four minutes at scale laptop, the default; smoke takes half a minute:

    python examples/two_point/figure_8_blobs.py paper
"""

import sys

from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.vanrossem2024.studies import blobs

scale, out = sys.argv[1] if len(sys.argv) > 1 else "laptop", "closedform-examples/two_point"
traces = sweep(STUDIES["two-point-blobs"].configs(scale), f"{out}/traces")

analysis = blobs.analyse(traces)
print(*analysis.findings, sep="\n")
for picture in analysis.pictures:
    print(style.save(picture.figure, f"{out}/{picture.name}.png"))
