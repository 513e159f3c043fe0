"""Figures 4 and 5 of Zavatone-Veth et al. (2023): ResNets that classify images, along lines and in planes.

Half a minute at scale smoke, the default, on scikit-learn's digits; laptop (a quarter of an hour) reads CIFAR-10 from
the folder that the environment variable CLOSEDFORM_DATA names; paper needs a GPU:

    python examples/geometry/figure_4_resnets.py laptop
"""

import sys

from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.zavatoneveth2023.studies.images import drawing, hypothesis, slices

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/geometry"
traces = sweep(STUDIES["geometry-resnet"].configs(scale), f"{out}/traces")

for label, trace in traces.items():
    for beyond, suffix in ((False, ""), (True, ", position held fixed")):
        correlation = hypothesis.along_lines(trace, "different", "entropy", beyond=beyond)
        print(
            f"{label}: rank correlation of log-volume with the prediction's entropy{suffix}: {correlation.shown}"
        )

print(style.save(drawing.draw_lines(traces), f"{out}/figure_4_lines.png"))
print(style.save(slices.draw_planes(traces, "different"), f"{out}/figure_5_planes.png"))
