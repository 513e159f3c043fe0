"""Figure 11 of Paccolat et al. (2021): from feature to lazy learning in the scale of the network's output.

The test error, the time at which the network begins to fit and the amplification factor, next to the limits of large
scales: the frozen initial kernel, 1/alpha and the initial weights. Half a minute at scale smoke, the default, whose
networks fit half of their points; laptop (some minutes) is nearer to the figure, paper needs a GPU:

    python examples/compression/figure_11_crossover.py laptop
"""

import sys

import bridge
from bridge.plots import style
from bridge.results.quantity import words
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.paccolat2021.studies import crossover

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/compression"
traces = sweep(STUDIES["compression-crossover"].configs(scale), f"{out}/traces")

compared = bridge.compression.crossover(traces)
for one in crossover.limits(compared, "stripe"):
    print(f"{words(one.quantity)}: {one.why}")
print(f"half-way at alpha = {compared.turning_point:.2g}")

print(style.save(crossover.draw({"stripe": compared}), f"{out}/figure_11_crossover.png"))
