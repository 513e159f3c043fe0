r"""Section 1.2: networks, means, covariances and the metric, with Eq. (1.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Witness, Word, equal, for_all, numerically
from theory.core.proving import is_close
from theory.papers.cheong2025.algorithm_1 import brute_force
from theory.papers.cheong2025.conditions import exactly_where
from theory.papers.cheong2025.labelled_features import (
    CLASSES,
    DIMENSION,
    C,
    N,
    Sigma_B,
    Sigma_T,
    Sigma_W,
    any_sizes,
    bar_mu,
    c,
    features,
    h,
    i,
    letters,
    mu,
    mu_tilde,
    norm,
    over_samples,
    square_of,
)
from theory.papers.cheong2025.paper import entry

trace_W = sp.Symbol("trace_W", real=True)
rank = sp.Function("rank", integer=True)
rank_M, n_min, n_max = sp.symbols("rank_M n_min n_max", integer=True)
S_B, M, N_matrix = (
    sp.MatrixSymbol(name, *shape)
    for name, shape in (
        ("Sigma_B_matrix", (DIMENSION, DIMENSION)),
        ("M", (DIMENSION, CLASSES)),
        ("N_matrix", (CLASSES, CLASSES)),
    )
)


def scattered() -> Iterator[dict[str, Any]]:
    """Samples of any class sizes, with the trace of the within-class covariance."""
    for case in any_sizes():
        yield case | {"trace_W": float(np.trace(case["Sigma_W"]))}


def ranked() -> Iterator[dict[str, Any]]:
    """Samples of any class sizes, with ranks; in the last the three class means lie on a line."""
    on_a_line = features((2, 3, 1))
    on_a_line[3] += 2 * on_a_line[1].mean(axis=0) - on_a_line[2].mean(axis=0) - on_a_line[3].mean(axis=0)
    for case in (*any_sizes(), letters(on_a_line)):
        sizes = np.diag([float(case["n"](k)) for k in range(1, CLASSES + 1)])
        yield case | {
            "rank": lambda matrix: int(np.linalg.matrix_rank(matrix, tol=1e-9)),
            "rank_M": int(np.linalg.matrix_rank(case["M"], tol=1e-9)),
            "Sigma_B_matrix": case["Sigma_B"],
            "N_matrix": sizes,
            "least": min,
        }


def shrinks(claim: Claim) -> tuple[Check, ...]:
    """All features shrink to a half: the trace of the within-class covariance, and the metric."""
    samples = np.concatenate(list(features((3, 3, 3)).values()))
    labels = np.repeat(np.arange(3), 3)
    metric = [brute_force(scale * samples, labels) for scale in (1.0, 0.5)]
    trace = [sum(float(np.trace(np.cov(scale * samples[labels == k].T))) for k in range(3)) for scale in (1.0, 0.5)]
    return (
        Check("trace", lambda: (trace[1] < 0.3 * trace[0]) is (claim["trace"] == "falls"), "features by a half"),
        Check("metric", lambda: is_close(*metric) is (claim["metric"] == "stays"), "features by a half"),
    )


def invertible_up_to(claim: Claim) -> tuple[Check, ...]:
    """The largest number of dimensions in which Sigma_B of C random classes is invertible, for two to five classes."""

    def agrees(count: int) -> bool:
        means = np.random.default_rng(1).normal(size=(count, count + 2))
        regular = [
            size
            for size in range(1, count + 3)
            if np.linalg.matrix_rank(np.atleast_2d(np.cov(means[:, :size].T)), tol=1e-9) == size
        ]
        return bool(max(regular) == claim["dimensions"].subs(C, count))

    return (Check("two to five classes", lambda: for_all(range(2, 6), agrees), "ranks of covariances"),)


least = sp.Function("least")

EQUATIONS_1 = (
    entry(
        "1.2 geometric compression",
        "1.2",
        "Earlier compression of I(h; x) could have been geometric: absolute, as the diameter shrinks, or relative, as "
        "classes cluster.",
        Finding.NOTE,
        "Quoted. The metric of this section measures the relative form.",
    ),
    entry(
        "1.2 network",
        "1.2",
        "A network is a composition of layers; softmax and a matrix at the end.",
        Finding.DEFINITION,
        "Layers are counted from 1; layer 0 is the input.",
        printed=r"f^{L:1} = f^L \circ f^{L-1} \circ \dots \circ f^1",
    ),
    entry(
        "1.2 within-class covariance",
        "1.2",
        "Class means and within-class covariance.",
        Finding.DEFINITION,
        "Divided by N, not by N - C.",
        printed=r"\Sigma_W = \frac{1}{N} \sum_{c=1}^C \sum_{i=1}^{n_c} (h_{c,i} - \mu_c)(h_{c,i} - \mu_c)^\top",
    ),
    entry(
        "Figure 1.3",
        "1.2",
        "A drawing of clustered and of collapsed representations, for three classes centred at zero.",
        Finding.NOTE,
        "Fictitious, as its caption says.",
    ),
    entry(
        "1.2 between-class covariance",
        "1.2",
        "Global mean and between-class covariance, classes weighted by their sizes.",
        Finding.DEFINITION,
        "Other packages weight the classes equally.",
        printed=r"\Sigma_B = \frac{1}{N} \sum_{c=1}^C n_c (\mu_c - \bar\mu)(\mu_c - \bar\mu)^\top",
    ),
)
EQUATIONS = (
    entry(
        "1.2 trace of the within-class covariance",
        "1.2",
        "tr Sigma_W is the mean squared distance to the class mean.",
        Finding.CONFIRMED,
        "Classes of equal and of unequal sizes; the covariance by numpy.",
        printed=equal(trace_W, over_samples(norm(h(c, i) - mu(c)) ** 2) / N),
        prove=numerically(scattered, "numpy's covariances"),
    ),
    entry(
        "1.2 scale",
        "1.2",
        "",
        Finding.CONFIRMED,
        "All features multiplied by a half.",
        printed=Claim(
            "If all features shrink, tr Sigma_W {trace}, though the classes do not separate; the metric {metric}.",
            {"trace": Word("falls", ("stays",)), "metric": Word("stays", ("falls",))},
        ),
        prove=shrinks,
    ),
    entry(
        "1.2 total covariance, definition",
        "1.2",
        "The total covariance as an average over samples.",
        Finding.CONFIRMED,
        "Classes of equal and of unequal sizes; the covariance by numpy.",
        printed=equal(Sigma_T, over_samples(square_of(h(c, i) - bar_mu)) / N),
        prove=numerically(any_sizes, "numpy's covariances"),
    ),
    entry(
        "1.2 total covariance",
        "1.2",
        "Sigma_T = Sigma_W + Sigma_B.",
        Finding.CONFIRMED,
        "Classes of equal and of unequal sizes; all three covariances by numpy.",
        printed=equal(Sigma_T, Sigma_W + Sigma_B),
        prove=numerically(any_sizes, "numpy's covariances"),
    ),
    entry(
        "1.2 the metric",
        "1.2",
        "tr(Sigma_W Sigma_B^+), an inverse ratio of signal to noise.",
        Finding.DEFINITION,
        "Not divided by C here; papers on neural collapse often divide.",
        closed_form="collapse.simplex_nc1",
        printed=r"\mathrm{tr}(\Sigma_W \Sigma_B^+)",
    ),
    entry(
        "1.2 centred means sum to zero",
        "1.2",
        "By definition the centred class means sum to zero.",
        Finding.CONDITIONAL,
        "Classes of equal and of unequal sizes. It is the sum weighted by class sizes that vanishes by definition.",
        printed=equal(sp.Sum(mu_tilde(c), (c, 1, C)), 0),
        condition=equal(n_min, n_max),
        prove=exactly_where(any_sizes, "numpy's averages", scale=1.0),
        witness=Witness(
            {"means": (0, 4), "n_c": (1, 3), "the sum of the centred means": ""},
            lambda: float(np.sum(np.array([0.0, 4.0]) - np.average([0.0, 4.0], weights=[1, 3]))),
            value=lambda statement: float(statement.rhs),
        ),
        consequence="None for the rank. A simplex about the global mean is not one for imbalanced classes: see NC2.",
        heirs=("NC2",),
    ),
    entry(
        "1.2 rank of M",
        "1.2",
        "The rank of M is at most C - 1.",
        Finding.CONFIRMED,
        "The sum weighted by class sizes vanishes for all sizes, so the columns are dependent. Shown for two sets of "
        "class sizes and for means on a line.",
        printed=sp.Le(rank_M, C - 1),
        prove=numerically(ranked, "singular values"),
    ),
    entry(
        "(1.4), Sigma_B",
        "1.2",
        "Sigma_B from the centred means and the class sizes.",
        Finding.CONFIRMED,
        "Two sets of class sizes and means on a line; the covariance by numpy.",
        printed=equal(S_B, M * N_matrix * M.T / N),
        prove=numerically(ranked, "numpy's covariances"),
    ),
    entry(
        "(1.4), rank of Sigma_B",
        "1.2",
        "The rank of Sigma_B from those of M and N.",
        Finding.CONFIRMED,
        "Two sets of class sizes and means on a line; the covariance by numpy.",
        printed=sp.Tuple(
            equal(rank(S_B), rank(M * N_matrix * M.T / N)),
            sp.Le(rank(M * N_matrix * M.T / N), least(rank(M), rank(N_matrix))),
        ),
        prove=numerically(ranked, "singular values"),
        harmless={
            "printed: rank(1/N*M*N_matrix*M.T) <= least(rank(M), rank(N_matrix)) flipped": "Both are equal, as N is "
            "positive definite.",
            "printed: -1 -> 1": "A factor does not change a rank.",
        },
    ),
    entry(
        "(1.4)",
        "1.2",
        "The rank of Sigma_B is at most C - 1, the last inequality.",
        Finding.CONFIRMED,
        "Two sets of class sizes and means on a line; the covariance by numpy.",
        printed=sp.Le(least(rank(M), rank(N_matrix)), C - 1),
        prove=numerically(ranked, "singular values"),
    ),
    entry(
        "1.2 invertible only in few dimensions",
        "1.2",
        "",
        Finding.CONFIRMED,
        "Ranks of the covariances of two to five random class means in one dimension more each time.",
        printed=Claim(
            "Sigma_B is only invertible if the representation is at most {dimensions}-dimensional.",
            {"dimensions": C - 1},
        ),
        prove=invertible_up_to,
    ),
)
