"""Figure 11 of van Rossem and Saxe (2024): the theory against four altered dynamics, Eq. (51), fitted as freely.

Were the fit good only because two constants are free, dynamics with one term changed would fit as well. A quarter of a
minute at scale laptop, the default; at scale smoke the networks are too small to tell them apart; paper needs a GPU:

    python examples/two_point/figure_11_alternatives.py paper
"""

import sys

from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.vanrossem2024.studies import alternatives

scale, out = sys.argv[1] if len(sys.argv) > 1 else "laptop", "closedform-examples/two_point"
traces = sweep(STUDIES["two-point-alternatives"].configs(scale), f"{out}/traces")

fitted = alternatives.fit_laws(traces)  # bridge.two_point.fit(trace, law=...)
for alternative in fitted:
    print(
        f"{alternative.law:<14} fit loss {alternative.fit.loss:9.3g}  R2 {alternative.fit.r_squared:7.4f}"
    )

print(style.save(alternatives.draw(fitted), f"{out}/figure_11_alternatives.png"))
