r"""Appendix E.1: the factor chi with the inverse metric inserted, Eqs. (E.18) to (E.21)."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Finding, equal, numerically
from theory.papers.zavatoneveth2023.appendix_letters import (
    E,
    chi,
    d,
    delta,
    entry,
    mu,
    norm2,
    nu,
    phi0,
    phi1,
    phi2,
    w,
    x,
    z,
    z_a,
)
from theory.papers.zavatoneveth2023.unit_averages import ACTIVATION, circles, derivative, gaussian_nodes, mean_with

g_inverse, omega, omega_slope = sp.symbols("g_inverse Omega Omega_slope", real=True)
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
weighted_trace = sp.Sum(E(features * w(mu) ** 2), (mu, 1, d))  # w_mu w_nu delta_mu_nu
BY_QUADRATURE = numerically(one_unit, "quadrature over three weights")
EVIDENCE = "Three inputs, an activation function without a symmetry: the metric inverted as a matrix, by quadrature."

EQUATIONS = (
    entry(
        "(E.18)",
        "E.1",
        "The inverse metric of Appendix C with sigma = 1 and no biases.",
        Finding.CONFIRMED,
        EVIDENCE,
        printed=equal(g_inverse, sp.exp(-omega) * (delta - fraction * x(mu) * x(nu))),
        prove=BY_QUADRATURE,
    ),
    entry(
        "(E.19)",
        "E.1",
        "The function Omega, (C.11) with sigma = 1.",
        Finding.DEFINITION,
        "(E.18) is confirmed with it.",
        printed=equal(sp.exp(omega), E(phi1(z) ** 2)),
    ),
    entry(
        "(E.20)",
        "E.1",
        "The factor chi with the inverse metric inserted.",
        Finding.ILLEGIBLE,
        "Parts of both prefactors are lost in the text that was read; the inferred form is (E.17) with (E.18). "
        + EVIDENCE,
        printed=r"\chi = \frac{1}{e^\Omega \mathbb{E}_{\mathbf{w}}[\phi(z_a)^2]} "
        r"\mathbb{E}_{\mathbf{w}}[\phi(z_a)^2 \phi'(z)^2 w_\mu w_\nu] \delta_{\mu\nu} - \ldots",
        inferred=equal(
            chi,
            (weighted_trace - fraction * E(features * z**2)) / (sp.exp(omega) * E(phi0(z_a) ** 2)),
        ),
        prove=BY_QUADRATURE,
    ),
    entry(
        "(E.21)",
        "E.1",
        "The trace by Stein's lemma.",
        Finding.CONFIRMED,
        "Three inputs, an activation function without a symmetry, by quadrature.",
        printed=equal(
            weighted_trace,
            d * E(features)
            + 2 * E(phi0(z_a) * phi1(z_a) * z_a * phi1(z) ** 2 + phi0(z_a) ** 2 * phi1(z) * phi2(z) * z),
        ),
        prove=BY_QUADRATURE,
    ),
    entry(
        "E.1 two points of XOR",
        "E.1",
        "Training on (1, 0) with target 0 and (0, 1) with target 1.",
        Finding.NOTE,
        "The text that was read breaks off after naming the task; no formula follows. (E.16) is for one training "
        "point; two need (E.12).",
    ),
)
