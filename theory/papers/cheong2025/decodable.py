r"""Section 1.3, second half: relabellings, the minimality term and the decodable bottleneck, Eq. (1.5)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from theory.collapse.usable_information import sufficiency
from theory.core import numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.papers.cheong2025.notation import letters

own_information, usable_information = letters("own_information usable_information")
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


def _own_labels(cases: Callable[[], Iterator[dict[str, Any]]], tolerance: float, joint: Any) -> Program:
    return Program(
        numerically(cases, "finite family of decoders", tolerance=tolerance, scale=1.0),
        entropy_of_one_value,
        lambda s: float(solved(s, own_information).subs(usable_information, sufficiency(joint, FAMILY))),
    )


PROGRAMS: Programs = {
    "1.3 own labels": _own_labels(lambda: with_their_own_labels(UNIFORM, SKEWED), ROUGH, SKEWED),
    "Footnote 3": _own_labels(lambda: with_their_own_labels(UNIFORM), 1e-9, UNIFORM),
}
