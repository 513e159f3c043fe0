r"""Appendix F.2: the metric of a kernel that is learned from positive pairs, Eqs. (F.12) to (F.21)."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Given, Witness, Word, equal, numerically
from theory.core.ledger.proving import is_close
from theory.core.numbers.evaluation import evaluate
from theory.papers.zavatoneveth2023.appendix_letters import entry, n, p
from theory.papers.zavatoneveth2023.kernel_values import feature_metric
from theory.papers.zavatoneveth2023.learned_kernel import (
    ANOTHER,
    PAIRS,
    X,
    at_two_inputs,
    derivatives,
    learned,
    root_inverse,
)

K_XX, K_XX1, K_X1X, K_X1X1 = (sp.MatrixSymbol(name, PAIRS, PAIRS) for name in ("K_XX", "K_XX1", "K_X1X", "K_X1X1"))
Z, K_tilde_root, K_Gamma, K_kept_inverse, Q, U, inverse_eigenvalues = (
    sp.MatrixSymbol(name, 2 * PAIRS, 2 * PAIRS)
    for name in ("Z", "K_tilde_root", "K_Gamma", "K_kept_inverse", "Q", "U", "inverse_eigenvalues")
)
Z_11, Z_12, Z_21, Z_22 = (sp.MatrixSymbol(f"Z_{index}", PAIRS, PAIRS) for index in (11, 12, 21, 22))
K_x, K_y, K_mu, K_nu = (sp.MatrixSymbol(name, 2 * PAIRS, 1) for name in ("K_x", "K_y", "K_mu", "K_nu"))
k_ss, k_ss_xx, g_ss = sp.symbols("k_ss k_ss_xx g_ss", real=True)
hess_x, hess_y_at_x = sp.Function("hess_x"), sp.Function("hess_y_at_x")
WEIGHTS = np.random.default_rng(1).normal(size=(PAIRS, PAIRS))


def blocks(count: sp.Symbol) -> sp.Tuple:
    """The four blocks of Z, with the number of pairs as this letter."""
    first, second = (K_XX1 * K_XX, K_XX1 * K_XX1), (K_X1X1 * K_XX, K_X1X1 * K_XX1)
    scale = 1 / (2 * count)
    return sp.Tuple(
        equal(Z_11, scale * (first[0] + first[0].T)),
        equal(Z_12, scale * (first[1] + second[0].T)),
        equal(Z_21, scale * (second[0] + first[1].T)),
        equal(Z_22, scale * (second[1] + second[1].T)),
    )


def sums_of_entries(statement: sp.Tuple) -> list[float]:
    """Weighted sums of the entries of the four blocks that a statement gives."""
    ones = {f"Z_{index}": np.ones((PAIRS, PAIRS)) for index in (11, 12, 21, 22)}
    multiples = [evaluate(relation.lhs, ones)[0, 0] for relation in statement]
    return [
        float(np.sum(WEIGHTS * evaluate(relation.rhs, learned())) / multiple)
        for relation, multiple in zip(statement, multiples, strict=True)
    ]


def sums_from_features() -> list[float]:
    """Of the four blocks of the averaged outer product of the pairs."""
    return [float(np.sum(WEIGHTS * learned()[name])) for name in ("Z_11", "Z_12", "Z_21", "Z_22")]


def eigenvalues(claim: Claim | None) -> tuple[list[float], int]:
    """Eigenvalues of the whitened matrix of two pairs in three dimensions, and how many are kept."""
    points = np.array([[1.0, 0.2, -0.3], [-0.4, 1.1, 0.5], [0.7, -0.5, 0.4], [0.6, 0.3, -1.2]])
    gram = points @ points.T
    crossed = points[:2].T @ points[2:] / 4
    root = root_inverse(gram)
    whitened = root @ points @ (crossed + crossed.T) @ points.T @ root
    values = sorted(np.linalg.eigvalsh(whitened), reverse=True)
    nonzero = sum(abs(value) > 1e-9 for value in values)
    positive = sum(value > 1e-9 for value in values)
    return values, positive if claim is not None and claim["which"] == "positive" else nonzero


def inverts(statement: Any) -> tuple[Check, ...]:
    """Whether all eigenvalues that are kept can be inverted."""
    claim = statement.statement if isinstance(statement, Given) else statement
    values, kept = eigenvalues(statement.condition if isinstance(statement, Given) else None)

    def agrees() -> bool:
        if min(abs(value) for value in values[:kept]) < 1e-9:
            return False
        matrix = np.diag([*values[:kept], *[0.0] * (len(values) - kept)])
        power = {"1/gamma_i": -1, "gamma_i": 1}[claim["inverse"]]
        return is_close(np.linalg.pinv(matrix), np.diag([v**power for v in values[:kept]] + [0.0] * (4 - kept)))

    return (Check("two pairs in three dimensions", agrees, "pseudo-inverse"),)


def differs(claim: Claim) -> tuple[Check, ...]:
    """Ratio of both metrics in two directions, at which a rescaling would give one number."""
    learned_metric = np.array([case["g_ss"] for case in derivatives()])
    base = feature_metric(X)
    ratios = learned_metric / np.array([base[0, 0], base[0, 1], base[1, 1]])
    differ = bool(np.ptp(ratios) > 0.1 * np.max(np.abs(ratios)))
    return (Check("ratios of entries", lambda: differ is (claim["relation"] == "differ"), "three features"),)


EQUATIONS = (
    entry(
        "(F.12)",
        "F.2",
        "The base kernel, and its Gram matrices on both halves of the positive pairs.",
        Finding.DEFINITION,
        "K_XX, K_XX', K_X'X and K_X'X' are p by p.",
        printed=r"k(\mathbf{x}, \mathbf{y})",
    ),
    entry(
        "(F.13)",
        "F.2",
        "The combined kernel matrix.",
        Finding.DEFINITION,
        "Of size 2p.",
        printed=r"\tilde{\mathbf{K}} = \begin{pmatrix} \mathbf{K}_{XX} & \mathbf{K}_{XX'} \\ \mathbf{K}_{X'X} & "
        r"\mathbf{K}_{X'X'} \end{pmatrix}",
    ),
    entry(
        "(F.14)",
        "F.2",
        "The matrix of positive pairs.",
        Finding.MISPRINT,
        "The averaged outer product of p pairs in a space of three features. The prefactor that can be read, 1/(2n), "
        "has n, which is no number of pairs here and elsewhere in the paper the width. Primes of the blocks are "
        "damaged in the text that was read; those shown are the ones with which the rest agrees.",
        printed=blocks(n),
        corrected=blocks(p),
        prove=numerically(lambda: [learned()], "outer products of pairs in three features"),
        witness=Witness({p: PAIRS, n: ANOTHER, "values": "weighted sums of the entries of the four blocks"},
                        sums_from_features, value=sums_of_entries),
        harmless={
            f"{shown}: {gram}.T not transposed{number}": "Gram matrices are symmetric."
            for shown in ("printed", "corrected") for gram in ("K_XX", "K_X1X1") for number in ("", " (2)")
        },
        consequence="With another number than that of the pairs, all eigenvalues kept and the learned kernel are "
        "rescaled.",
    ),
    entry(
        "(F.15)",
        "F.2",
        "The whitened matrix.",
        Finding.DEFINITION,
        "With pseudo-inverses where necessary.",
        printed=equal(K_Gamma, K_tilde_root * Z * K_tilde_root),
    ),
    entry(
        "(F.16)",
        "F.2",
        "The same with all but the top d eigenvalues discarded.",
        Finding.DEFINITION,
        "In its orthogonal eigendecomposition.",
        printed=r"\mathbf{K}_\Gamma^{\leq d} = \mathbf{U} \, \mathrm{diag}(\gamma_1, \ldots, \gamma_d, 0, \ldots, 0) "
        r"\, \mathbf{U}^\top",
    ),
    entry(
        "F.2 pseudo-inverse",
        "F.2",
        "",
        Finding.CONDITIONAL,
        "The whitened matrix can have negative eigenvalues, since the outer product of a pair is made symmetric. Two "
        "pairs in three dimensions, a linear kernel: of its four different eigenvalues three are not zero, but the "
        "third largest is zero.",
        printed=Claim("With at least d nonzero eigenvalues, the pseudo-inverse of the matrix that is kept has the "
                      "eigenvalues {inverse} for i = 1, ..., d.", {"inverse": Word("1/gamma_i", ("gamma_i",))}),
        condition=Claim("at least d eigenvalues are {which}", {"which": Word("positive", ("nonzero",))}),
        prove=inverts,
        witness=Witness(
            {"pairs": 2, "dimensions": 3, "d": 3, "value": "number of the top d eigenvalues that can be inverted"},
            lambda: float(sum(abs(value) > 1e-9 for value in eigenvalues(None)[0][:3])),
            value=lambda claim: 3.0 if claim["inverse"] == "1/gamma_i" else 0.0,
        ),
        consequence="With d beyond the number of positive eigenvalues the learned kernel is undefined, or, once "
        "negative ones are kept, not positive semidefinite.",
    ),
    entry(
        "(F.17)",
        "F.2",
        "The modified kernel.",
        Finding.DEFINITION,
        "Symmetric; positive semidefinite where the eigenvalues that are kept are positive.",
        printed=equal(k_ss, K_x.T * K_tilde_root * K_kept_inverse * K_tilde_root * K_y),
    ),
    entry(
        "(F.18)",
        "F.2",
        "The constant matrix of the modified kernel.",
        Finding.DEFINITION,
        "Of size 2p.",
        printed=equal(Q, K_tilde_root * K_kept_inverse * K_tilde_root),
    ),
    entry(
        "(F.19)",
        "F.2",
        "The modified kernel as a constant quadratic form in the kernels with the data.",
        Finding.CONFIRMED,
        "Four pairs, three features; the modified kernel from whitened data, (F.17).",
        printed=equal(sp.Matrix([[k_ss]]), K_x.T * Q * K_y),
        prove=numerically(at_two_inputs, "whitened data"),
    ),
    entry(
        "(F.20)",
        "F.2",
        "The formula for the metric with this kernel inserted.",
        Finding.CONFIRMED,
        "Four pairs, three features; the metric from a factorisation of Q.",
        printed=equal(g_ss, hess_x(k_ss_xx) / 2 - hess_y_at_x(k_ss)),
        prove=numerically(derivatives, "features of the learned kernel"),
    ),
    entry(
        "(F.21)",
        "F.2",
        "Its metric.",
        Finding.CONFIRMED,
        "Four pairs, three features; the metric from a factorisation of Q.",
        printed=equal(sp.Matrix([[g_ss]]), K_mu.T * Q * K_nu),
        prove=numerically(derivatives, "features of the learned kernel"),
    ),
    entry(
        "F.2 another metric",
        "F.2",
        "",
        Finding.CONFIRMED,
        "The entries of both metrics at one input have ratios that differ by more than a tenth.",
        printed=Claim("For general base kernels this metric and that of the base kernel {relation} substantially.",
                      {"relation": Word("differ", ("agree",))}),
        prove=differs,
    ),
)  # fmt: skip
