"""Figures 9 and 18 of van Rossem and Saxe (2024): distances between the representations of a hundred digits.

The paper states correlations of 0.703 and, for different digits only, 0.512 with its prediction. Set CLOSEDFORM_DATA to
the folder of MNIST. A few minutes at scale laptop, the default; smoke takes seconds, paper needs a GPU:

    python examples/two_point/figure_9_mnist.py paper
"""

import sys

from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.vanrossem2024.studies import mnist_structure

scale, out = sys.argv[1] if len(sys.argv) > 1 else "laptop", "closedform-examples/two_point"
traces = sweep(STUDIES["two-point-mnist-structure"].configs(scale), f"{out}/traces")

for label, trace in traces.items():
    structure = mnist_structure.measure(label, trace)
    for kind in structure.predicted:
        every, different = (
            structure.correlation(kind, which).text for which in ("all", "different")
        )
        print(f"{label:<18} {kind:<26} r {every}, different digits {different}")
    name = "figure_9_mnist" if label == "structure" else "figure_18_mnist_adam"
    print(style.save(mnist_structure.draw(structure, trace), f"{out}/{name}.png"))
