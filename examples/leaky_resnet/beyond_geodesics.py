"""Beyond Jacot and Kaiser (2024): small Leaky ResNets against geodesics, in closed form and solved directly.

Trained networks approach those of infinitely many layers, which the theory has, as 1/L. A minute and a half at
scale smoke, the default; laptop (some minutes) has more layers:

    python examples/leaky_resnet/beyond_geodesics.py laptop
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.jacot2024.studies import geodesics

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/leaky_resnet"
traces = sweep(STUDIES["leaky-resnet-geodesics"].configs(scale), f"{out}/traces")

results = {label: bridge.leaky_resnet.geodesics(trace) for label, trace in traces.items()}
for label, result in results.items():
    print(
        f"{label:<20} order in 1/L {result.orders.round(3)}  distance {float(result.networks.distance.max()):.1g}"
    )
    if result.continuum is not None and result.extrapolated is not None:
        value, error = result.extrapolated
        print(
            f"{'':20} squared weights: closed form {result.continuum:.5f}, networks {value:.5f} ± {error:.1g}"
        )

print(style.save(geodesics.draw(traces, results), f"{out}/beyond_geodesics.png"))
