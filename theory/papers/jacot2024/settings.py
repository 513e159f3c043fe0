"""Figures and Appendix B: what was trained."""

from __future__ import annotations

import sympy as sp

from theory.core import Finding, Witness, equal, numerically
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.paper import PAPER
from theory.papers.jacot2024.states import states
from theory.papers.jacot2024.symbols import A, S, norm, norm_K

coi = sp.Symbol("coi_p", real=True)


def costs() -> list[dict[str, object]]:
    """States with their cost of identity, the squared norm of the smallest weights that give A back."""
    return [{**case, "coi_p": float((nets.weights_of(case["A"], case["S"]) ** 2).sum())} for case in states()]


EQUATIONS_1 = (
    PAPER.entry(
        "Figure 1, cost of identity",
        "1.4",
        "What is drawn as the cost of identity is the smallest norm of A along p.",
        Finding.MISPRINT,
        "It is compared with k*, and is the square of the norm under K, as Section 1.3 defines it.",
        printed=equal(coi, norm(A)),
        corrected=equal(coi, norm_K(A, S) ** 2),
        prove=numerically(costs, "least squares", tolerance=1e-8),
        witness=Witness(
            {"state": "nine neurons, three samples, with bias"},
            lambda: nets.ridge(states()[0]["A"], states()[0]["S"], 0.0) ** 2,
            value=lambda equation: evaluate(equation.rhs * coi / equation.lhs, costs()[0]),
            tolerance=1e-7,
        ),
        consequence="None, if the figure was made with the cost of identity; the norm of A is of no use as a rank.",
    ),
    PAPER.entry(
        "Figure 1, setting",
        "1.4",
        "Equal steps, 20 layers, a range of depths; medians, minima and maxima over the layers of -2H/depth.",
        Finding.NOTE,
        "Settings. The study leaky-resnet-depths runs them.",
    ),
)
EQUATIONS_2 = (
    PAPER.entry(
        "Figure 2",
        "2.1",
        "Depth 3; the teacher is three random ResNets, from 30 dimensions to 6 to 3 to 30.",
        Finding.NOTE,
        "Settings; for the rank see '3 rank'. The text calls the teachers of Figure 1 fully connected. The studies "
        "leaky-resnet-meshes and leaky-resnet-adaptive run them.",
    ),
)
EQUATIONS_B = (
    PAPER.entry(
        "B data",
        "B",
        "A thousand points for training and a thousand for testing, together freed of their mean and normalised.",
        Finding.NOTE,
        "Input and output dimension 30, inner dimension 3.",
    ),
    PAPER.entry(
        "B width",
        "B",
        "Width 100, with a linear map at the start and one at the end, learned or fixed.",
        Finding.NOTE,
        "Both are outside the geodesic. The width is constant along a path, as the leakage needs it.",
    ),
    PAPER.entry(
        "B training",
        "B",
        "Adam for 5000 epochs, then SGD for 1000 with a smaller rate; mean squared error and the weighted decay.",
        Finding.NOTE,
        "The learning rates are not given. The mean of torch's MSE is also over outputs: see '1.5 terminal momentum'.",
    ),
    PAPER.entry(
        "B regularisation",
        "B",
        "lambda = 0.001 over the depth gives good results; 20 layers.",
        Finding.NOTE,
        "In the cost of Section 1.1 lambda is divided by the depth already; whether 0.001/depth is lambda there or "
        "lambda over the depth is not said. In the linear theory a mode is kept if lambda times depth times N is below "
        "2 target^2.",
    ),
    PAPER.entry(
        "B spectra",
        "B",
        "Unless lambda is too large, large singular values are clearly separated from the rest, which decay.",
        Finding.OPEN,
        "A matter of measurement: the study leaky-resnet-bottleneck has the gap in the middle layer.",
    ),
    PAPER.entry(
        "B number of large values",
        "B",
        "The number of these large singular values is k*.",
        Finding.OPEN,
        "A matter of measurement: the study leaky-resnet-codes has critical networks of the paper's size, but for one "
        "k* only, and no count of their values. At the depth of the figure a direction for the mean is kept, too: "
        "leaky_resnet.depth_of_mean.",
    ),
    PAPER.entry(
        "B layers",
        "B",
        "More layers separate the singular values better and improve the test performance.",
        Finding.OPEN,
        "A matter of measurement: the study leaky-resnet-meshes has five numbers of layers, each by itself. The "
        "differences of the same seeds, which are not recorded, would decide it.",
    ),
    PAPER.entry(
        "B solve",
        "B",
        "A linear solver takes the place of the pseudo-inverse.",
        Finding.NOTE,
        "A setting. A solver of normal equations squares the condition number of sigma(A).",
    ),
    PAPER.entry(
        "Figure 3",
        "B",
        "The length of the path remains relatively constant as the depth grows.",
        Finding.OPEN,
        "A matter of measurement of the paper's size. In the study leaky-resnet-depths the length grows with the "
        "representations, whose size is not printed.",
    ),
    PAPER.entry(
        "Figure 3 momenta",
        "B",
        "The size of B remains relatively constant as the depth grows.",
        Finding.OPEN,
        "A matter of measurement: the study leaky-resnet-depths.",
    ),
    PAPER.entry(
        "Figure 3 weights",
        "B",
        "The size of B sigma(A)' remains relatively constant as the depth grows.",
        Finding.OPEN,
        "A matter of measurement: the study leaky-resnet-depths.",
    ),
)
