"""Beyond Zavatone-Veth et al. (2023), who take all widths to infinity: how the kernels of two inputs vary together.

Half a minute at scale smoke, the default; laptop (a quarter of an hour) has more networks, shapes and angles:

    python examples/finite_width/beyond_two_inputs.py laptop
"""

import sys

from bridge.finite_width import analyse
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from theory.engine import Act, Dense, finite_pair

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/two_inputs"
net = Dense(2, width=30) >> Act("relu") >> Dense(2)
covariance = finite_pair(net).covariance("xx", "xy")
print(f"relu, width 30, at a right angle: {covariance(xx=1, yy=1, xy=0):.4g}, by theory")

analysis = analyse(sweep(STUDIES["finite-width-two-inputs"].configs(scale), f"{out}/traces"))
for finding in analysis.findings:
    print(finding)
print(style.save(analysis.pictures[1].figure, f"{out}/two_inputs.png"))
