r"""Section 2.1: Algorithm 1, executed as printed, whole and line by line."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Claim, Equation, Finding, Witness, Word, equal, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.transition import programs_of
from theory.papers.cheong2025.algorithm_1 import definition, example, lines, value_of
from theory.papers.cheong2025.algorithm_programs import (
    adds_a_term,
    before,
    decomposed,
    keeps_the_rank,
    kept,
    projected,
    projected_residuals,
    projects,
    returns_the_metric,
    runs,
    sums_up,
    true_means,
)
from theory.papers.cheong2025.paper import entry

Q, Lambda = (sp.MatrixSymbol(name, 3, 3) for name in ("Q", "Lambda"))
M = sp.MatrixSymbol("M", 4, 3)


def _line(label: str, statement: str, verdict: Finding, evidence: str, **rest: Any) -> Equation:
    return entry(f"Algorithm 1, {label}", "2.1", statement, verdict, evidence, **rest)


SCALE = "1/N instead of C/N: the balanced class size is N/C"
EXAMPLE = {"C": 3, "N": 9, "D": 4}

PROGRAMS: Programs = {
    "Algorithm 1": Program(returns_the_metric, definition, value=value_of),
    **programs_of(
        (
            _line(
                "lines 1 to 5",
                "Class totals.",
                Finding.CONFIRMED,
                "Run on nine samples. The loop over n must stand inside that over c; the encoder still sees each sample once.",
                printed=lines(1, 5),
                prove=sums_up,
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "line 6",
                "The global mean is the sum of the class totals over N.",
                Finding.CONFIRMED,
                "Run on nine samples.",
                printed=lines(6, 6),
                prove=runs(lambda names: names["bar_mu"], lambda: example()[0].mean(axis=0), 6),
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "line 8",
                "The class means, lines 7 and 8.",
                Finding.MISPRINT,
                f"{SCALE}.",
                printed=lines(7, 8, corrected=()),
                corrected=lines(7, 8),
                prove=runs(lambda names: [names["mu"][k] for k in (1, 2, 3)], lambda: list(true_means().values()), 7),
                witness=Witness(
                    {**EXAMPLE, "quantity": "first components of the class means"},
                    lambda: np.array([float(mean[0]) for mean in true_means().values()]),
                    value=lambda algorithm: np.array(
                        [float(mean[0]) for mean in algorithm.run(**before(7))["mu"].values()]
                    ),
                ),
                consequence="As printed every class mean is too short by C, so M and all residuals are wrong. For unequal "
                "classes divide by their own size.",
                heirs=("Theorem 4, correctness", "B.1 class means"),
            ),
        )
    ),
    **programs_of((_line("line 9", "M, the centred means as columns.", Finding.DEFINITION, "D by C."),)),
    **programs_of(
        (
            _line(
                "lines 10 and 11",
                "Eigendecomposition of M'M.",
                Finding.CONFIRMED,
                "M'M is symmetric with non-negative eigenvalues. It squares the condition number of M, which costs digits: "
                "singular values of M do not.",
                printed=equal(Q * Lambda * Q.T, M.T * M),
                prove=numerically(decomposed, "numpy's eigenvectors"),
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "lines 12 to 14",
                "Eigenvalues that are not zero are kept: R is the rank of M.",
                Finding.CONDITIONAL,
                "M'M always has a null vector; in floating point its eigenvalue is rounding, not zero.",
                printed=lines(12, 14),
                condition=Claim("the arithmetic is {arithmetic}", {"arithmetic": Word("exact", ("floating point",))}),
                prove=keeps_the_rank,
                witness=Witness(
                    {
                        **EXAMPLE,
                        "arithmetic": "floating point",
                        "offset": 100,
                        "quantity": "R, the largest for 20 sets of features",
                    },
                    lambda: float(np.linalg.matrix_rank(np.array(before(10)["M"], dtype=float))),
                    value=lambda algorithm: float(kept(algorithm, "floating point", 100)),
                ),
                consequence="An implementation needs a rank: at most C - 1, and less only where singular values of M say so. "
                "With all eigenvalues the result is of the order of the reciprocal of rounding.",
                heirs=("Theorem 4, correctness",),
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "lines 15 to 18",
                "The vector kappa of the residual of each sample; line 15 sets the sum to zero.",
                Finding.MISPRINT,
                "No loop over c encloses line 17, so c is C since line 8, and samples of other classes are left out. The index "
                "i of line 18 is set nowhere.",
                printed=lines(15, 18, corrected=()),
                corrected=lines(15, 18),
                prove=projects,
                witness=Witness(
                    {**EXAMPLE, "quantity": "kappa after each of five samples, and the sum of line 15"},
                    projected_residuals,
                    projected,
                ),
                consequence="Read literally the second pass runs over one class. In line 17 c is to be the class of sample n.",
                heirs=("Theorem 4, correctness", "B.1 returned value"),
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "line 19",
                "Each sample adds the squared length of kappa over the eigenvalues.",
                Finding.CONFIRMED,
                "One sample, against the quadratic form of numpy's pseudo-inverse over C.",
                printed=lines(19, 19),
                prove=adds_a_term,
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "line 20",
                "The sum over N is returned.",
                Finding.MISPRINT,
                f"{SCALE}. The proof in Section B.1 has C/N.",
                printed=lines(20, 20, corrected=()),
                corrected=lines(20, 20),
                prove=runs(lambda names: names["returned"], definition, 20),
                witness=Witness(
                    {**EXAMPLE, "quantity": "returned value, all other lines corrected"},
                    definition,
                    value=lambda algorithm: float(algorithm.run(**before(20))["returned"]),
                ),
                consequence="If all other lines are right, the returned value is tr(Sigma_W Sigma_B^+)/C, a normalisation "
                "that other papers use on purpose. Which of the two the figures show cannot be told from the text.",
                heirs=("Theorem 4, correctness", "B.1 returned value"),
            ),
        )
    ),
}
