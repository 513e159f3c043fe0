"""Figure 3.2 of Cheong (2025): NC1 of every layer while a network learns, with the noise floor, and against depth.

A quarter of a minute at scale smoke, the default, on scikit-learn's 8 x 8 digits; laptop (ten minutes) reads
Fashion-MNIST and CIFAR-10 from the folder that the environment variable CLOSEDFORM_DATA names; paper needs a GPU:

    python examples/collapse/figure_3_2_collapse.py laptop
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.cheong2025.studies import layers, profiles

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/collapse"
traces = sweep(STUDIES["collapse-layers"].configs(scale), f"{out}/traces")

for label, trace in traces.items():
    for epoch, when in ((0, "before"), ("last", "after")):
        profile = bridge.collapse.layer_profile(trace, "train", epoch)
        print(
            f"{label}, {when} training: NC1 by layer, measured, shuffled labels, closed form for isotropic classes"
        )
        for layer, *three in zip(
            profile.layer,
            profile.mean,
            profile.shuffled.mean(axis=0),
            profile.isotropic.mean(axis=0),
            strict=True,
        ):
            print(f"  layer {layer}", *(f"{value:10.4g}" for value in three))

print(style.save(layers.draw_collapse(traces), f"{out}/figure_3_2_collapse.png"))
print(style.save(profiles.draw(traces), f"{out}/figure_3_2_profiles.png"))
