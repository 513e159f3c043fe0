"""Beyond Zavatone-Veth et al. (2023), who take all widths to infinity: fluctuations of the kernels of finite networks.

Half a minute at scale smoke, the default; laptop (some minutes) has more networks, widths and depths:

    python examples/finite_width/beyond_fluctuations.py laptop
"""

import sys

from bridge.finite_width import analyse
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/finite_width"
traces = sweep(STUDIES["finite-width-fluctuations"].configs(scale), f"{out}/traces")

analysis = analyse(traces)
for finding in analysis.findings:
    print(finding)
print(style.save(analysis.pictures[0].figure, f"{out}/fluctuations.png"))
