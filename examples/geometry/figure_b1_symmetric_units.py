"""Figure B.1 of Zavatone-Veth et al. (2023): volume element and curvature of three erf units at equal angles.

Without bias both are symmetric under turns by a sixth, with bias by a third only. The curvature is a third of what
Eqs. (B.69) and (B.70) print. Seconds at every scale:

    python examples/geometry/figure_b1_symmetric_units.py
"""

import sys

from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.zavatoneveth2023.studies import symmetric_units

scale, out = sys.argv[1] if len(sys.argv) > 1 else "laptop", "closedform-examples/geometry"
traces = sweep(STUDIES["geometry-symmetric-units"].configs(scale), f"{out}/traces")

analysis = symmetric_units.analyse(traces)
for entry in analysis.compared:
    print(
        f"{entry.label}, {entry.quantity}: {entry.value:.12g}, closed form {entry.predicted:.12g}: {entry.verdict}"
    )
print(*analysis.findings, sep="\n")
print(style.save(symmetric_units.draw(traces), f"{out}/figure_b1_symmetric_units.png"))
