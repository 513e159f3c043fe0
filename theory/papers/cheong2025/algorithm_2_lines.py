r"""Section 2.2: Algorithm 2, executed as printed, and Figure 2.2."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from theory.collapse.minimality_term import relabelled_information
from theory.core import Algorithm, Check, Claim, Finding, Witness, Word, equal, numerically
from theory.core.ledger.printed import Given
from theory.core.ledger.proving import is_close
from theory.core.numbers.evaluation import evaluate
from theory.papers.cheong2025.algorithm_2 import (
    CORRECTED,
    PRINTED,
    digits,
    errors,
    logarithm,
    relabelled,
)
from theory.papers.cheong2025.conditions import allowed_words, apart
from theory.papers.cheong2025.labelled_features import C
from theory.papers.cheong2025.paper import entry

N_D, n_max = sp.symbols("N_D n_max", integer=True, positive=True)
ceil, log_base = sp.Function("ceil"), sp.Function("log_base")
FAMILY = [np.array([[1 - p, p], [1 - q, q]]) for p, q in itertools.product((0.0, 0.3, 0.5, 1.0), repeat=2)]
CROSSED = {"representation": [0, 1, 0, 1], "labels": [0, 0, 1, 1], "new_labels": [0, 1, 1, 0]}
"""Four samples of two classes, whose new labels follow the representation in one class and oppose it in the other."""


def numbers_of_digits() -> Iterator[dict[str, Any]]:
    """Class sizes with the digits that their last index, counted from 0, is written with."""
    functions = {"ceil": math.ceil, "log_base": lambda size, base: logarithm(int(size), int(base))}
    for base, size in itertools.product((2, 3, 5, 10), (1, 2, 3, 4, 5, 9, 10, 26, 27, 28, 125, 1000, 1001)):
        yield {**functions, "n_max": size, "C": base, "N_D": len(np.base_repr(size - 1, base))}


def rebuilds(algorithm: Algorithm) -> tuple[Check, ...]:
    """Every sample gets labels, which rebuild its index."""
    return (Check("three sets of sizes", lambda: bool(np.array_equal(errors(algorithm), rebuilt())), "digits"),)


def rebuilt() -> Any:
    """How many samples there are, and no error, from texts of the indices."""
    wrong = sum(abs(int(np.base_repr(i, 3), 3) - i) for i in range(27))
    return np.array([[34.0, wrong], [34.0, wrong], [31.0, wrong]])


def groups_by_label(claim: Claim) -> tuple[Check, ...]:
    """Balanced classes: how many samples of each class wear one vector label."""
    labels = relabelled(CORRECTED, (20, 20, 20))
    worn = Counter((tuple(new), of_class) for (of_class, _), new in labels.items())
    groups = {vector for vector, _ in worn}
    whole = len(worn) == 3 * len(groups) and len(groups) == 20
    return (Check("groups", lambda: whole and set(worn.values()) == {int(claim["samples"])}, "counting"),)


def computes_the_term(sentence: Claim | Given) -> tuple[Check, ...]:
    """Usable information on one relabelling by decoders that the classes share, or that each class has of its own."""
    claim, condition = apart(sentence)
    shared = allowed_words(condition, "decoders", ("the decoders of all classes",)) != ("decoders of its own",)

    def holds() -> bool:
        return is_close(by_network(shared), 1.0) is (claim["term"] == "the minimality term")

    return (Check("four samples", holds, "one bit in each class"),)


def by_network(shared: bool) -> float:
    """Usable information in bits on the crossed labels."""
    return float(relabelled_information(**CROSSED, classes=2, decoders=FAMILY, shared=shared))


EQUATIONS = (
    entry(
        "Algorithm 2, number of labels",
        "2.2",
        "N_D is the logarithm of the largest class size, rounded up.",
        Finding.CONDITIONAL,
        "The digits of the last index, counted from 0, for thirteen sizes in four bases. The logarithm is to be exact: "
        "floating point gives 4 for n = 125, C = 5.",
        printed=equal(N_D, ceil(log_base(n_max, C))),
        condition=sp.Gt(n_max, 1),
        prove=numerically(numbers_of_digits, "numpy's base representation"),
        witness=Witness(
            {n_max: 1, C: 10},
            lambda: float(len(digits(0, 10)[:1])),
            value=lambda statement: evaluate(statement.rhs, {**next(iter(numbers_of_digits())), "n_max": 1, "C": 10}),
        ),
        consequence="With one sample a class there is no relabelling at all, and an average over none. One label would "
        "do.",
    ),
    entry(
        "Algorithm 2, range of i",
        "2.2",
        "The index i runs from 1 to n_c, and its N_D digits in base C rebuild it; the whole algorithm.",
        Finding.MISPRINT,
        "Executed as printed for three sets of class sizes. Counted from 1, the last of n = C^k samples has k + 1 "
        "digits. The experiments have n = 1000 and C = 10.",
        printed=PRINTED,
        corrected=CORRECTED,
        prove=rebuilds,
        witness=Witness(
            {"C": 3, "n_c": "(27, 2, 5), (2, 5, 27), (8, 20, 3)", "quantity": "number of samples, sum of errors"},
            rebuilt,
            errors,
        ),
        consequence="At a power of C one sample a class needs a digit that the decoders do not have. Whether it is cut "
        "off or counted from 0 is for the implementation; here indices start at 0.",
        heirs=("2.2 vector labels",),
    ),
    entry(
        "2.2 vector labels",
        "2.2",
        "",
        Finding.CONFIRMED,
        "Algorithm 2 as corrected, run on three classes of twenty samples.",
        printed=Claim(
            "As i determines all new labels, the i-th samples of all classes share them: in a balanced dataset exactly "
            "{samples} of each class.",
            {"samples": sp.S.One},
        ),
        prove=groups_by_label,
    ),
    entry(
        "Figure 2.2",
        "2.2",
        "",
        Finding.CONDITIONAL,
        "By its definition in Section 1.3 the minimality term has a decoder for each class and each relabelling; the "
        "caption, and the text that calls samples of one vector label diverse because they come from all classes, have "
        "one for each relabelling. Four samples whose new labels are crossed. The picture is not in the text.",
        printed=Claim(
            "The network with frozen encoder and a decoder for each new label computes {term}.",
            {"term": Word("the minimality term", ("another number",))},
        ),
        condition=Claim(
            "each class has {decoders}",
            {"decoders": Word("decoders of its own", ("the decoders of all classes",))},
        ),
        prove=computes_the_term,
        witness=Witness(
            {"h": CROSSED["representation"], "y": CROSSED["labels"], "n_y": CROSSED["new_labels"], "quantity": "bits"},
            lambda: by_network(shared=True),
            value=lambda claim: 1.0 if claim["term"] == "the minimality term" else 0.0,
        ),
        consequence="For balanced classes a shared decoder finds at most as much, so measured terms may be below those "
        "of the definition, and what is hard is another question.",
    ),
    entry(
        "2.2 hardest relabellings",
        "2.2",
        "These relabellings are especially difficult to predict for large balanced sets.",
        Finding.ASSUMPTION,
        "A matter of measurement.",
    ),
)
