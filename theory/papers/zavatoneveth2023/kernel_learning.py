r"""Appendix F.1: the metric of a kernel of Mahalanobis distances, and of any kernel after a linear map."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Check, Claim, for_all, numerically
from theory.core.ledger.ledger import Programs
from theory.core.ledger.proving import is_close
from theory.papers.zavatoneveth2023.kernel_values import (
    MATRIX,
    ROOT,
    X,
    Y,
    base,
    determinants,
    feature_metric,
    invariant,
    invariant_metric,
    mapped,
    mapped_metric,
)

k_xx, k_xy, k_M_xx, k_M_xy, g_M, distance = sp.symbols("k_xx k_xy k_M_xx k_M_xy g_M mahalanobis", real=True)
det_g, det_g_M, det_M = sp.symbols("det_g det_g_M det_M", positive=True)
hess_x, hess_y_at_x, h, h_slope, M, root_M, metric = (
    sp.Function(name) for name in ("hess_x", "hess_y_at_x", "h", "h_slope", "M", "root_M", "metric")
)
rho, lam = sp.symbols("rho lambda", integer=True, positive=True)


def is_flat(claim: Claim) -> tuple[Check, ...]:
    """A metric that is the same at every input has no derivatives, and so no curvature."""

    def is_constant() -> bool:
        return all(is_close(invariant_metric(at), invariant_metric(X), 1e-8) for at in (Y, 3 * X, X - 2 * Y))

    return (
        Check("constant", lambda: is_constant() is (claim["place"] == "constant"), "three further inputs"),
        Check("flat", lambda: is_constant() is (claim["curvature"] == "flat"), "its derivatives vanish"),
    )


def rescales(claim: Claim) -> tuple[Check, ...]:
    """The ratio of both volume elements, the base one at the mapped input or at the input itself."""
    place = {"x -> M^(1/2) x": ROOT, "x -> x": np.eye(2)}[claim["change"]]

    def ratio(at: np.ndarray) -> float:
        return float(np.sqrt(np.linalg.det(mapped_metric(at)) / np.linalg.det(feature_metric(place @ at))))

    points = [X, Y, 2 * X, X - Y]
    size = float(np.sqrt(np.linalg.det(MATRIX)))
    is_overall = {"overall": True, "local": False}[claim["rescaling"]]
    return (
        Check("rescaling", lambda: for_all(points, lambda at: is_close(ratio(at), size)) is is_overall, "features"),
    )


PROGRAMS: Programs = {
    "(F.5)": numerically(base, "Jacobian of the features"),
    "(F.6)": numerically(invariant, "distances of features", tolerance=1e-8),
    "(F.7)": numerically(invariant, "distances of features", tolerance=1e-8),
    "F.1 flat": is_flat,
    "(F.9)": numerically(mapped, "Jacobian of the features"),
    "(F.10)": numerically(mapped, "Jacobian of the features"),
    "(F.11)": numerically(determinants, "Jacobian of the features"),
    "F.1 volume": rescales,
}
