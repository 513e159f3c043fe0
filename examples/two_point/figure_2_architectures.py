"""Figures 2 and 12 of van Rossem and Saxe (2024): one theory with two fitted constants, eleven kinds of network.

Coloured: every network; dashed: the theory from its initial state, with the two time constants fitted to its curves.
The losses take one more constant, the time in which the mean output is learnt. About a minute at scale laptop, the
default; smoke is quicker, paper needs a GPU:

    python examples/two_point/figure_2_architectures.py paper
"""

import sys

from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.vanrossem2024.studies import fitted, single

scale, out = sys.argv[1] if len(sys.argv) > 1 else "laptop", "closedform-examples/two_point"
traces = sweep(STUDIES["two-point-architectures"].configs(scale), f"{out}/traces")

networks = fitted.fit_each(traces)  # bridge.two_point.fit of every trace, with its label
for net in networks:
    fit, loss = net.fit, f"R2 {net.fit.mean.r_squared:.4f}" if net.fit.mean else "not fitted"
    print(
        f"{net.label:<24} tau_h {fit.tau_h:7.4g}  tau_y {fit.tau_y:7.4g} epochs  R2 {fit.r_squared:.4f}  loss: {loss}"
    )

print(style.save(single.draw_dynamics(networks), f"{out}/figure_2_architectures.png"))
print(style.save(single.draw_losses(networks), f"{out}/figure_12_losses.png"))
