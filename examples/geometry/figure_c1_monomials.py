"""Figure C.1 of Zavatone-Veth et al. (2023): curvature of monomial networks against the norm of the input.

Closed forms for degrees and dimensions 2 to 10, with values of finite networks extrapolated to infinite width. Half a
minute at scale smoke, the default; laptop (some minutes) has more networks:

    python examples/geometry/figure_c1_monomials.py laptop
"""

import sys

import numpy as np

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.zavatoneveth2023.studies import monomials
from theory import catalogue

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/geometry"
traces = sweep(STUDIES["geometry-monomials"].configs(scale), f"{out}/traces")

norm = np.sqrt(catalogue()["geometry.curvature_threshold"](q=2, bias=1.0))
print(f"degree 2 in two dimensions: lowest at {norm:.3f}, printed 0.42")
for label, trace in traces.items():
    row = bridge.geometry.convergence(trace, "curvature")
    print(
        f"{label}: largest |z| of the curvature {np.abs(row.z).max():.1f} over {row.norms.size} norms"
    )
print(style.save(monomials.draw(traces.values()), f"{out}/figure_c1_monomials.png"))
