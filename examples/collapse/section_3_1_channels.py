"""Section 3.1 of Cheong (2025): a residual network is ahead of a plain one with a quarter of its channels.

A quarter of a minute at scale smoke, the default, which has the residual network only, on scikit-learn's 8 x 8 digits;
laptop (about ten minutes) and paper (a quarter of an hour for each of six residual networks) read CIFAR-10 and
Fashion-MNIST from the folder that the environment variable CLOSEDFORM_DATA names:

    python examples/collapse/section_3_1_channels.py laptop
"""

import sys

from bridge.collapse import trace as read
from bridge.plots import style
from empirics.experiments import STUDIES
from empirics.sweep import sweep
from papers.cheong2025.studies import statements, training

scale, out = sys.argv[1] if len(sys.argv) > 1 else "smoke", "closedform-examples/collapse"
traces = sweep(STUDIES["collapse-channels"].configs(scale), f"{out}/traces")

for label, trace in traces.items():
    train, test = (read.at(trace, "accuracy", split).mean() for split in read.SPLITS)
    loss = read.at(trace, "loss", "test").mean()
    print(f"{label}: training accuracy {train:.1%}, test {test:.1%}, test loss {loss:.3f}")
for sentence in statements.leads_in_words(traces):
    print(sentence)
print("thesis: f₊ is ahead by 12.7 points on CIFAR-10, by 2.6 points on Fashion-MNIST")

print(style.save(training.draw(traces), f"{out}/section_3_1_channels.png"))
