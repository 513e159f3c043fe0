"""Figure 14 of van Rossem and Saxe (2024): how linear the maps between digits are after the paper's 30 epochs.

The learning rate that the paper prints has two readings, and the trend of the encoder depends on the reading. Set
CLOSEDFORM_DATA to the folder of MNIST. A minute at scale laptop, the default; smoke takes seconds, paper ten minutes:

    python examples/two_point/figure_14_linearity.py paper
"""

import sys

from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.vanrossem2024.studies import linearity

scale, out = sys.argv[1] if len(sys.argv) > 1 else "laptop", "closedform-examples/two_point"
traces = sweep(STUDIES["two-point-mnist-linearity"].configs(scale), f"{out}/traces")

analysis = linearity.analyse(traces)
for row in analysis.compared:
    print(f"{row.label}: {row.why}")
for picture in analysis.pictures:
    print(style.save(picture.figure, f"{out}/{picture.name}.png"))
