"""Figure 11 of Paccolat et al. (2021): the time at which a network begins to fit, against the scale of its output.

It grows by half the growth time of the fastest attractor for every factor e, offset derived as well. A quarter of a
minute at scale smoke, the default; laptop (some minutes) is nearer to the figure, paper needs a GPU:

    python examples/compression/figure_11_time.py laptop
"""

import sys

import bridge
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.paccolat2021.studies import characteristic_time
from papers.paccolat2021.studies.families import families

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/compression"
traces = sweep(STUDIES["compression-time"].configs(scale), f"{out}/traces")

groups = families(traces)  # the same labels in the same dimension
laws = {name: bridge.compression.time_law(group) for name, group in groups.items()}
for name, law in laws.items():
    print(f"{name}: slope and offset of t* in log(1/alpha), in units of tau")
    print(law.slope.summary(), law.offset.summary(), sep="\n")

print(style.save(characteristic_time.draw(groups, laws), f"{out}/figure_11_time.png"))
