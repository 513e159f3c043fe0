r"""Appendices A and B.1: the notation and the pseudo-inverse of Sigma_B, Eqs. (B.1) to (B.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from theory.core import numerically
from theory.core.ledger.ledger import Programs
from theory.papers.cheong2025.labelled_features import (
    CLASSES,
    balanced,
    features,
    in_letters,
)
from theory.papers.cheong2025.notation import letters

R = CLASSES - 1
M, U, V, S, S_B, S_B_plus, Lambda_R, rank = letters("M U V S Sigma_B_matrix Sigma_B_plus Lambda_R rank")
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
    for case in (*balanced(), in_letters(on_a_line)):
        values = np.linalg.svd(case["M"], compute_uv=False)
        yield case | {
            "rank": lambda matrix: int(np.linalg.matrix_rank(matrix, tol=RANK)),
            "rank_S": int(np.sum(values > RANK)),
            "Sigma_B_matrix": case["Sigma_B"],
        }


FORMS = "The pseudo-inverse of Sigma_B, "

DECOMPOSED = numerically(decomposed, "numpy's decomposition")
LINES = (
    *("(B.1), definition", "(B.1), second line", "(B.1)", "B.1 decomposition", "(B.2)", "(B.3), first equality"),
    *("(B.3)", "(B.4), first equality", "(B.4)", "B.1 substitution", "(B.5), first line", "(B.5), second line"),
    *("(B.5), third line", "(B.5)", "Footnote 1 of Appendix B", "B.1 shared eigenvalues"),
)

PROGRAMS: Programs = {
    **dict.fromkeys(LINES, DECOMPOSED),
    **dict.fromkeys(("B.1 ranks", "B.1 rank bound"), numerically(of_any_rank, "singular values")),
}
