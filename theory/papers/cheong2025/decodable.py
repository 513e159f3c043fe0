r"""Section 1.3, second half: relabellings, the minimality term and the decodable bottleneck, Eq. (1.5)."""

from __future__ import annotations

import math

import numpy as np

from theory.collapse.minimality_term import every_relabelling
from theory.collapse.usable_information import cross_entropy, sufficiency
from theory.core import Check, Finding, Reading
from theory.papers.cheong2025.paper import unlinked as entry
from theory.papers.cheong2025.usable import CLOSE, FAMILY, UNIFORM


def _cross_entropies_average() -> bool:
    """One decoder for all classes, labels uniform: the mean over classes of its cross-entropy is its cross-entropy."""
    decoder = FAMILY[100]
    columns = [list(zip(UNIFORM[:, y], decoder[:, y], strict=True)) for y in range(2)]
    of_class = [-sum(2 * p * math.log2(f) for p, f in pairs if p) for pairs in columns]
    return abs(sum(of_class) / 2 - cross_entropy(UNIFORM, decoder)) < CLOSE


def _own_label_within_class() -> float:
    """Mean over classes of the usable information on n_y = y, which is one value within a class; bits."""
    found = []
    for y in range(2):
        joint = np.zeros_like(UNIFORM)
        joint[:, y] = UNIFORM[:, y] / UNIFORM[:, y].sum()
        found.append(sufficiency(joint, FAMILY))
    return float(np.mean(found))


def _footnote_reading() -> Reading:
    """Mean over classes of the usable information on the class's own label; independent: entropy of one value is 0."""
    outcomes = [1.0]
    return Reading(
        sufficiency(UNIFORM, FAMILY), _own_label_within_class(), -sum(p * math.log2(p) for p in outcomes) + 0.0
    )


EQUATIONS = (
    entry(
        "1.3 decomposition",
        "1.3",
        "Dec(x, y): all relabellings of the inputs with label y.",
        Finding.DEFINITION,
        "C^n of them for n distinct samples.",
        printed=r"\mathrm{Dec}(x, y) = \{n_y \mid \exists t' : \mathcal{X} \to \mathcal{Y} \text{ s.t. } t'(x | y = y) "
        r"= n_y\}",
        steps=(Check("number", lambda: len(list(every_relabelling(4, 3))) == 3**4, "counting"),),
    ),
    entry(
        "1.3 minimality",
        "1.3",
        "The minimality term: usable information on relabellings, averaged within and then over the classes.",
        Finding.DEFINITION,
        "Each class and relabelling has a decoder of its own; classes count equally, whatever their size.",
        printed=r"I_{\mathcal{V}}(h \to \mathrm{Dec}(x, y)) = \frac{1}{|\mathcal{Y}|} \sum_y \frac{1}{|\mathrm{Dec}(x, "
        r"y)|} \sum_{n_y} I_{\mathcal{V}}(h | y = y \to n_y)",
    ),
    entry(
        "(1.5)",
        "1.3",
        "The decodable bottleneck.",
        Finding.DEFINITION,
        "Both terms depend on the layer through its decoder family as well.",
        printed=r"\arg\min_{h^l} I_{\mathcal{V}^l}(h^l \to \mathrm{Dec}(x, \mathcal{Y})) - \beta I_{\mathcal{V}^l}(h^l "
        r"\to y)",
    ),
    entry(
        "Footnote 3",
        "1.3",
        "For n_y = y the mean over classes of the usable information on n_y is that on y; exactly so for uniform "
        "labels.",
        Finding.MISPRINT,
        "Within a class its own label is one value, and there is nothing to know about it. What is equal, for uniform "
        "labels, are the cross-entropies of one decoder shared by all classes.",
        printed=r"\frac{1}{|\mathcal{Y}|} \sum_y I_{\mathcal{V}}(h | y = y \to n_y) = I_{\mathcal{V}}(h \to y), \quad "
        r"n_y = y",
        corrected=r"\frac{1}{|\mathcal{Y}|} \sum_y I_{\mathcal{V}}(h | y = y \to n_y) = 0, \quad n_y = y",
        steps=(
            Check("zero", lambda: abs(_own_label_within_class()) < CLOSE, "a family with constant decoders"),
            Check("cross-entropies of a shared decoder", _cross_entropies_average, "uniform labels"),
        ),
        printed_steps=(
            Check(
                "equal to the sufficiency term",
                lambda: abs(_own_label_within_class() - sufficiency(UNIFORM, FAMILY)) < CLOSE,
                "uniform labels",
            ),
        ),
        witness={"p(h, y)": str(UNIFORM.tolist())},
        oracle=_footnote_reading,
        consequence="The heuristic argument for generalisation that starts from it needs the shared decoder. The "
        "measured terms are not affected.",
    ),
    entry(
        "Theorem 3",
        "1.3",
        "An encoder that maximises sufficiency and minimises minimality makes every training minimiser a test "
        "minimiser.",
        Finding.OPEN,
        "Quoted from elsewhere; its mild assumptions on the family are not printed.",
    ),
)
