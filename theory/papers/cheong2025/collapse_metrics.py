r"""Section 1.2: networks, means, covariances and the metric, with Eq. (1.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from theory.core import numerically
from theory.core.ledger.ledger import Programs
from theory.core.ledger.proving import is_close, stating
from theory.papers.cheong2025.algorithm_1 import brute_force
from theory.papers.cheong2025.labelled_features import (
    any_sizes,
    features,
)


def scattered() -> Iterator[dict[str, Any]]:
    """Samples of any class sizes, with the trace of the within-class covariance."""
    for case in any_sizes():
        yield case | {"trace_W": float(np.trace(case["Sigma_W"]))}


def could() -> str:
    """Whether the trace of the within-class covariance falls and the metric stays if all features shrink to a half."""
    samples = np.concatenate(list(features((3, 3, 3)).values()))
    labels = np.repeat(np.arange(3), 3)
    metric = [brute_force(scale * samples, labels) for scale in (1.0, 0.5)]
    trace = [sum(float(np.trace(np.cov(scale * samples[labels == k].T))) for k in range(3)) for scale in (1.0, 0.5)]
    return "could" if trace[1] < 0.3 * trace[0] and is_close(*metric) else "could not"


PROGRAMS: Programs = {
    "1.2 trace of the within-class covariance": numerically(scattered, "numpy's covariances"),
    "1.2 scale": stating({"could": could}, "features by a half"),
    "1.2 total covariance, definition": numerically(any_sizes, "numpy's covariances"),
    "1.2 total covariance": numerically(any_sizes, "numpy's covariances"),
}
