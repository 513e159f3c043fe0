"""Section 3.3 of Cheong (2025): the layers of the plain network are much smaller than those of the residual one.

Seconds at scale smoke, the default, which has the residual network only, on scikit-learn's 8 x 8 digits; paper (ten
seconds) reads CIFAR-10 and Fashion-MNIST from the folder that the environment variable CLOSEDFORM_DATA names:

    python examples/collapse/section_3_3_dimensions.py paper
"""

import sys

from bridge.collapse.studies import statements
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/collapse"
analysis = statements.of_dimensions(sweep(STUDIES["collapse-dimensions"].configs(scale), f"{out}/traces"))

print(*analysis.findings, sep="\n")
print("thesis: 16,384, 8,192 and 4,096 entries in f₊ on CIFAR-10, 1,600, 288 and 64 in f₋")

print(style.save(analysis.pictures[0].figure, f"{out}/section_3_3_dimensions.png"))
