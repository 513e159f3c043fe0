"""Section 3.1 of Cheong (2025): which test accuracy and loss the residual network reaches.

A quarter of a minute at scale smoke, the default, on scikit-learn's 8 x 8 digits; paper (a quarter of an hour for each
of six networks) reads CIFAR-10 and Fashion-MNIST from the folder that the environment variable CLOSEDFORM_DATA names:

    python examples/collapse/section_3_1_residual.py paper
"""

import sys

from bridge.collapse import trace as read
from bridge.collapse.studies import training
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/collapse"
traces = sweep(STUDIES["collapse-residual"].configs(scale), f"{out}/traces")

for label, trace in traces.items():
    accuracy, loss = (read.at(trace, name, "test").mean() for name in ("accuracy", "loss"))
    print(f"{label}: test accuracy {accuracy:.1%}, test loss {loss:.3f}")
print("thesis: 75.3% and 0.757 on CIFAR-10, 91.0% and 0.323 on Fashion-MNIST")

print(style.save(training.draw(traces), f"{out}/section_3_1_residual.png"))
