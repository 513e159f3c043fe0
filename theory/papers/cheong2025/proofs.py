r"""Appendices A and B.1: the notation and the pseudo-inverse of Sigma_B, Eqs. (B.1) to (B.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Equation, Finding, equal, numerically
from theory.core.ledger.ledger import Programs
from theory.core.ledger.transition import programs_of
from theory.papers.cheong2025.labelled_features import (
    CLASSES,
    DIMENSION,
    C,
    N,
    Sigma_B,
    balanced,
    bar_mu,
    c,
    features,
    letters,
    mu,
    n,
    square_of,
)
from theory.papers.cheong2025.paper import entry

R = CLASSES - 1
M, U, V, S, S_B, S_B_plus = (
    sp.MatrixSymbol(name, *shape)
    for name, shape in {
        "M": (DIMENSION, CLASSES),
        "U": (DIMENSION, R),
        "V": (CLASSES, R),
        "S": (R, R),
        "Sigma_B_matrix": (DIMENSION, DIMENSION),
        "Sigma_B_plus": (DIMENSION, DIMENSION),
    }.items()
)
Lambda_R = sp.MatrixSymbol("Lambda_R", R, R)
rank = sp.Function("rank", integer=True)
RANK = 1e-9  # singular values below this are rounding


def decomposed() -> Iterator[dict[str, Any]]:
    """Balanced classes, with the compact singular value decomposition and the pseudo-inverse by numpy.

    The eigenvalues are those of M'M, in the order of the singular values.
    """
    for case in balanced():
        left, values, right = np.linalg.svd(case["M"], full_matrices=False)
        nonzero = np.linalg.eigvalsh(case["M"].T @ case["M"])[::-1][:R]
        yield case | {
            "U": left[:, :R],
            "S": np.diag(values[:R]),
            "V": right[:R].T,
            "Sigma_B_matrix": case["Sigma_B"],
            "Sigma_B_plus": np.linalg.pinv(case["Sigma_B"], rcond=RANK, hermitian=True),
            "Lambda_R": np.diag(nonzero),
        }


def of_any_rank() -> Iterator[dict[str, Any]]:
    """Balanced classes whose means are in general position, and on a line."""
    on_a_line = features((2, 2, 2))
    on_a_line[3] += 2 * on_a_line[1].mean(axis=0) - on_a_line[2].mean(axis=0) - on_a_line[3].mean(axis=0)
    for case in (*balanced(), letters(on_a_line)):
        values = np.linalg.svd(case["M"], compute_uv=False)
        yield case | {
            "rank": lambda matrix: int(np.linalg.matrix_rank(matrix, tol=RANK)),
            "rank_S": int(np.sum(values > RANK)),
            "Sigma_B_matrix": case["Sigma_B"],
        }


def _line(label: str, statement: str, printed: Any, **rest: Any) -> Equation:
    evidence = "Balanced classes, with numpy's decomposition and pseudo-inverse."
    prove = numerically(decomposed, "numpy's decomposition")
    return entry(label, "B.1", statement, Finding.CONFIRMED, evidence, printed=printed, prove=prove, **rest)


FORMS = "The pseudo-inverse of Sigma_B, "

PROGRAMS: Programs = {
    **programs_of(
        (
            _line(
                "(B.1), definition",
                "The between-class covariance.",
                equal(Sigma_B, sp.Sum(n(c) * square_of(mu(c) - bar_mu), (c, 1, C)) / N),
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "(B.1), second line",
                "For balanced classes the class sizes cancel.",
                equal(Sigma_B, sp.Sum(square_of(mu(c) - bar_mu), (c, 1, C)) / C),
            ),
        )
    ),
    **programs_of((_line("(B.1)", "For balanced classes Sigma_B = M M'/C, third line.", equal(S_B, M * M.T / C)),)),
    **programs_of(
        (
            _line(
                "B.1 decomposition",
                "The compact singular value decomposition of M, with semi-orthogonal matrices.",
                sp.Tuple(equal(M, U * S * V.T), equal(U.T * U, V.T * V), equal(V.T * V, sp.Identity(R))),
            ),
        )
    ),
    "B.1 ranks": numerically(of_any_rank, "singular values"),
    "B.1 rank bound": numerically(of_any_rank, "singular values"),
    **programs_of((_line("(B.2)", "U from M, V and S.", equal(U, M * V * S.I)),)),
    **programs_of(
        (_line("(B.3), first equality", "M M' by the decomposition.", equal(M * M.T, U * S * V.T * V * S * U.T)),)
    ),
    **programs_of((_line("(B.3)", "M M' = U S^2 U'.", equal(M * M.T, U * S**2 * U.T)),)),
    **programs_of(
        (_line("(B.4), first equality", "M'M by the decomposition.", equal(M.T * M, V * S * U.T * U * S * V.T)),)
    ),
    **programs_of((_line("(B.4)", "M'M = V S^2 V'.", equal(M.T * M, V * S**2 * V.T)),)),
    **programs_of(
        (_line("B.1 substitution", "Sigma_B by (B.3).", equal(S_B, sp.MatMul(U, S**2 / C, U.T, evaluate=False))),)
    ),
    **programs_of(
        (
            _line(
                "(B.5), first line",
                FORMS + "by (B.3).",
                equal(S_B_plus, sp.MatMul(U, sp.MatPow(S**2 / C, -1, evaluate=False), U.T, evaluate=False)),
            ),
        )
    ),
    **programs_of(
        (_line("(B.5), second line", FORMS + "the factor C in front.", equal(S_B_plus, C * U * S**-2 * U.T)),)
    ),
    **programs_of(
        (
            _line(
                "(B.5), third line",
                FORMS + "(B.2) substituted.",
                equal(
                    S_B_plus, sp.MatMul(C, M, V, sp.MatMul(S.I, S**-2, S.I, evaluate=False), V.T, M.T, evaluate=False)
                ),
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "(B.5)",
                FORMS + "from M and the eigenvectors of M'M, fourth line.",
                equal(S_B_plus, C * M * V * S**-4 * V.T * M.T),
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "Footnote 1 of Appendix B",
                "The four conditions of Moore and Penrose.",
                sp.Tuple(
                    equal(S_B * S_B_plus * S_B, S_B),
                    equal(S_B_plus * S_B * S_B_plus, S_B_plus),
                    equal(sp.Transpose(S_B * S_B_plus), S_B * S_B_plus),
                    equal(sp.Transpose(S_B_plus * S_B), S_B_plus * S_B),
                ),
            ),
        )
    ),
    **programs_of(
        (_line("B.1 shared eigenvalues", "The eigenvalues of M'M that are not zero are S^2.", equal(S**2, Lambda_R)),)
    ),
}
