"""Section 3: steps that adapt to the speed of the representations."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Claim, Finding, Witness, Word, equal
from theory.core.ledger.printed import solved
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import meshes
from theory.papers.jacot2024.paper import PAPER

layers, l, i = sp.symbols("layers l i", integer=True, positive=True)
multiplier = sp.Symbol("multiplier", real=True)
rho_at, c_at = sp.Function("rho_at", positive=True), sp.Function("c_at", positive=True)

EQUATIONS = (
    PAPER.entry(
        "3 adaptive rate",
        "3",
        "The relative speed of a layer.",
        Finding.DEFINITION,
        "It introduces c. Where A_p is in the layer is left open; here it is its end.",
        printed=r"c_\ell = \frac{\|A_\ell - A_{\ell-1}\|}{\rho_\ell \|A_p\|}",
    ),
    PAPER.entry(
        "3 adaptive",
        "3",
        "Steps inversely proportional to the relative speeds, which make all relative distances equal.",
        Finding.CONFIRMED,
        "Random speeds: the steps sum to one, and all distances are equal. As long as the speeds do not change.",
        printed=equal(rho_at(l), 1 / c_at(l) / sp.Sum(1 / c_at(i), (i, 1, layers))),
        prove=meshes.equalises,
    ),
    PAPER.entry(
        "3 adaptive index",
        "3",
        "The update of the adaptive steps.",
        Finding.MISPRINT,
        "The index of the numerator is that of the step, as in the formula before.",
        printed=equal(rho_at(l), 1 / c_at(i) / sp.Sum(1 / c_at(i), (i, 1, layers))),
        corrected=equal(rho_at(l), 1 / c_at(l) / sp.Sum(1 / c_at(i), (i, 1, layers))),
        prove=meshes.equalises,
        witness=Witness(
            {"c": meshes.SPEEDS, "l": 1, "i": 3},
            lambda: float((1 / np.array(meshes.SPEEDS) / (1 / np.array(meshes.SPEEDS)).sum())[0]),
            value=lambda formula: evaluate(solved(formula, rho_at(l)), {**meshes.LETTERS, "l": 1, "i": 3}),
        ),
        consequence="None: a slip of an index.",
    ),
    PAPER.entry(
        "3 adaptive update",
        "3",
        "",
        Finding.CONDITIONAL,
        "The speeds belong to the old steps, so the update is a fixed-point map. Two layers on paths that are fast or "
        "slow where the first layer ends; the multiplier is that of theory.leaky_resnet.adaptive_multiplier.",
        closed_form="leaky_resnet.adaptive_multiplier",
        printed=Claim(
            "The update can be done at every training step, and makes the relative distances {distances}.",
            {"distances": Word("equal", ("unequal",))},
        ),
        condition=sp.Lt(sp.Abs(multiplier), 1),
        prove=meshes.settles,
        witness=Witness(
            {"speed where the first layer ends": 3, "number": "ratio of both distances after 30 updates"},
            lambda: meshes.ratio_after(3.0),
            value=lambda claim: 1.0,
        ),
        consequence="On a path that is fast where a layer ends, full updates swing between two meshes. "
        "theory.leaky_resnet.adaptive_fixed_point has a damping.",
    ),
    PAPER.entry(
        "3 large steps",
        "3",
        "A large adaptive step is only possible where the weights nearly cancel the leakage: the relative speed is the "
        "relative size of what is left.",
        Finding.CONFIRMED,
        "Random layers: the distance of a layer over its step is the norm of the difference of the two sides of the "
        "printed approximation.",
        printed=meshes.cancellation,
        prove=meshes.is_the_distance,
    ),
    PAPER.entry(
        "3 advantage",
        "3",
        "A small but consistent advantage of adaptive steps in the test error.",
        Finding.OPEN,
        "A matter of measurement: the study leaky-resnet-meshes, by the mean over its numbers of layers.",
    ),
    PAPER.entry(
        "3 irregular advantage",
        "3",
        "A small but consistent advantage of irregular steps in the test error.",
        Finding.OPEN,
        "A matter of measurement: the study leaky-resnet-meshes, by the mean over its numbers of layers.",
    ),
    PAPER.entry(
        "3 adaptive mesh",
        "3",
        "Adaptive steps put more layers at the beginning of the network.",
        Finding.OPEN,
        "A matter of measurement: the study leaky-resnet-adaptive.",
    ),
    PAPER.entry(
        "3 adaptive end",
        "3",
        "Adaptive steps also put more layers at the end of the network.",
        Finding.OPEN,
        "A matter of measurement: the study leaky-resnet-adaptive.",
    ),
    PAPER.entry(
        "3 six dimensions",
        "3",
        "The weight matrices are roughly six-dimensional around p = 0.3.",
        Finding.OPEN,
        "Read off a drawing of one network. The study leaky-resnet-adaptive counts singular values above the largest "
        "gap; the count depends on how near to critical networks are, and so on learning rates that are not stated.",
    ),
)
