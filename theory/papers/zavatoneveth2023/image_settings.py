r"""Appendices G.3 to G.5: experiments on CIFAR-10."""

from __future__ import annotations

import math

import numpy as np

from theory.core import Check, Finding
from theory.papers.zavatoneveth2023.network import close
from theory.papers.zavatoneveth2023.paper import entry

NORMAL32, SMALLEST32 = float(np.finfo(np.float32).tiny), float(np.finfo(np.float32).smallest_subnormal)

EQUATIONS = (
    entry(
        "G.3 entropy",
        "G.3",
        "With the logarithm to base 10 the entropy of ten classes lies between 0 and 1.",
        Finding.CONFIRMED,
        "It is largest for equal probabilities.",
        steps=(
            Check("largest value", lambda: close(-10 * 0.1 * math.log10(0.1), 1), "equal probabilities"),
            Check("smallest value", lambda: -1.0 * math.log10(1.0) == 0, "a certain class"),
        ),
    ),
    entry(
        "G.3 range of float32",
        "G.3",
        "The smallest positive number of float32 is 1e-38.",
        Finding.CONDITIONAL,
        "1.2e-38.",
        condition="normal numbers are meant, those with full precision",
        steps=(Check("order of magnitude", lambda: round(math.log10(NORMAL32)) == -38, "machine constants"),),
        counterexample=lambda: SMALLEST32 < 1e-44,
        consequence="Subnormal numbers go down to 1.4e-45, with fewer digits.",
    ),
    entry(
        "G.3 training on CIFAR-10",
        "G.3",
        "ResNet-34 with GELU or ReLU; SGD with rate 0.01, momentum 0.9, weight decay 1e-4; batches of 1024, 200 "
        "epochs; padding by 4, random crops and flips; channels shifted and scaled.",
        Finding.DEFINITION,
        "Settings.",
    ),
    entry(
        "G.3 memory",
        "G.3",
        "The volume element of ResNet-50 and ResNet-101 at one image needs more than 80 GB.",
        Finding.OPEN,
        "True of the whole Jacobian at once, with its graph; rows by rows it needs the Jacobian and one backward pass. "
        "A matter of measurement.",
    ),
    entry(
        "G.4 training without labels",
        "G.4",
        "Barlow Twins and SimCLR with ResNet-34, a projector of dimension 256; SGD with rate 0.01, weight decay 1e-4, "
        "batches of 1024, 1000 epochs; logistic regression as the read-out.",
        Finding.DEFINITION,
        "Settings.",
    ),
    entry(
        "G.4 SimCLR",
        "G.4",
        "The volume element of SimCLR dips at decision boundaries, perhaps because its embeddings lie on a sphere.",
        Finding.OPEN,
        "A matter of measurement.",
    ),
    entry(
        "G figures",
        "G",
        "Figures G.1 to G.34.",
        Finding.OPEN,
        "A matter of measurement. The curvatures of Figures G.2 and G.6 carry the factor 3 of (B.15).",
    ),
)
