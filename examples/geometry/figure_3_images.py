"""Figure 3 of Zavatone-Veth et al. (2023): volume element and curvature on the way from one image to another.

Seconds at scale smoke, the default, on scikit-learn's 8 x 8 digits; laptop (a quarter of an hour) reads MNIST from the
folder that the environment variable CLOSEDFORM_DATA names:

    python examples/geometry/figure_3_images.py laptop
"""

import sys

from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.zavatoneveth2023.studies import image_numbers, interpolation, mnist

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/geometry"
traces = sweep(STUDIES["geometry-mnist"].configs(scale), f"{out}/traces")

for number, (label, trace) in enumerate(traces.items(), start=1):
    for epoch, when in ((0, "before"), (-1, "after")):
        bulge, lines = image_numbers.rise(trace, epoch), mnist.associated(trace, epoch)
        print(
            f"{label}, {when} training: log-volume bulges by {bulge.mean():+.2f} nats between two images",
            end="",
        )
        print(
            f", rank correlation with the distance to the boundary {lines.shown}" if lines else ""
        )
    print(style.save(interpolation.draw(trace), f"{out}/figure_3_interpolation_{number}.png"))
    print(style.save(interpolation.draw_triangle(trace), f"{out}/figure_3_triangle_{number}.png"))
