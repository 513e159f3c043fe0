r"""Abstract, Sections 3.1 and 3.2: accuracy and geometric compression."""

from __future__ import annotations

import sympy as sp

from theory.core import identity
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.ledger.proving import chosen, stating
from theory.papers.cheong2025.notation import letters
from theory.papers.cheong2025.result_programs import (
    LAYERS,
    MEASURED_LAYERS,
    RESULTS,
    ROUNDINGS,
    decimals,
    difference,
    ends_at,
    figures,
    is_rounded,
    quality_of_the_small,
)

metric, l, L, ratio = letters("metric l L ratio")
first = sp.Symbol("first", positive=True)
last_layer = letters("last_layer")


PROGRAMS: Programs = {
    "3.1 rounding": Program(
        is_rounded,
        lambda: float(figures(RESULTS["f_-", "CIFAR-10"][1])),
        value=lambda claim: float(claim["count"]) + (chosen(claim, "places", ROUNDINGS)[1] is decimals),
    ),
    "3.1 comparison": stating({"than": quality_of_the_small, "difference": difference}, "the table"),
    "Figure 1.1, accuracy": stating({"accuracy": lambda: float(RESULTS["f_+", "Fashion-MNIST"][0])}, "the table"),
    "3.2 law of equi-separation": identity({metric: lambda layer: first * ratio**layer}, "an exponential"),
    "3.2 layers": Program(
        ends_at,
        lambda: float(max(MEASURED_LAYERS)),
        value=lambda statement: float(solved(statement, last_layer).subs(L, LAYERS)),
    ),
}
