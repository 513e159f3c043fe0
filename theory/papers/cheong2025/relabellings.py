r"""Section 2.2: computing usable information, and how many relabellings there are."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from theory.collapse.usable_information import sufficiency
from theory.core import Check, Claim, Finding, Word, equal, numerically
from theory.core.ledger.proving import is_close
from theory.papers.cheong2025.labelled_features import C, c, n
from theory.papers.cheong2025.paper import entry

count = sp.Symbol("count", integer=True, positive=True)


def softmax_decoders() -> list[Any]:
    """Decoders from two representations to three labels: softmax of all tables of three weights."""
    tables = np.array(list(itertools.product((-1.0, 0.0, 2.0), repeat=6))).reshape(-1, 2, 3)
    return list(np.exp(tables) / np.exp(tables).sum(axis=2, keepdims=True))


def counted() -> Iterator[dict[str, Any]]:
    """Numbers of relabellings, listed one by one."""
    for sizes in ((3, 2), (4, 1), (2, 1, 3)):
        listed = sum(len(list(itertools.product(range(len(sizes)), repeat=size))) for size in sizes)
        yield {"C": len(sizes), "n": lambda c, sizes=sizes: sizes[int(c) - 1], "count": listed}


def is_invariant(claim: Claim) -> tuple[Check, ...]:
    """Usable information of a table and of all permutations of its labels, for softmax decoders."""
    joint, family = np.array([[0.3, 0.15, 0.05], [0.1, 0.1, 0.3]]), softmax_decoders()
    values = [sufficiency(joint[:, list(order)], family) for order in itertools.permutations(range(3))]
    same = is_close(max(values), min(values)) and max(values) > 0.01
    return (Check("six permutations", lambda: same is (claim["is"] == "invariant"), "all decoders of a grid"),)


EQUATIONS = (
    entry(
        "2.2 cost of the terms",
        "2.2",
        "Each value of the sufficiency term takes a decoder that is trained to convergence, at every epoch.",
        Finding.NOTE,
        "A remark on the cost.",
    ),
    entry(
        "2.2 number of relabellings",
        "2.2",
        "The number of relabellings of all classes.",
        Finding.CONFIRMED,
        "All relabellings of two and three classes, one by one.",
        printed=equal(count, sp.Sum(C ** n(c), (c, 1, C))),
        prove=numerically(counted, "counting"),
    ),
    entry(
        "Footnote 1 of chapter 2",
        "2.2",
        "Four random relabellings sufficed in earlier work, as many have one value of usable information.",
        Finding.NOTE,
        "Quoted from elsewhere.",
    ),
    entry(
        "2.2 permutations of labels",
        "2.2",
        "",
        Finding.CONFIRMED,
        "Softmax decoders with free weights for each label, as in a last layer: permuted weights are in the family.",
        printed=Claim(
            "Usable information is {is} to permutations of the labels.", {"is": Word("invariant", ("not invariant",))}
        ),
        prove=is_invariant,
    ),
    entry(
        "2.2 independent relabellings",
        "2.2",
        "Algorithm 2 generates relabellings that are as mutually independent as possible.",
        Finding.NOTE,
        "The digits of an index are independent where C^(N_D - 1) divides the class size, as 100 divides 1000 in the "
        "experiments; for 650 samples and ten classes they share 0.07 bits.",
    ),
)
