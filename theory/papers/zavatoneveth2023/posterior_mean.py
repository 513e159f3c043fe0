r"""Appendix E.1: posterior means of metric and volume element to first order in 1/n, Eqs. (E.12) to (E.21)."""

from __future__ import annotations

import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.zavatoneveth2023.paper import entry
from theory.papers.zavatoneveth2023.posterior import (
    CONSEQUENCE,
    REFERENCE,
    Psi,
    chi,
    covariance_is_one_over_n,
    d,
    gamma,
    k,
    log_likelihood,
    metric_expands,
    n,
    outputs,
    pair,
    root_of_mean_metric,
    t,
    tau,
    volume_against_limit,
    volume_against_prior,
    x,
    y2,
)

EQUATIONS = (
    entry(
        "(E.12)",
        "E.1",
        "The posterior mean of the metric to first order in 1/n.",
        Finding.CONFIRMED,
        "The log-likelihood of the outputs is linear in the fluctuation of the kernel, with slope m Psi/2 per entry; "
        "one case solved at any width.",
        printed=r"\langle g_{\mu\nu} \rangle = \bar g_{\mu\nu} + \frac m2 \sum_{a,b=1}^p \Psi_{ab} "
        r"\mathrm{cov}_W[K(\mathbf{x}_a, \mathbf{x}_b), g_{\mu\nu}] + O\left(\frac{1}{n^2}\right)",
        steps=(
            Step(
                "slope of the log-likelihood",
                sp.Derivative(log_likelihood, gamma[2]),
                outputs / 2 * Psi[1, 1],
                because="(E.9)",
            ),
            Check("linear network with one input", metric_expands, "Bessel functions, extrapolated in 1/n"),
        ),
    ),
    entry(
        "(E.13)",
        "E.1",
        "The covariance from averages over one unit.",
        Finding.CONFIRMED,
        "All networks of one to three units drawn from four, summed exactly.",
        printed=r"n \, \mathrm{cov}_W[K(\mathbf{x}_a, \mathbf{x}_b), g_{\mu\nu}] = \mathbb{E}_{\mathbf{w}} [\phi(z_a) "
        r"\phi(z_b) \phi'(z)^2 w_\mu w_\nu] - \bar k(\mathbf{x}_a, \mathbf{x}_b) \bar g_{\mu\nu}",
        steps=(Check("independent units", covariance_is_one_over_n, "exact sums"),),
    ),
    entry(
        "(E.14)",
        "E.1",
        "One training point, no noise, one output.",
        Finding.CONFIRMED,
        "(E.9) for a single entry; the solvable case.",
        printed=r"\langle g_{\mu\nu} \rangle = \bar g_{\mu\nu} + \frac12 \left(\frac{y_a^2}{\bar k(\mathbf{x}_a, "
        r"\mathbf{x}_a)} - 1\right) \frac{\mathrm{cov}_W[K(\mathbf{x}_a, \mathbf{x}_a), g_{\mu\nu}]}{\bar "
        r"k(\mathbf{x}_a, \mathbf{x}_a)} + O\left(\frac{1}{n^2}\right)",
        steps=(
            Step(
                "Psi",
                sp.Derivative(-(sp.log(k) + y2 / k) / 2, k),
                (y2 / k - 1) / (2 * k),
                because="(E.9) with Gamma = k",
            ),
            Check("linear network with one input", metric_expands, "Bessel functions, extrapolated in 1/n"),
        ),
    ),
    entry(
        "(E.15) and (E.16)",
        "E.1",
        "The posterior mean of the volume element to first order in 1/n.",
        Finding.CONDITIONAL,
        "(E.2) inserted in the mean keeps terms linear in the fluctuation, but squares of it are of order 1/n as well. "
        "One case is solved at any width.",
        condition=REFERENCE,
        printed=r"\frac{\langle \sqrt{\det g} \rangle}{\sqrt{\det \bar g}} = 1 + \frac{1}{4n} "
        r"\left(\frac{y_a^2}{\mathbb{E}_{\mathbf{w}}[\phi(z_a)^2]} - 1\right) (\chi - d) + O\left(\frac{1}{n^2}\right)",
        steps=(
            Step(
                "linear term",
                sp.Rational(1, 2) * (y2 / k - 1) / (2 * k) * (chi * k - k * d) / n,
                (y2 / k - 1) * (chi - d) / (4 * n),
                because="(E.2), (E.14), (E.13) and (E.17)",
            ),
            Check("reference: untrained networks", volume_against_prior, "Bessel and Gamma functions"),
            Check("mean of the metric", root_of_mean_metric, "Bessel functions"),
        ),
        counterexample=volume_against_limit,
        consequence=CONSEQUENCE,
    ),
    entry(
        "(E.17)",
        "E.1",
        "The factor chi.",
        Finding.DEFINITION,
        "The mean kernel is what it is divided by; without correlation of the two factors it would be d.",
        printed=r"\chi = \frac{\bar g^{\mu\nu} \mathbb{E}_{\mathbf{w}}[\phi(z_a)^2 \phi'(z)^2 w_\mu "
        r"w_\nu]}{\mathbb{E}_{\mathbf{w}}[\phi(z_a)^2]}",
    ),
    entry(
        "(E.18) and (E.19)",
        "E.1",
        "The inverse metric of Appendix C with sigma = 1 and no biases.",
        Finding.CONFIRMED,
        "Sherman-Morrison, two inputs; as (C.14) and (C.11).",
        printed=r"\bar g^{\mu\nu} = e^{-\Omega} \left[\delta_{\mu\nu} - \frac{2\Omega'}{1 + 2\|\mathbf{x}\|^2\Omega'} "
        r"x_\mu x_\nu\right], \quad \exp \Omega(\|\mathbf{x}\|^2) = "
        r"\mathbb{E}_{\mathbf{w}}[\phi'(\mathbf{w}\cdot\mathbf{x})^2]",
        steps=(
            Step(
                "product with the metric, per exp(Omega)",
                (sp.eye(2) + 2 * t * sp.Matrix(x) * sp.Matrix([x]))
                * (sp.eye(2) - 2 * t / (1 + 2 * t * (x[0] ** 2 + x[1] ** 2)) * sp.Matrix(x) * sp.Matrix([x])),
                sp.eye(2),
                because="Sherman-Morrison",
            ),
        ),
    ),
    entry(
        "(E.20)",
        "E.1",
        "The factor chi with the inverse metric inserted.",
        Finding.CONFIRMED,
        "x_mu x_nu w_mu w_nu is the square of the preactivation: its average is a second derivative.",
        printed=r"\chi = \frac{1}{e^\Omega \mathbb{E}_{\mathbf{w}}[\phi(z_a)^2]} "
        r"\left[\mathbb{E}_{\mathbf{w}}[\phi(z_a)^2 \phi'(z)^2 w_\mu w_\nu] \delta_{\mu\nu} - \frac{2\Omega'}{1 + "
        r"2\|\mathbf{x}\|^2\Omega'} \mathbb{E}_{\mathbf{w}}[\phi(z_a)^2 \phi'(z)^2 z^2]\right]",
        steps=(
            Step(
                "projection on x",
                sum(x[i] * x[j] * pair.diff(x[i], x[j]) / t**2 for i in range(2) for j in range(2)),
                sp.Derivative(pair, (t, 2)),
                because="both are E[z^2 exp(t z + tau z_a)]",
            ),
        ),
    ),
    entry(
        "(E.21)",
        "E.1",
        "The trace by Stein's lemma.",
        Finding.CONFIRMED,
        "For exponentials of both preactivations; d = 2. z_a times the derivative in z_a of phi(z_a)^2 is 2 phi phi' "
        "z_a, z times that of phi'(z)^2 is 2 phi' phi'' z.",
        printed=r"\mathbb{E}_{\mathbf{w}}[\phi(z_a)^2 \phi'(z)^2 w_\mu w_\nu] \delta_{\mu\nu} = d \, "
        r"\mathbb{E}_{\mathbf{w}}[\phi(z_a)^2 \phi'(z)^2] + 2 \mathbb{E}_{\mathbf{w}}[\phi(z_a) \phi'(z_a) z_a "
        r"\phi'(z)^2 + \phi(z_a)^2 \phi'(z) \phi''(z) z]",
        steps=(
            Step(
                "two inputs",
                sum(pair.diff(x[i], 2) for i in range(2)) / t**2,
                2 * pair + t * sp.Derivative(pair, t) + tau * sp.Derivative(pair, tau),
                because="Gaussian integration by parts",
            ),
        ),
    ),
    entry(
        "E.1 two points of XOR",
        "E.1",
        "Training on (1, 0) with target 0 and (0, 1) with target 1.",
        Finding.OPEN,
        "The text read breaks off after naming the task; no formula follows.",
    ),
)
