r"""Appendices A and B: notation, the proof of Theorem 4, Eqs. (B.1) to (B.5), and that of Eq. (2.1)."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Check, Equation, Finding, Reading, Step
from theory.papers.cheong2025.algorithm_1 import algorithm_1, brute_force, example
from theory.papers.cheong2025.explicit_features import balanced, rotation, uneven
from theory.papers.cheong2025.paper import entry

s1, s2, number = sp.symbols("s1 s2 number", positive=True)
residual = sp.Matrix(sp.symbols("e1 e2 e3", real=True))

# Three features, three classes, rank two: M = U S V'.
U, V = rotation("u")[:, :2], rotation("v")[:, :2]
S = sp.diag(s1, s2)
M = U * S * V.T
between = U * S**2 * U.T / number
inverse = number * U * S**-2 * U.T
kappa = V.T * M.T * residual
expanded = [
    h * h.T - uneven.centre * h.T - h * uneven.centre.T + uneven.centre * uneven.centre.T for h in uneven.samples
]
outer = uneven.centre * uneven.centre.T


def _total_covariance() -> Reading:
    """Sigma_T; independent: numpy's covariance, divided by N."""
    features, _ = example()
    mean, gram = features.mean(axis=0), features.T @ features
    squared = np.outer(mean, mean)
    independent = np.cov(features, rowvar=False, bias=True)
    return Reading(gram - squared, gram / len(features) - squared, independent)


def _matrix(claim: str, left: sp.Matrix, right: sp.Matrix, because: str) -> Step:
    return Step(claim, left, right, because=because)


def _line(
    label: str, statement: str, printed: str, *steps: Step, evidence: str = "Written out for a rank of two."
) -> Equation:
    return entry(label, "B.1", statement, Finding.CONFIRMED, evidence, printed=printed, steps=steps)


EQUATIONS = (
    entry("A notation", "A", "Fonts, sets, sequences, conditional variables.", Finding.DEFINITION, "Notation."),
    entry(
        "B.1 class means",
        "B.1",
        "For balanced classes Algorithm 1 computes the class means.",
        Finding.CONDITIONAL,
        "n_c = N/C, so the total is to be multiplied by C/N.",
        condition="line 8 has C/N for 1/N",
        steps=(
            Step("with C/N", 2 * balanced.totals[1] / balanced.count, balanced.means[1], because="two classes of two"),
        ),
        counterexample=lambda: balanced.totals[1] / balanced.count != balanced.means[1],
        consequence="See line 8 of Algorithm 1.",
    ),
    _line(
        "(B.1)",
        "For balanced classes Sigma_B = M M'/C.",
        r"\Sigma_B = \frac{1}{C} M M^\top",
        _matrix(
            "every entry", balanced.between, balanced.centred_matrix * balanced.centred_matrix.T / 2, "n_c/N = 1/C"
        ),
        evidence="Written out for two classes of two.",
    ),
    _line(
        "(B.2)",
        "U = M V S^-1.",
        r"U = M V S^{-1}",
        _matrix("every entry", M * V * S.inv(), U, "V'V = 1"),
    ),
    _line(
        "(B.3)",
        "M M' = U S^2 U'.",
        r"M M^\top = U S^2 U^\top",
        _matrix("every entry", M * M.T, U * S**2 * U.T, "V'V = 1"),
    ),
    _line(
        "(B.4)",
        "M'M = V S^2 V'.",
        r"M^\top M = V S^2 V^\top",
        _matrix("every entry", M.T * M, V * S**2 * V.T, "U'U = 1"),
    ),
    _line(
        "(B.5)",
        "The pseudo-inverse of Sigma_B from M and the eigenvectors of M'M.",
        r"\Sigma_B^+ = C U S^{-2} U^\top = C M V S^{-4} V^\top M^\top",
        _matrix("two forms", number * M * V * S**-4 * V.T * M.T, inverse, "Eq. (B.2)"),
        evidence="Written out for a rank of two. Line 3 there has the factors S^-1 S^-2 S^-1.",
    ),
    _line(
        "Footnote 1 of Appendix B",
        "The four conditions of Moore and Penrose.",
        r"\Sigma_B \Sigma_B^+ \Sigma_B = \Sigma_B, \dots",
        _matrix("first", between * inverse * between, between, "U'U = 1"),
        _matrix("second", inverse * between * inverse, inverse, "U'U = 1"),
        _matrix("third", (between * inverse).T, U * U.T, "a projection, symmetric"),
        _matrix("fourth", (inverse * between).T, U * U.T, "the same projection"),
    ),
    _line(
        "B.1 shared eigenvalues",
        "M M' and M'M share the eigenvalues s_r^2.",
        r"S^2 = \mathrm{diag}(\lambda_1, \dots, \lambda_R)",
        _matrix("of M M'", M * M.T * U, U * S**2, "columns of U are eigenvectors"),
        _matrix("of M'M", M.T * M * V, V * S**2, "columns of V are eigenvectors"),
    ),
    _line(
        "B.1 trace",
        "Each sample contributes C times the squared length of kappa over the eigenvalues.",
        r"\mathrm{tr}(\Sigma_W \Sigma_B^+) = \frac{C}{N} \sum_{c,i} \|\kappa_{c,i}^\top S^{-2}\|^2",
        Step(
            "one residual",
            (residual * residual.T * inverse).trace(),
            number * (S**-2 * kappa).dot(S**-2 * kappa),
            because="cyclic trace, then Eq. (B.5)",
        ),
    ),
    entry(
        "B.1 returned value",
        "B.1",
        "This is exactly the value returned by Algorithm 1.",
        Finding.CONDITIONAL,
        "The formula has C/N, line 20 has 1/N.",
        condition="line 20 returns C/N times the sum",
        steps=(
            Check("with C/N", lambda: abs(algorithm_1(*example()) / brute_force(*example()) - 1) < 1e-10, "30 samples"),
        ),
        counterexample=lambda: abs(algorithm_1(*example()) / 3 / brute_force(*example()) - 1) > 0.5,
        consequence="See line 20 of Algorithm 1.",
    ),
    entry(
        "B.1 cost of the projections",
        "B.1",
        "O(RC) is within O(CD).",
        Finding.CONFIRMED,
        "R is the rank of a matrix with D rows.",
        steps=(
            Check(
                "R <= D",
                lambda: all(min(c - 1, d) * c <= c * d for c in range(2, 30) for d in range(1, 30)),
                "counting",
            ),
        ),
    ),
    entry(
        "B.2 expansion",
        "B.2",
        "Sigma_T as a sum of four products.",
        Finding.CONFIRMED,
        "Written out for unequal sizes.",
        printed=r"\Sigma_T = \frac{1}{N} \sum_{c,i} (h h^\top - \bar\mu h^\top - h \bar\mu^\top + \bar\mu "
        r"\bar\mu^\top)",
        steps=(Step("every entry", uneven.total, sum(expanded, sp.zeros(2)) / uneven.count, because="expansion"),),
    ),
    entry(
        "B.2 last lines",
        "B.2",
        "Sigma_T = G minus the outer product of the mean.",
        Finding.MISPRINT,
        "G is the sum over samples, so it is divided by N, as in Eq. (2.1) and in the sentence before.",
        printed=r"\Sigma_T = G - \bar\mu \bar\mu^\top",
        corrected=r"\Sigma_T = \frac{G}{N} - \bar\mu \bar\mu^\top",
        steps=(Step("with 1/N", uneven.total, uneven.gram / uneven.count - outer, because="expansion"),),
        printed_steps=(Step("without", uneven.total, uneven.gram - outer, because="as printed"),),
        witness={"samples": 30, "dimension": 5},
        oracle=_total_covariance,
        consequence="None: Eq. (2.1) has the factor.",
    ),
)
