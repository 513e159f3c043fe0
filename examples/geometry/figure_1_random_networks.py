"""Figure 1 of Zavatone-Veth et al. (2023): random networks approach the closed forms of infinitely wide ones.

Volume element and scalar curvature, extrapolated to infinite width input by input. The curvature is a third of what
Eq. (7) prints. Half a minute at scale smoke, the default; laptop (some minutes) has wider networks and more of them:

    python examples/geometry/figure_1_random_networks.py laptop
"""

import sys

import numpy as np

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.zavatoneveth2023.studies import random_networks

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/geometry"
traces = sweep(STUDIES["geometry-random-networks"].configs(scale), f"{out}/traces")

quantities = ("volume_element", "curvature")
pairs = {
    label: [bridge.geometry.convergence(trace, quantity) for quantity in quantities]
    for label, trace in traces.items()
}
for label, pair in pairs.items():
    for row in pair:
        rate = (
            f"approached as n^{row.rate.exponent:.2f} ± {row.rate.error:.2f}"
            if row.rate
            else "no rate is seen"
        )
        print(f"{label:<12} {row.closed_form:<32} largest |z| {np.abs(row.z).max():.1f}, {rate}")

print(style.save(random_networks.draw(pairs), f"{out}/figure_1_random_networks.png"))
print(style.save(random_networks.draw_rates(pairs), f"{out}/figure_1_rates.png"))
