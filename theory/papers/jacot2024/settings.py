"""Figures and Appendix B: what was trained."""

from __future__ import annotations

from typing import Any

from theory.core import Check, Finding
from theory.papers.jacot2024.paper import entry

FIGURE_1: dict[str, Any] = {"layers": 20, "teacher": (30, 3, 30), "samples": 1000, "width": 100}
FIGURE_2: dict[str, Any] = {"depth": 3, "teacher": (30, 6, 3, 30), "layers shown": 18}

EQUATIONS_1 = (
    entry(
        "Figure 1",
        "1.4",
        "Equal steps, 20 layers, a range of depths; the teacher is two random nets, from 30 dimensions to 3 to 30.",
        Finding.DEFINITION,
        "The cost in panel (a) is written min |A_p|; what is meant is the smallest cost of identity.",
        steps=(Check("k* = 3", lambda: min(FIGURE_1["teacher"]) == 3, "smallest inner dimension"),),
    ),
)
EQUATIONS_2 = (
    entry(
        "Figure 2",
        "2.1",
        "Depth 3; the teacher is three random nets, from 30 dimensions to 6 to 3 to 30, so k* = 3.",
        Finding.CONFIRMED,
        "The smallest inner dimension. Equal steps satisfy step times depth < 1 for all numbers of layers from 4.",
        steps=(
            Check("k*", lambda: min(FIGURE_2["teacher"]) == 3, "smallest inner dimension"),
            Check("18 layers at depth 3", lambda: FIGURE_2["depth"] / FIGURE_2["layers shown"] < 1, "Section 3"),
        ),
    ),
)
EQUATIONS_B = (
    entry(
        "B data",
        "B",
        "A thousand points for training and a thousand for testing, together freed of their mean and normalised.",
        Finding.DEFINITION,
        "Input and output dimension 30, inner dimension 3.",
    ),
    entry(
        "B width",
        "B",
        "Width 100, with a linear map at the start and one at the end, learned or fixed.",
        Finding.DEFINITION,
        "Both are outside the geodesic.",
    ),
    entry(
        "B training",
        "B",
        "Adam for 5000 epochs, then SGD for 1000 with a smaller rate; mean squared error and the weighted decay.",
        Finding.DEFINITION,
        "The learning rates are not given. The mean of torch's MSE is also over outputs: see the entry on the terminal "
        "momentum.",
    ),
    entry(
        "B regularisation",
        "B",
        "lambda = 0.001 over the depth gives good results; 20 layers.",
        Finding.ASSUMPTION,
        "An observation. In the cost of Section 1.1 lambda is divided by the depth already; whether 0.001/depth is "
        "lambda there or lambda over the depth is not said. In the linear theory a mode is kept if lambda times depth "
        "times N is below 2 target^2.",
    ),
    entry(
        "Figure 3",
        "B",
        "Various properties of the dynamics remain bounded.",
        Finding.ASSUMPTION,
        "A measurement.",
    ),
)
