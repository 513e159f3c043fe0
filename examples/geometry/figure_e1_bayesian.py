"""Figure E.1 of Zavatone-Veth et al. (2023): one training example and the volume element of Bayesian networks.

The factor χ of the correction at order 1/width, measured on exact samples of the posterior. Half a minute at scale
smoke, the default; laptop (some minutes) has five times smaller errors:

    python examples/geometry/figure_e1_bayesian.py laptop
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.zavatoneveth2023.studies import bayesian

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/geometry"
traces = sweep(STUDIES["geometry-bayesian"].configs(scale), f"{out}/traces")

quantities = ("metric", "volume_element")
orders = {
    label: [bridge.geometry.first_order(trace, name) for name in quantities]
    for label, trace in traces.items()
}
for label, pair in orders.items():
    for row in pair:
        at = [
            f"{m:.2f} ± {e:.2f} ({x:.2f})"
            for m, e, x in zip(row.measured, row.errors, row.expected, strict=True)
        ]
        print(
            f"{label}, coefficient of 1/n, {row.quantity}, closed form in brackets: {', '.join(at)}"
        )
print(style.save(bayesian.draw_factor(orders), f"{out}/figure_e1_factor.png"))
print(style.save(bayesian.draw_orders(orders), f"{out}/figure_e1_first_order.png"))
