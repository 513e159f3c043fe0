r"""Section 1.2: networks, means, covariances and the metric, with Eq. (1.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Word, equal, numerically
from theory.core.ledger.proving import is_close
from theory.papers.cheong2025.algorithm_1 import brute_force
from theory.papers.cheong2025.labelled_features import (
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
    mu,
    norm,
    over_samples,
    square_of,
)
from theory.papers.cheong2025.paper import entry

trace_W = sp.Symbol("trace_W", real=True)


def scattered() -> Iterator[dict[str, Any]]:
    """Samples of any class sizes, with the trace of the within-class covariance."""
    for case in any_sizes():
        yield case | {"trace_W": float(np.trace(case["Sigma_W"]))}


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
)
