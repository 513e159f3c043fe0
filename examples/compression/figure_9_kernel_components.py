"""Figures 9 and 10 of Paccolat et al. (2021): what the components of tangent kernels know of the labels.

After training the first components know most of them, before it none. Half a minute at scale smoke, the default; laptop
(some minutes) reads MNIST from the folder that the environment variable CLOSEDFORM_DATA names; paper needs a GPU:

    python examples/compression/figure_9_kernel_components.py laptop
"""

import sys

from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.paccolat2021.studies.kernel_components import draw_components, draw_planes, floor

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/compression"
traces = sweep(STUDIES["compression-kernel-components"].configs(scale), f"{out}/traces")

print(
    f"information with the labels, in bits, component by component; where there is none: {floor():.3f}"
)
for label, trace in traces.items():
    for kernel in trace["kernel"].values:
        bits = trace["information"].sel(kernel=kernel).mean("seed").values
        print(f"{label:14} {kernel:20}", *(f"{value:.2f}" for value in bits))

print(style.save(draw_components(traces), f"{out}/figure_9_kernel_components.png"))
print(style.save(draw_planes(traces), f"{out}/figure_10_planes.png"))
