"""Figure 3 of van Rossem and Saxe (2024): from small initial weights to large ones, and where the theory ends.

Small weights: a plateau, then a representation that the data decide. Large ones: the representation stays near where it
began, and the theory fails. Printed: the final distance by Eq. (10), with the fitted time constants, and as measured.
Half a minute at scale laptop, the default; smoke is quicker, paper needs a GPU:

    python examples/two_point/figure_3_initial_weights.py paper
"""

import sys

import theory
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.vanrossem2024.studies import fitted, single

scale, out = sys.argv[1] if len(sys.argv) > 1 else "laptop", "closedform-examples/two_point"
traces = sweep(STUDIES["two-point-initial-weights"].configs(scale), f"{out}/traces")

networks = fitted.fit_each(traces)  # bridge.two_point.fit of every trace, with its label
final_distance = theory.catalogue()["two_point.final_distance"]
for net in networks:
    data = net.trace.dx2, net.trace.target2
    predicted = [
        final_distance(*seed.initial_state[:2], seed.tau_h, seed.tau_y, *data)
        for seed in net.fit.per_seed
    ]
    measured = net.trace.dh2.sel(layer=net.layer).isel(step=-1).values
    print(f"{net.label:<28} R2 {net.fit.r_squared:6.3f}  dh2 at the end, network by network:")
    print("  theory  ", *(f"{value:6.3f}" for value in predicted))
    print("  measured", *(f"{value:6.3f}" for value in measured))

print(style.save(single.draw(networks), f"{out}/figure_3_initial_weights.png"))
