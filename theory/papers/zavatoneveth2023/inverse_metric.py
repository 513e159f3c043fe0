r"""Appendix E.1: the factor chi with the inverse metric inserted, Eqs. (E.18) to (E.21)."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import numerically
from theory.core.ledger.ledger import Programs
from theory.papers.zavatoneveth2023.appendix_letters import (
    norm2,
    phi0,
    phi1,
    z,
    z_a,
)
from theory.papers.zavatoneveth2023.unit_averages import ACTIVATION, circles, derivative, gaussian_nodes, mean_with

omega_slope = sp.Symbol("Omega_slope", real=True)
X, XA = np.array([0.6, -0.5, 0.4]), np.array([-0.3, 0.7, 0.5])
NODES, WEIGHTS = gaussian_nodes(3)


def mean_square_slope(size: Any) -> Any:
    """E[phi'(z)^2] at an input whose squared norm is ``size`` [points, 1], which may be complex."""
    return mean_with(WEIGHTS)(ACTIVATION["phi1"](np.sqrt(size / (X @ X)) * (X @ NODES)) ** 2)


@cache
def one_unit() -> list[dict[str, Any]]:
    """Standard Gaussian weights on three inputs; inverse metric, Omega and chi from their definitions."""
    at, trained = X @ NODES, XA @ NODES
    features, slopes = ACTIVATION["phi0"](trained) ** 2, ACTIVATION["phi1"](at) ** 2
    metric = np.einsum("n,n,mn,kn->mk", WEIGHTS, slopes, NODES, NODES)
    tilted = np.einsum("n,n,n,mn,kn->mk", WEIGHTS, features, slopes, NODES, NODES)
    inverse = np.linalg.inv(metric)
    value, rise = (
        mean_square_slope(np.array([[X @ X]]))[0, 0],
        derivative(mean_square_slope(circles(X @ X[:, None], 1))),
    )
    letters = {
        **ACTIVATION,
        "E": lambda values: WEIGHTS @ values,
        "z": at, "z_a": trained, "d": 3, "norm2": X @ X,
        "w": lambda index: NODES[index - 1], "x": lambda index: X[index - 1],
        "Omega": np.log(value), "Omega_slope": rise / value,
        "chi": np.sum(inverse * tilted) / (WEIGHTS @ features),
    }  # fmt: skip
    return [{**letters, "mu": i, "nu": k, "g_inverse": inverse[i - 1, k - 1]} for i, k in ((1, 1), (1, 2), (3, 2))]


fraction = 2 * omega_slope / (1 + 2 * norm2 * omega_slope)
features = phi0(z_a) ** 2 * phi1(z) ** 2
BY_QUADRATURE = numerically(one_unit, "quadrature over three weights")

PROGRAMS: Programs = {
    "(E.18)": BY_QUADRATURE,
    "(E.20)": BY_QUADRATURE,
    "(E.21)": BY_QUADRATURE,
}
