"""Figure 1.1 of Cheong (2025): a network that fits random labels, and the same network with the images' own.

How far does a network collapse that learns nothing but noise? NC1 is compared with its floor, at which labels mean
nothing. At scale smoke, the default, this takes half a minute on scikit-learn's 8 x 8 digits. The scale laptop takes
some minutes and reads Fashion-MNIST from the folder that the environment variable CLOSEDFORM_DATA names. The scale
paper needs a GPU:

    python examples/collapse/figure_1_1_random_labels.py laptop
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.cheong2025.studies import training

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/collapse"
traces = sweep(STUDIES["collapse-random-labels"].configs(scale), f"{out}/traces")

for label, trace in traces.items():
    for epoch, when in ((0, "before"), ("last", "after ")):
        margin = bridge.collapse.layer_profile(trace, "train", epoch).margin
        print(
            f"{label:>13}, {when} training: noise floor over NC1, by layer:",
            *(f"{value:8.3g}" for value in margin),
        )

print(style.save(training.draw(traces), f"{out}/figure_1_1_random_labels.png"))
