r"""Appendix E.1: corrections to the metric of a wide Bayesian network, Eqs. (E.1) to (E.21)."""

from __future__ import annotations

import sympy as sp

from theory.core import Finding, Step
from theory.papers.zavatoneveth2023.paper import entry
from theory.papers.zavatoneveth2023.posterior import (
    Psi,
    background,
    eps,
    gamma,
    log_likelihood,
    outputs,
    perturbed,
    trace,
)

EQUATIONS = (
    entry(
        "(E.1)",
        "E",
        "Jacobi's formula for the determinant of a perturbed metric.",
        Finding.CONFIRMED,
        "Two inputs, any metric.",
        printed=r"\det g = [1 + \bar g^{\mu\nu} h_{\mu\nu} + O(h^2)] \det \bar g",
        steps=(
            Step(
                "first order",
                sp.Subs(sp.Derivative(perturbed, eps), eps, 0),
                trace * background.det(),
                because="Jacobi's formula",
            ),
        ),
    ),
    entry(
        "(E.2)",
        "E",
        "The volume element of a perturbed metric.",
        Finding.CONFIRMED,
        "Two inputs, any metric.",
        printed=r"\sqrt{\det g} = [1 + \tfrac12 \bar g^{\mu\nu} h_{\mu\nu} + O(h^2)] \sqrt{\det \bar g}",
        steps=(
            Step(
                "first order of the logarithm",
                sp.Subs(sp.Derivative(sp.log(perturbed) / 2, eps), eps, 0),
                trace / 2,
                because="(E.1)",
            ),
        ),
    ),
    entry(
        "(E.3) and (E.4)",
        "E.1",
        "The network and its likelihood.",
        Finding.DEFINITION,
        "Priors of unit variance, no biases, inverse variance beta of the noise.",
        printed=r"f_i(\mathbf{x}; W, V) = \frac{1}{\sqrt n} \sum_{j=1}^n v_{ij} \phi(\mathbf{w}_j \cdot \mathbf{x}), "
        r"\quad p \propto \exp\left(-\frac\beta2 \sum_{a=1}^p \|f(\mathbf{x}_a; W, V) - \mathbf{y}_a\|^2\right)",
    ),
    entry(
        "(E.5) and (E.6)",
        "E.1",
        "The metric and its average over the prior.",
        Finding.DEFINITION,
        "(B.1) without biases, and (C.1) with sigma = 1, zeta = 0.",
        printed=r"g_{\mu\nu} = \frac1n \sum_{i=1}^n \phi'(\mathbf{w}_i \cdot \mathbf{x})^2 w_{i\mu} w_{i\nu}, \quad "
        r"\bar g_{\mu\nu} = \mathbb{E}_{\mathbf{w} \sim N(0, I_d)} [\phi'(\mathbf{w} \cdot \mathbf{x})^2 w_\mu w_\nu]",
    ),
    entry(
        "(E.7) and (E.8)",
        "E.1",
        "The kernel of the hidden layer and its average over the prior.",
        Finding.DEFINITION,
        "(C.3) with sigma = 1, zeta = 0.",
        printed=r"K(\mathbf{x}, \mathbf{y}) = \frac1n \sum_{i=1}^n \phi(\mathbf{w}_i \cdot \mathbf{x}) "
        r"\phi(\mathbf{w}_i \cdot \mathbf{y}), \quad \bar k(\mathbf{x}, \mathbf{y}) = \mathbb{E}_{\mathbf{w}} "
        r"[\phi(\mathbf{w} \cdot \mathbf{x}) \phi(\mathbf{w} \cdot \mathbf{y})]",
    ),
    entry(
        "(E.9) to (E.11)",
        "E.1",
        "The matrix Psi from the covariance of the outputs and the normalised target Gram matrix.",
        Finding.DEFINITION,
        "It is the derivative of the log-likelihood of the outputs in their covariance, twice, per output.",
        printed=r"\Psi = \Gamma^{-1} G_{yy} \Gamma^{-1} - \Gamma^{-1}, \quad \Gamma_{ab} = \bar k(\mathbf{x}_a, "
        r"\mathbf{x}_b) + \beta^{-1} \delta_{ab}, \quad (G_{yy})_{ab} = \frac1m \mathbf{y}_a \cdot \mathbf{y}_b",
        steps=(
            Step(
                "diagonal entry",
                sp.Derivative(log_likelihood, gamma[0]),
                outputs / 2 * Psi[0, 0],
                because="read-outs integrated out: outputs are Gaussian with covariance K + 1/beta",
            ),
            Step(
                "entry off the diagonal, which stands twice",
                sp.Derivative(log_likelihood, gamma[1]),
                outputs * Psi[0, 1],
                because="the same",
            ),
        ),
    ),
)
