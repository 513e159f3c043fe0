r"""Appendix C: the metric at infinite width from Gaussian integration by parts, Eqs. (C.1) to (C.11)."""

from __future__ import annotations

import sympy as sp

from theory.core import Claim, Finding, Word, equal, numerically
from theory.papers.zavatoneveth2023.appendix_letters import (
    E,
    delta,
    entry,
    g,
    mu,
    norm2,
    nu,
    phi1,
    phi2,
    phi3,
    sigma,
    w,
    x,
    z,
)
from theory.papers.zavatoneveth2023.wide_kernel import (
    around_the_point,
    at_the_point,
    differentiates,
    has_the_distribution,
    suffices,
)

k_xx, k_xy, omega, omega_slope = sp.symbols("k_xx k_xy Omega Omega_slope", real=True)
zeta = sp.Symbol("zeta", positive=True)
hess_x, hess_y_at_x, d_r, d_v = (sp.Function(name) for name in ("hess_x", "hess_y_at_x", "d_r", "d_v"))
square, bends = phi1(z) ** 2, phi2(z) ** 2 + phi1(z) * phi3(z)
BY_QUADRATURE = numerically(at_the_point, "quadrature over weights and bias")
EVIDENCE = "Two inputs, an activation function without a symmetry, by quadrature."

EQUATIONS = (
    entry(
        "(C.1)",
        "C",
        "The metric at infinite width, an average over Gaussian weights and biases.",
        Finding.DEFINITION,
        "Weights of variance sigma^2, not sigma^2/d; the average of (2) at any width.",
        printed=r"g_{\mu\nu} = \mathbb{E}_{\mathbf{w} \sim N(0, \sigma^2 I_d), b \sim N(0, \zeta^2)} [\phi'(\mathbf{w} "
        r"\cdot \mathbf{x} + b)^2 w_\mu w_\nu]",
    ),
    entry(
        "(C.2)",
        "C",
        "",
        Finding.CONFIRMED,
        "Its characteristic function by quadrature over weights and bias.",
        printed=Claim(
            "The preactivation z = w.x + b has an induced normal distribution with mean {mean} and variance "
            "{variance}.",
            {"mean": sp.S.Zero, "variance": sigma**2 * norm2 + zeta**2},
        ),
        prove=has_the_distribution,
    ),
    entry(
        "(C.3)",
        "C",
        "The NNGP kernel.",
        Finding.DEFINITION,
        "It introduces k.",
        printed=r"k(\mathbf{x}, \mathbf{y}) = \mathbb{E}[\phi(\mathbf{w}\cdot\mathbf{x} + b) "
        r"\phi(\mathbf{w}\cdot\mathbf{y} + b)]",
    ),
    entry(
        "(C.4)",
        "C",
        "The metric (C.1) is that of the NNGP kernel.",
        Finding.CONFIRMED,
        EVIDENCE + " The kernel is differentiated by Cauchy's formula.",
        printed=equal(g, hess_x(k_xx) / 2 - hess_y_at_x(k_xy)),
        prove=numerically(around_the_point, "quadrature over weights and bias"),
    ),
    entry(
        "C weak differentiability",
        "C",
        "",
        Finding.CONFIRMED,
        "Kernels in closed form: (C.4) holds for ReLU and for the absolute value, and not for a step, which has a "
        "derivative almost everywhere but no weak one.",
        printed=Claim("The differentiability conditions may be relaxed to {sense} differentiability conditions.",
                      {"sense": Word("weak", ("almost everywhere",))}),
        prove=suffices,
    ),
    entry(
        "(C.5)",
        "C",
        "The metric once more.",
        Finding.CONFIRMED,
        EVIDENCE,
        printed=equal(g, E(square * w(mu) * w(nu))),
        prove=BY_QUADRATURE,
    ),
    entry(
        "(C.6)",
        "C",
        "Stein's lemma, once.",
        Finding.CONFIRMED,
        EVIDENCE,
        printed=equal(g, sigma**2 * E(square) * delta + 2 * sigma**2 * E(phi1(z) * phi2(z) * w(mu)) * x(nu)),
        prove=BY_QUADRATURE,
    ),
    entry(
        "(C.7)",
        "C",
        "Stein's lemma, twice.",
        Finding.CONFIRMED,
        EVIDENCE + " The text that was read has lost a prime of the third derivative.",
        printed=equal(g, sigma**2 * E(square) * delta + 2 * sigma**4 * E(bends) * x(mu) * x(nu)),
        prove=BY_QUADRATURE,
    ),
    entry(
        "(C.8)",
        "C",
        "Price's theorem: the second coefficient is a derivative of the first in the variance.",
        Finding.ILLEGIBLE,
        "The variable of the derivative is damaged in the text that was read; that with which (C.9), which is legible, "
        "follows is inferred. " + EVIDENCE,
        printed=r"\sigma^2 \mathbb{E}[\phi''(z)^2 + \phi'(z) \phi'''(z)] = \sigma^2 \frac{d}{\ldots} "
        r"\mathbb{E}[\phi'(z)^2]",
        inferred=equal(sigma**2 * E(bends), sigma**2 * d_v(E(square))),
        prove=differentiates,
    ),
    entry(
        "(C.9)",
        "C",
        "The same in the squared norm.",
        Finding.CONFIRMED,
        EVIDENCE + " The average is differentiated by Cauchy's formula.",
        printed=equal(sigma**2 * E(bends), d_r(E(square))),
        prove=differentiates,
    ),
    entry(
        "(C.10)",
        "C",
        "The metric in Omega.",
        Finding.CONFIRMED,
        EVIDENCE + " Omega is (C.11), differentiated by Cauchy's formula.",
        printed=equal(g, sp.exp(omega) * (delta + 2 * omega_slope * x(mu) * x(nu))),
        prove=BY_QUADRATURE,
    ),
    entry(
        "(C.11)",
        "C",
        "The function Omega.",
        Finding.DEFINITION,
        "The logarithm of sigma^2 E[phi'^2], which is positive unless the activation function is constant.",
        printed=equal(sp.exp(omega), sigma**2 * E(square)),
    ),
)  # fmt: skip
