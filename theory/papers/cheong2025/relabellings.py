r"""Section 2.2: computing usable information; Algorithm 2 and the entropies."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from theory.collapse.minimality_term import relabelled_information
from theory.collapse.usable_information import sufficiency
from theory.core import Algorithm, Check, Claim, Finding, Witness, Word, equal, for_all, numerically
from theory.core.evaluation import evaluate
from theory.core.printed import Given
from theory.core.proving import is_close
from theory.papers.cheong2025.algorithm_2 import (
    CORRECTED,
    PRINTED,
    digits,
    entropy_of_digit,
    errors,
    families_of_columns,
    is_uniform_product,
    logarithm,
    relabelled,
)
from theory.papers.cheong2025.conditions import exactly_where
from theory.papers.cheong2025.finite_alphabets import bits
from theory.papers.cheong2025.labelled_features import C, N, c, n
from theory.papers.cheong2025.paper import entry

count, N_D, n_c, k, n_max = sp.symbols("count N_D n_c k n_max", integer=True, positive=True)
entropy_y, entropy_k = sp.symbols("entropy_y entropy_k", real=True)
ceil, log_base = sp.Function("ceil"), sp.Function("log_base")
FAMILY = [np.array([[1 - p, p], [1 - q, q]]) for p, q in itertools.product((0.0, 0.3, 0.5, 1.0), repeat=2)]
CROSSED = {"representation": [0, 1, 0, 1], "labels": [0, 0, 1, 1], "new_labels": [0, 1, 1, 0]}
"""Four samples of two classes, whose new labels follow the representation in one class and oppose it in the other."""


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
    claim, condition = (sentence.statement, sentence.condition) if isinstance(sentence, Given) else (sentence, sp.true)
    pairs = [(10, size) for size in (100, 1000, 600, 650)] + [(3, 18), (3, 20), (3, 27), (2, 6), (2, 8)]
    cases = [(size, base, len(np.base_repr(size - 1, base))) for base, size in pairs]
    allowed = [case for case in cases if evaluate(condition, dict(zip(("n_c", "C", "N_D"), case, strict=True)))]

    def agrees(case: tuple[int, int, int]) -> bool:
        return is_uniform_product(*case[:2]) is (claim["are"] == "independent")

    checks = [Check("where allowed", lambda: for_all(allowed, agrees), "counting digits")]
    if others := [case for case in cases if case not in allowed]:
        checks.append(Check("nowhere else", lambda: not any(map(agrees, others)), "counting digits"))
    return tuple(checks)


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
    claim, shared = sentence, True
    if isinstance(sentence, Given):
        claim, shared = sentence.statement, sentence.condition["decoders"] != "decoders of its own"

    def holds() -> bool:
        return is_close(by_network(shared), 1.0) is (claim["term"] == "the minimality term")

    return (Check("four samples", holds, "one bit in each class"),)


def by_network(shared: bool) -> float:
    """Usable information in bits on the crossed labels."""
    return float(relabelled_information(**CROSSED, classes=2, decoders=FAMILY, shared=shared))


def digits_of_classes() -> Iterator[dict[str, Any]]:
    """Entropies in nats of the digits of indices."""
    for base, size, digit in (
        (10, 1000, 2),
        (10, 600, 0),
        (10, 600, 1),
        (10, 600, 2),
        (3, 27, 2),
        (3, 18, 2),
        (2, 6, 1),
    ):
        yield {"C": base, "n_c": size, "k": digit, "entropy_k": entropy_of_digit(size, base, digit)}


def sized(*choices: tuple[int, ...]) -> Iterator[dict[str, Any]]:
    """Class sizes with the entropy of the label in nats."""
    for sizes in choices:
        yield {
            "C": len(sizes),
            "N": sum(sizes),
            "n": lambda c, sizes=sizes: sizes[int(c) - 1],
            "entropy_y": bits(size / sum(sizes) for size in sizes) * math.log(2),
        }


def any_labels() -> Iterator[dict[str, Any]]:
    """Balanced and imbalanced classes."""
    return sized((3, 3, 3), (1, 2, 5), (4, 4), (7, 1, 1, 1))


def balanced_labels() -> Iterator[dict[str, Any]]:
    """Balanced classes."""
    return sized((3, 3, 3), (4, 4), (2, 2, 2, 2, 2))


shares = -sp.Sum(n(c) / N * sp.log(n(c) / N), (c, 1, C))
equal_shares = -sp.Sum(sp.log(1 / C, evaluate=False) / C, (c, 1, C))

BEFORE = (
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
        "Softmax decoders whose weights for each label are free, as in a last layer: permuted weights are in the family.",
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
EQUATIONS = (
    *BEFORE,
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
            {"C": 3, "n_c": "(27, 2, 5), (2, 5, 27), (8, 20, 3)", "samples and errors": "number and sum"},
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
            {"h": CROSSED["representation"], "y": CROSSED["labels"], "n_y": CROSSED["new_labels"], "bits": ""},
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
    entry(
        "2.2 balanced relabellings",
        "2.2",
        "A balanced dataset also results in each relabelling being balanced: its entropy is log C, for digit k.",
        Finding.CONDITIONAL,
        "Digits of indices from 0, counted.",
        printed=equal(entropy_k, sp.log(C)),
        condition=equal(sp.Mod(n_c, C ** (k + 1)), 0),
        prove=exactly_where(digits_of_classes, "counting digits"),
        witness=Witness(
            {C: 10, n_c: 600, k: 2},
            lambda: entropy_of_digit(600, 10, 2),
            value=lambda statement: evaluate(statement.rhs, {"C": 10}),
        ),
        consequence="The settings of Section 2.3, 1000 samples a class, are such a case. Elsewhere the entropy of the "
        "leading digits is below log C, and a term computed with log C is too large.",
    ),
    entry(
        "2.2 entropy of the labels",
        "2.2",
        "The entropy of the label from the class sizes.",
        Finding.CONFIRMED,
        "Balanced and imbalanced classes.",
        printed=equal(entropy_y, shares),
        prove=numerically(any_labels, "entropy in bits"),
    ),
    entry(
        "2.2 entropy of balanced labels",
        "2.2",
        "For balanced classes all shares are 1/C.",
        Finding.CONFIRMED,
        "Three balanced sets.",
        printed=equal(shares, equal_shares),
        prove=numerically(balanced_labels, "both sums"),
    ),
    entry(
        "2.2 largest entropy",
        "2.2",
        "The entropy of uniform labels is log C.",
        Finding.CONFIRMED,
        "A sum of C equal terms.",
        printed=equal(equal_shares, sp.log(C)),
        prove=numerically(balanced_labels, "the sum"),
    ),
    entry(
        "2.2 maximal entropy",
        "2.2",
        "A balanced dataset maximises the entropy.",
        Finding.CONFIRMED,
        "Balanced and imbalanced classes.",
        printed=sp.Le(entropy_y, sp.log(C)),
        prove=numerically(any_labels, "entropy in bits"),
    ),
)
