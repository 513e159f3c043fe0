"""Figure 8 of Paccolat et al. (2021): does the kernel of a trained network, frozen, learn as well as the network did?

Under a minute at scale smoke, the default, on scikit-learn's 8 x 8 digits; laptop reads MNIST from the folder that the
environment variable CLOSEDFORM_DATA names; paper needs a GPU:

    python examples/compression/figure_8_kernel_learning.py laptop
"""

import sys

from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.paccolat2021.studies import kernel_learning

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/compression"
traces = sweep(STUDIES["compression-kernel-learning"].configs(scale), f"{out}/traces")

for label, trace in traces.items():
    print(
        f"{label:<11} test error of the network {float(trace.network_error.mean()):.1%}; of its kernels, frozen:"
    )
    for kernel in trace.kernel.values:
        print(f"{'':11} {kernel:<20} {float(trace.kernel_error.sel(kernel=kernel).mean()):.1%}")

print(style.save(kernel_learning.draw(traces), f"{out}/figure_8_kernel_learning.png"))
