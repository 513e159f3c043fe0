r"""Section 1.3, second half: relabellings, the minimality term and the decodable bottleneck, Eq. (1.5)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from theory.collapse.usable_information import sufficiency
from theory.core import Approximates, Equation, Finding, Witness, equal, numerically
from theory.core.ledger.ledger import Programs
from theory.core.ledger.printed import solved
from theory.core.ledger.transition import programs_of
from theory.papers.cheong2025.paper import entry

own_information, usable_information = sp.symbols("own_information usable_information", real=True)
UNIFORM = np.array([[0.25, 0.0], [0.25, 0.125], [0.0, 0.375]])
"""Probabilities of three representations and two equally frequent labels."""
SKEWED = np.array([[0.3, 0.0], [0.25, 0.05], [0.0, 0.4]])
ANSWERS = (0.05, 0.25, 0.5, 0.75, 0.95, 1.0, 0.0, 1 / 3, 2 / 3)
FAMILY = [np.column_stack([1 - np.array(p), p]) for p in itertools.product(ANSWERS, repeat=3)]
ROUGH = 0.05  # what counts as approximately equal


def own_label_within_class(joint: Any) -> float:
    """Mean over classes of the usable information on n_y = y, which is one value within a class; bits."""
    values = []
    for y in range(2):
        within = np.zeros_like(joint)
        within[:, y] = joint[:, y] / joint[:, y].sum()
        values.append(sufficiency(within, FAMILY))
    return float(np.mean(values))


def with_their_own_labels(*tables: Any) -> Iterator[dict[str, Any]]:
    """Both sides of what is said of n_y = y, in bits."""
    for joint in tables:
        yield {
            "own_information": own_label_within_class(joint),
            "usable_information": sufficiency(joint, FAMILY),
        }


def entropy_of_one_value() -> float:
    """Entropy of a label that has one value."""
    return -sum(p * math.log2(p) for p in (1.0,)) + 0.0


def _own_labels(label: str, statement: str, relation: Any, cases: Any, tolerance: float, joint: Any) -> Equation:
    return entry(
        label,
        "1.3",
        statement,
        Finding.MISPRINT,
        "All decoders of a grid. Within a class its own label is one value, and there is nothing to know about it. "
        "What is equal, for uniform labels, are the cross-entropies of one decoder shared by all classes.",
        printed=relation(own_information, usable_information),
        corrected=equal(own_information, 0),
        prove=numerically(cases, "finite family of decoders", tolerance=tolerance, scale=1.0),
        witness=Witness(
            {"p(h, y)": str(joint.tolist()), "quantity": "mean over classes, in bits"},
            entropy_of_one_value,
            value=lambda s: float(solved(s, own_information).subs(usable_information, sufficiency(joint, FAMILY))),
        ),
        consequence="The heuristic argument for generalisation that starts from it needs the shared decoder. The "
        "measured terms are not affected.",
    )


PROGRAMS: Programs = {
    **programs_of(
        (
            _own_labels(
                "1.3 own labels",
                "For n_y = y the mean over classes of the usable information on n_y is approximately that on y.",
                Approximates,
                lambda: with_their_own_labels(UNIFORM, SKEWED),
                ROUGH,
                SKEWED,
            ),
        )
    ),
    **programs_of(
        (
            _own_labels(
                "Footnote 3",
                "For n_y = y and uniform labels the mean over classes of the usable information on n_y is that on y.",
                equal,
                lambda: with_their_own_labels(UNIFORM),
                1e-9,
                UNIFORM,
            ),
        )
    ),
}
