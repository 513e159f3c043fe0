r"""Section 2.2: computing usable information, and how many relabellings there are."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from theory.collapse.usable_information import sufficiency
from theory.core import Check, Claim, Finding, Witness, Word, equal, for_all, numerically
from theory.core.evaluation import evaluate
from theory.core.printed import Given
from theory.core.proving import is_close
from theory.papers.cheong2025.algorithm_2 import (
    entropy_of_digit,
    families_of_columns,
    is_uniform_product,
)
from theory.papers.cheong2025.conditions import apart
from theory.papers.cheong2025.labelled_features import C, c, n
from theory.papers.cheong2025.paper import entry

count, N_D, n_c = sp.symbols("count N_D n_c", integer=True, positive=True)


def counted() -> Iterator[dict[str, Any]]:
    """Numbers of relabellings, listed one by one."""
    for sizes in ((3, 2), (4, 1), (2, 1, 3)):
        listed = sum(len(list(itertools.product(range(len(sizes)), repeat=size))) for size in sizes)
        yield {"C": len(sizes), "n": lambda c, sizes=sizes: sizes[int(c) - 1], "count": listed}


def is_invariant(claim: Claim) -> tuple[Check, ...]:
    """Usable information of a table and of all permutations of its labels, for softmax decoders."""
    joint, family = np.array([[0.3, 0.15, 0.05], [0.1, 0.1, 0.3]]), families_of_columns()
    values = [sufficiency(joint[:, list(order)], family) for order in itertools.permutations(range(3))]
    same = is_close(max(values), min(values)) and max(values) > 0.01
    return (Check("six permutations", lambda: same is (claim["is"] == "invariant"), "all decoders of a grid"),)


def are_independent(sentence: Claim | Given) -> tuple[Check, ...]:
    """Entropies of digits of indices, for class sizes that the condition allows, and for all others."""
    claim, condition = apart(sentence)
    pairs = [(10, size) for size in (100, 1000, 600, 650)] + [(3, 18), (3, 20), (3, 27), (2, 6), (2, 8)]
    cases = [(size, base, len(np.base_repr(size - 1, base))) for base, size in pairs]
    allowed = [case for case in cases if evaluate(condition, dict(zip(("n_c", "C", "N_D"), case, strict=True)))]

    def agrees(case: tuple[int, int, int]) -> bool:
        return is_uniform_product(*case[:2]) is (claim["are"] == "independent")

    checks = [Check("where allowed", lambda: for_all(allowed, agrees), "counting digits")]
    if others := [case for case in cases if case not in allowed]:
        checks.append(Check("nowhere else", lambda: not any(map(agrees, others)), "counting digits"))
    return tuple(checks)


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
        "",
        Finding.CONDITIONAL,
        "Digits of indices from 0, counted. The text says as independent as possible; they are so exactly where the "
        "leading digit is uniform over the values that it takes.",
        printed=Claim(
            "The relabellings of Algorithm 2 are mutually {are}.", {"are": Word("independent", ("dependent",))}
        ),
        condition=equal(sp.Mod(n_c, C ** (N_D - 1)), 0),
        prove=are_independent,
        witness=Witness(
            {"C": 10, "n_c": 650, "bits": "entropies of the digits less that of the index"},
            lambda: sum(entropy_of_digit(650, 10, j) for j in range(3)) / math.log(2) - math.log2(650),
            value=lambda claim: 0.0 if claim["are"] == "independent" else 1.0,
        ),
        consequence="With 1000 samples a class, as in the experiments, they are independent.",
    ),
)
