r"""Section 2.1: Algorithm 1 line by line."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Equation, Finding, Reading, Step
from theory.papers.cheong2025.algorithm_1 import algorithm_1, brute_force, example
from theory.papers.cheong2025.explicit_features import balanced, uneven
from theory.papers.cheong2025.paper import entry


def _rounding_is_not_zero() -> bool:
    """An offset of 100: the eigenvalue that should vanish does not, and its reciprocal takes over."""
    features, labels = example(offset=100.0)
    return abs(algorithm_1(features, labels, tolerance=0.0) / brute_force(features, labels) - 1) > 100


def _line_8() -> Reading:
    """Class means; independent: numpy's mean of each class."""
    features, labels = example()
    totals = np.stack([features[labels == c].sum(axis=0) for c in range(3)])
    means = np.stack([np.mean(features[labels == c], axis=0) for c in range(3)])
    return Reading(totals / len(labels), totals * 3 / len(labels), means)


def line_20() -> Reading:
    """The returned number, with line 8 as corrected; independent: numpy's pseudo-inverse."""
    features, labels = example()
    value = algorithm_1(features, labels)
    return Reading(value / 3, value, brute_force(features, labels))


def _line(label: str, statement: str, verdict: Finding, evidence: str, **rest: Any) -> Equation:
    return entry(f"Algorithm 1, {label}", "2.1", statement, verdict, evidence, **rest)


SCALE = "1/N instead of C/N: the balanced class size is N/C"

EQUATIONS = (
    _line(
        "lines 1 to 5",
        "Class totals.",
        Finding.DEFINITION,
        "In lines 4 and 17 the class c is that of sample n; no loop runs over it.",
    ),
    _line(
        "line 6",
        "The global mean is the sum of the class totals over N.",
        Finding.CONFIRMED,
        "Written out.",
        printed=r"\bar\mu \leftarrow \frac{1}{N} \sum_{c=1}^C s_c",
        steps=(
            Step(
                "for unequal sizes",
                sum(uneven.totals, sp.zeros(2, 1)) / uneven.count,
                sum(uneven.samples, sp.zeros(2, 1)) / uneven.count,
                because="every sample has one class",
            ),
        ),
    ),
    _line(
        "line 8",
        "The class means are the class totals over N.",
        Finding.MISPRINT,
        f"{SCALE}.",
        printed=r"\mu_c \leftarrow \frac{1}{N} s_c",
        corrected=r"\mu_c \leftarrow \frac{C}{N} s_c",
        steps=(
            Step(
                "two classes of two",
                2 * balanced.totals[0] / balanced.count,
                balanced.means[0],
                because="N/C samples in each class",
            ),
        ),
        printed_steps=(Step("as printed", balanced.totals[0] / balanced.count, balanced.means[0], because="line 8"),),
        witness={"classes": 3, "samples": 30, "dimension": 5},
        oracle=_line_8,
        consequence="As printed every class mean is too short by C, so M and all residuals are wrong. For unequal "
        "classes divide by their own size.",
    ),
    _line("line 9", "M, the centred means as columns.", Finding.DEFINITION, "D by C."),
    _line(
        "lines 10 and 11",
        "Eigendecomposition of M'M.",
        Finding.CONFIRMED,
        "M'M is symmetric with non-negative eigenvalues. It squares the condition number of M, which costs digits: "
        "singular values of M do not.",
        steps=(
            Check(
                "orthogonal eigenvectors, no negative eigenvalue",
                lambda: bool(np.linalg.eigvalsh(np.array([[2.0, -1, -1], [-1, 2, -1], [-1, -1, 2]])).min() > -1e-15),
                "a Gram matrix of centred means",
            ),
        ),
    ),
    _line(
        "lines 12 to 14",
        "Eigenvalues that are not zero are kept.",
        Finding.CONDITIONAL,
        "M'M always has a null vector; in floating point its eigenvalue is rounding, not zero.",
        condition="the arithmetic is exact",
        steps=(
            Check(
                "zero in exact arithmetic",
                lambda: sp.Matrix([[2, -1, -1], [-1, 2, -1], [-1, -1, 2]]).rank() == 2,
                "a Gram matrix of centred means",
            ),
        ),
        counterexample=_rounding_is_not_zero,
        consequence="An implementation needs a rank: at most C - 1, and less only where singular values of M say so.",
    ),
    _line(
        "lines 15 to 18",
        "The projection kappa of a residual.",
        Finding.DEFINITION,
        "kappa = V'M'(h - mu_c).",
    ),
    _line(
        "line 19",
        "Each sample adds the squared length of kappa over the eigenvalues.",
        Finding.CONFIRMED,
        "The sum over samples, times C/N, against numpy's pseudo-inverse.",
        steps=(
            Check(
                "against the definition",
                lambda: abs(algorithm_1(*example()) / brute_force(*example()) - 1) < 1e-10,
                "30 samples",
            ),
        ),
    ),
    _line(
        "line 20",
        "The sum over N is returned.",
        Finding.MISPRINT,
        f"{SCALE}. The proof in Section B.1 has C/N.",
        printed=r"\frac{1}{N} s_{\mathrm{tr}}",
        corrected=r"\frac{C}{N} s_{\mathrm{tr}}",
        steps=(
            Check(
                "with C/N",
                lambda: abs(line_20().corrected / line_20().independent - 1) < 1e-10,
                "numpy's pseudo-inverse",
            ),
        ),
        printed_steps=(
            Check(
                "with 1/N",
                lambda: abs(line_20().printed / line_20().independent - 1) < 1e-10,
                "numpy's pseudo-inverse",
            ),
        ),
        witness={"classes": 3, "samples": 30, "dimension": 5},
        oracle=line_20,
        consequence="The returned value is tr(Sigma_W Sigma_B^+)/C, a normalisation that other papers use on purpose. "
        "Which of the two the figures show cannot be told from the text.",
    ),
)
