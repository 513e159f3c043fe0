r"""Section 2.2: computing usable information; Algorithm 2 and the entropies."""

from __future__ import annotations

import math

import numpy as np
import sympy as sp

from theory.collapse.minimality_term import every_relabelling
from theory.collapse.relabellings import relabelling, relabelling_digits, relabelling_entropy
from theory.collapse.symbols import classes
from theory.collapse.usable_information import cross_entropy
from theory.core import Check, Finding, Reading, Step
from theory.papers.cheong2025.paper import unlinked as entry

C, PER_CLASS = 10, 1000  # 10,000 images of ten classes, Section 2.3


def _rebuilt(first: int, last: int, digits: int) -> np.ndarray:
    """Indices put together again from their lowest digits."""
    index = np.arange(first, last + 1)
    return sum((index // C**k % C) * C**k for k in range(digits))


def _last_index() -> Reading:
    """Largest error of sum_k y_k C^k as the index, over a class; independent: digits by decimal text."""
    digits = math.ceil(math.log10(PER_CLASS))
    printed = np.abs(_rebuilt(1, PER_CLASS, digits) - np.arange(1, PER_CLASS + 1)).max()
    labels = relabelling(np.arange(PER_CLASS), C)
    rebuilt = labels @ C ** np.arange(labels.shape[1])
    texts = [f"{i:0{digits}d}" for i in range(PER_CLASS)]
    independent = max(abs(int(text) - i) + (len(text) != digits) for i, text in enumerate(texts))
    return Reading(float(printed), float(np.abs(rebuilt - np.arange(PER_CLASS)).max()), float(independent))


def _any_size_is_told_apart() -> bool:
    """All indices of a class have different digits, which rebuild them, for sizes around the powers of five bases."""
    for base in (2, 3, 5, 7, 10):
        for size in {base**k + shift for k in (1, 2, 3) for shift in (-1, 0, 1)}:
            labels = relabelling(np.arange(size), base)
            if labels.shape[1] != relabelling_digits(size, base) or len(np.unique(labels, axis=0)) != size:
                return False
            if not np.array_equal(labels @ base ** np.arange(labels.shape[1]), np.arange(size)):
                return False
    return True


def _groups_have_one_of_each_class() -> bool:
    """A balanced set: every vector label is worn by one sample of each class."""
    labels = np.tile(relabelling(np.arange(20), 3), (3, 1))
    owner = np.repeat(np.arange(3), 20)
    groups: dict[tuple[int, ...], list[int]] = {}
    for vector, c in zip(map(tuple, labels.tolist()), owner.tolist(), strict=True):
        groups.setdefault(vector, []).append(c)
    return len(groups) == 20 and all(sorted(members) == [0, 1, 2] for members in groups.values())


def _order_of_labels_does_not_matter() -> bool:
    """The cross-entropy of a decoder and a table, and of both with their columns exchanged."""
    joint, decoder = np.array([[0.2, 0.3], [0.4, 0.1]]), np.array([[0.3, 0.7], [0.9, 0.1]])
    return abs(cross_entropy(joint, decoder) - cross_entropy(joint[:, ::-1], decoder[:, ::-1])) < 1e-15


def _balanced_if_a_power() -> bool:
    """At n = C^k every digit has the entropy log C; so it has wherever C^(digit + 1) divides n."""
    for base, size in ((10, 1000), (3, 27), (2, 64), (5, 125)):
        if np.max(np.abs(relabelling_entropy(size, base) - math.log2(base))) > 1e-12:
            return False
    return abs(relabelling_entropy(600, 10, 0) - math.log2(10)) < 1e-12


def _leading_digit_is_not_uniform() -> bool:
    """6000 samples a class: the thousands are 0 to 5, so that digit has log2 6 bits and not log2 10."""
    return bool(abs(relabelling_entropy(6000, 10)[-1] - math.log2(6)) < 1e-12)


EQUATIONS = (
    entry(
        "2.2 number of relabellings",
        "2.2",
        "There are sum_c C^n_c relabellings.",
        Finding.CONFIRMED,
        "Counted for classes of 3 and 2 samples.",
        printed=r"\sum_{c=1}^C C^{n_c}",
        steps=(
            Check(
                "counting",
                lambda: sum(len(list(every_relabelling(n, 2))) for n in (3, 2)) == 2**3 + 2**2,
                "two classes",
            ),
        ),
    ),
    entry(
        "2.2 permutations of labels",
        "2.2",
        "Usable information is invariant under permutations of the labels.",
        Finding.CONFIRMED,
        "For families that are: a last layer with free weights for each label is such a family.",
        steps=(Check("table and decoder permuted", _order_of_labels_does_not_matter, "two by two"),),
    ),
    entry(
        "Footnote 1 of chapter 2",
        "2.2",
        "Four relabellings sufficed in earlier work.",
        Finding.OPEN,
        "Quoted from elsewhere.",
    ),
    entry(
        "Algorithm 2, number of labels",
        "2.2",
        "N_D is the logarithm of the largest class size, rounded up.",
        Finding.CONFIRMED,
        "For indices from 0; in whole numbers. Floating logarithms give 4 for n = 125, C = 5.",
        printed=r"N_D \leftarrow \lceil \log_C(\max_c n_c) \rceil",
        steps=(
            Check("enough digits, and no more than needed", _any_size_is_told_apart, "sizes around powers"),
            Check("floating point", lambda: math.ceil(math.log(125, 5)) == 4 != relabelling_digits(125, 5), "n = 125"),
        ),
    ),
    entry(
        "Algorithm 2, range of i",
        "2.2",
        "The index i runs from 1 to n_c, and its N_D digits in base C rebuild it.",
        Finding.MISPRINT,
        "Counted from 1, the last of n = C^k samples has k + 1 digits. The experiments have n = 1000 and C = 10.",
        printed=r"i = 1, \dots, n_c, \quad i = \sum_{n_d=0}^{N_D-1} y_{n_d} C^{n_d}",
        corrected=r"i = 0, \dots, n_c - 1, \quad i = \sum_{n_d=0}^{N_D-1} y_{n_d} C^{n_d}",
        steps=(Check("indices from 0", _any_size_is_told_apart, "sizes around powers"),),
        printed_steps=(
            Check(
                "indices from 1",
                lambda: np.array_equal(_rebuilt(1, PER_CLASS, 3), np.arange(1, PER_CLASS + 1)),
                "n = 1000, C = 10",
            ),
        ),
        witness={"C": C, "n_c": PER_CLASS},
        oracle=_last_index,
        consequence="At a power of C one sample a class needs a digit that the decoders do not have. Whether it is cut "
        "off or counted from 0 is for the implementation; here indices start at 0.",
    ),
    entry(
        "2.2 vector labels",
        "2.2",
        "The index determines all new labels, so the i-th samples of all classes share them; in a balanced set each "
        "group has one sample of each class.",
        Finding.CONFIRMED,
        "Three classes of twenty.",
        steps=(Check("groups", _groups_have_one_of_each_class, "counting"),),
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
        "A balanced dataset also results in each relabelling being balanced.",
        Finding.CONDITIONAL,
        "Counts of the digits of 0 to n - 1.",
        condition="C^(k+1) divides the class size, for digit k",
        printed=r"\mathbb{E}_{n_y}[-\log p(n_y)] = \log C",
        steps=(Check("exact powers and multiples", _balanced_if_a_power, "counting"),),
        counterexample=_leading_digit_is_not_uniform,
        consequence="The settings of Section 2.3, 1000 samples a class, are such a case. Elsewhere the entropy of the "
        "leading digits is below log C, and a term computed with log C is too large.",
    ),
    entry(
        "2.2 largest entropy",
        "2.2",
        "The entropy of uniform labels is log C.",
        Finding.CONFIRMED,
        "A sum of C equal terms.",
        printed=r"-\sum_{c=1}^C \frac{1}{C} \log \frac{1}{C} = \log C",
        steps=(
            Step(
                "C equal terms",
                -classes * (1 / classes) * sp.log(1 / classes),
                sp.log(classes),
                because="log(1/C) = -log C",
            ),
        ),
    ),
)
