"""Figure 2a of Jacot and Kaiser (2024): test cost against the number of layers, for three ways of spacing them.

About a minute at scale laptop, the default; smoke is quicker, paper needs a GPU:

    python examples/leaky_resnet/figure_2a_meshes.py paper
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.jacot2024.studies import meshes

scale, out = sys.argv[1] if len(sys.argv) > 1 else "laptop", "closedform-examples/leaky_resnet"
traces = sweep(STUDIES["leaky-resnet-meshes"].configs(scale), f"{out}/traces")

compared = bridge.leaky_resnet.compare_meshes(traces)
for label, data in compared.items():
    cost, error = bridge.leaky_resnet.mean_and_error(data["test_cost"].isel(depth=0))
    print(f"{label:<20} test cost {cost:.3f} ± {error:.3f}")

print(style.save(meshes.draw(compared), f"{out}/figure_2a_meshes.png"))
