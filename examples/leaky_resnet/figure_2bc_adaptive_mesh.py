"""Figures 2b and 2c of Jacot and Kaiser (2024): where each mesh puts its layers along the path of representations.

Under a minute at scale laptop, the default; smoke is quicker, paper needs a GPU:

    python examples/leaky_resnet/figure_2bc_adaptive_mesh.py paper
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.jacot2024.studies import meshes

scale, out = sys.argv[1] if len(sys.argv) > 1 else "laptop", "closedform-examples/leaky_resnet"
traces = sweep(STUDIES["leaky-resnet-adaptive"].configs(scale), f"{out}/traces")

for mesh, data in bridge.leaky_resnet.compare_meshes(traces).items():
    ratio, error = bridge.leaky_resnet.mean_and_error(data["evenness"].isel(depth=0))
    print(f"{mesh:<12} longest over shortest move: {ratio:.3g} ± {error:.2g}")

print(style.save(meshes.draw_spectra(traces), f"{out}/figure_2b_spectra.png"))
print(style.save(meshes.draw_paths(traces), f"{out}/figure_2c_paths.png"))
