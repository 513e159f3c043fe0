"""Figures 4 and 14 of van Rossem and Saxe (2024): two digits within MNIST, and how linear the maps become by the end.

Dashed: the theory of two points, fitted to a zero and a one while the network learns all digits. Set CLOSEDFORM_DATA to
the folder of MNIST. A minute at scale laptop, the default; smoke takes seconds, paper needs a GPU:

    python examples/two_point/figure_4_mnist_pairs.py paper
"""

import sys

from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.vanrossem2024.studies import mnist_pairs

scale, out = sys.argv[1] if len(sys.argv) > 1 else "laptop", "closedform-examples/two_point"
traces = sweep(STUDIES["two-point-mnist-pairs"].configs(scale), f"{out}/traces")

analysis = mnist_pairs.analyse(traces)  # bridge.two_point.fit of every pair
print(*analysis.findings, sep="\n")
for picture in analysis.pictures:
    print(style.save(picture.figure, f"{out}/{picture.name}.png"))
