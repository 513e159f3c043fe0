"""Figure 6 of Zavatone-Veth et al. (2023): Barlow Twins and SimCLR, with the predictions of a linear probe.

Some minutes at scale smoke, the default, on scikit-learn's digits; laptop reads CIFAR-10 from the folder that the
environment variable CLOSEDFORM_DATA names; paper needs a GPU:

    python examples/geometry/figure_6_self_supervised.py laptop
"""

import sys

from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.zavatoneveth2023.studies.images import drawing, hypothesis, slices

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/geometry"
traces = sweep(STUDIES["geometry-self-supervised"].configs(scale), f"{out}/traces")

for label, trace in traces.items():
    for beyond, suffix in ((False, ""), (True, ", position held fixed")):
        correlation = hypothesis.along_lines(trace, "different", "entropy", beyond=beyond)
        print(
            f"{label}: rank correlation of log-volume with the probe's entropy{suffix}: {correlation.shown}"
        )

print(style.save(drawing.draw_lines(traces), f"{out}/figure_6_lines.png"))
print(style.save(slices.draw_planes(traces, "different"), f"{out}/figure_6_planes.png"))
