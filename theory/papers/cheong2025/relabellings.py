r"""Section 2.2: computing usable information, and how many relabellings there are."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from theory.collapse.usable_information import sufficiency
from theory.core import numerically
from theory.core.ledger.ledger import Programs
from theory.core.ledger.proving import is_close, stating
from theory.papers.cheong2025.notation import letters

count = letters("count")


def softmax_decoders() -> list[Any]:
    """Decoders from two representations to three labels: softmax of all tables of three weights."""
    tables = np.array(list(itertools.product((-1.0, 0.0, 2.0), repeat=6))).reshape(-1, 2, 3)
    return list(np.exp(tables) / np.exp(tables).sum(axis=2, keepdims=True))


def counted() -> Iterator[dict[str, Any]]:
    """Numbers of relabellings, listed one by one."""
    for sizes in ((3, 2), (4, 1), (2, 1, 3)):
        listed = sum(len(list(itertools.product(range(len(sizes)), repeat=size))) for size in sizes)
        yield {"C": len(sizes), "n": lambda c, sizes=sizes: sizes[int(c) - 1], "count": listed}


def is_invariant() -> bool:
    """Usable information of a table and of all permutations of its labels, for softmax decoders."""
    joint, family = np.array([[0.3, 0.15, 0.05], [0.1, 0.1, 0.3]]), softmax_decoders()
    values = [sufficiency(joint[:, list(order)], family) for order in itertools.permutations(range(3))]
    return is_close(max(values), min(values)) and max(values) > 0.01


PROGRAMS: Programs = {
    "2.2 number of relabellings": numerically(counted, "counting"),
    "2.2 permutations of labels": stating(
        {"is": lambda: "invariant" if is_invariant() else "not invariant"}, "all decoders of a grid"
    ),
}
