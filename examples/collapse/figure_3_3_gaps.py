"""Figure 3.3 of Cheong (2025): does a network that compresses training images more than others generalise worse?

Compression gap: NC1 of the test images minus that of the training images. Generalisation gap: the same of the losses.
A quarter of a minute at scale smoke, the default, on scikit-learn's 8 x 8 digits; laptop (ten minutes) reads
Fashion-MNIST and CIFAR-10 from the folder that the environment variable CLOSEDFORM_DATA names; paper needs a GPU:

    python examples/collapse/figure_3_3_gaps.py laptop
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.cheong2025.studies import layers

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/collapse"
traces = sweep(STUDIES["collapse-layers"].configs(scale), f"{out}/traces")

for label, trace in traces.items():
    gaps = bridge.collapse.gaps(trace)
    print(
        f"{label}: correlation of the two gaps over epochs, by layer (in brackets: of their ranks)"
    )
    for seed, (linear, ranks) in enumerate(zip(gaps.pearson, gaps.spearman, strict=True)):
        print(
            f"  seed {seed}", *(f"{a:+.2f} ({b:+.2f})" for a, b in zip(linear, ranks, strict=True))
        )

print(style.save(layers.draw_gaps(traces), f"{out}/figure_3_3_gaps.png"))
