"""Beyond Cheong (2025), as its Section 4 asks: NC1 of imbalanced classes, with other weights, and a ratio of traces.

A quarter of a minute at scale smoke, the default, on scikit-learn's 8 x 8 digits; laptop (a minute or two) reads
Fashion-MNIST from the folder that the environment variable CLOSEDFORM_DATA names:

    python examples/collapse/beyond_imbalanced_classes.py laptop
"""

import sys

from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.cheong2025.studies import controls

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/collapse"
traces = sweep(STUDIES["collapse-controls"].configs(scale), f"{out}/traces")

for label, trace in traces.items():
    print(f"{label}, training images: logarithms by layer")
    for metric in controls.METRICS:
        print(
            f"  {metric:12}",
            *(f"{value:8.3f}" for value in controls.measured(trace, metric, "train").mean(axis=0)),
        )

balanced, imbalanced = traces.values()
for metric in controls.METRICS:
    rises = controls.rise(balanced, imbalanced, metric)
    print(
        f"imbalance adds {rises.mean():+.2f} to the logarithm of {metric}, last layer, test images"
    )

print(style.save(controls.draw(traces), f"{out}/beyond_imbalanced_classes.png"))
