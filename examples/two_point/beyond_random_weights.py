"""Beyond the figures of van Rossem and Saxe (2024): final distances over random initial weights, appendix A.6.

Does their randomness vanish at small initial weights, as Eq. (48) says? Seconds at scale smoke; half a minute at scale
laptop, the default, with a hundred networks at every gain:

    python examples/two_point/beyond_random_weights.py smoke
"""

import sys

from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.vanrossem2024.studies import random_weights

scale, out = sys.argv[1] if len(sys.argv) > 1 else "laptop", "closedform-examples/two_point"
traces = sweep(STUDIES["two-point-random-weights"].configs(scale), f"{out}/traces")

results = [random_weights.distances(label, trace) for label, trace in traces.items()]
for row in results:
    print(
        f"{row.label}: final distances scatter by {row.end.std(ddof=1):.3f}, Eq. (48) says {row.spread:.3f}"
    )
print(style.save(random_weights.draw(results), f"{out}/beyond_random_weights.png"))
