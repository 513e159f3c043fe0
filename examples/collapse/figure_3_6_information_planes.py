"""Figures 3.5 to 3.8 of Cheong (2025): usable information by layer and epoch, and the information planes.

Sufficiency: what decoders can read of the class; minimality: of what tells the members of a class apart. In bits.
Half a minute at scale smoke, the default, on scikit-learn's 8 x 8 digits; laptop (ten minutes) reads
Fashion-MNIST from the folder that the environment variable CLOSEDFORM_DATA names; paper needs a GPU:

    python examples/collapse/figure_3_6_information_planes.py laptop
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.cheong2025.studies import information

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/collapse"
traces = sweep(STUDIES["collapse-information"].configs(scale), f"{out}/traces")

planes = {label: bridge.collapse.information_plane(trace) for label, trace in traces.items()}
for label, plane in planes.items():
    for cut in plane.cut:
        ends = [
            values[:, [0, -1], 0, cut].mean(axis=0)
            for values in (plane.sufficiency, plane.minimality)
        ]
        ranges = [f"{first:.2f} to {last:.2f}" for first, last in ends]
        print(
            f"{label}, layer {cut}, training images: sufficiency {ranges[0]}, minimality {ranges[1]} bits"
        )

print(style.save(information.draw_curves(traces, planes), f"{out}/figure_3_5_information.png"))
print(
    style.save(information.draw_planes(traces, planes), f"{out}/figure_3_6_information_planes.png")
)
