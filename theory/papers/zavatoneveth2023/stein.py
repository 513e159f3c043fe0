r"""Appendix C: the metric at infinite width from Gaussian integration by parts, Eqs. (C.1) to (C.11).

The identities are linear in :math:`f = \varphi'^2`, and functions are superpositions of exponentials. So they are
shown for :math:`f(z) = e^{tz}` with any t, whose Gaussian averages are known: each derivative in x of
:math:`E[e^{tz}] = e^{t^2 v / 2}` brings down :math:`t w`.
"""

from __future__ import annotations

import sympy as sp

from theory.core import Finding, Step
from theory.papers.zavatoneveth2023.paper import entry
from theory.papers.zavatoneveth2023.symbols import sigma, t, zeta

x = sp.symbols("x1:3", real=True)
y = sp.symbols("y1:3", real=True)
u = sp.Symbol("u", real=True)
variance = sp.Symbol("v", positive=True)
mean = sp.exp(t**2 * (sigma**2 * (x[0] ** 2 + x[1] ** 2) + zeta**2) / 2)
"""E[f] for f = exp(t z)."""
rise = t * mean
"""E[f']."""
bend = t**2 * mean
"""E[f'']."""
phi = sp.Function("phi", real=True)(u)


def with_weight(i: int) -> sp.Expr:
    """E[f w_i]."""
    return mean.diff(x[i]) / t


def with_weights(i: int, j: int) -> sp.Expr:
    """E[f w_i w_j]."""
    return mean.diff(x[i], x[j]) / t**2


def _matrix(form: object) -> sp.Matrix:
    return sp.Matrix(2, 2, form)


def _delta(i: int, j: int) -> int:
    return int(i == j)


# Two features exp(t z), exp(t' z) with any kernel between them: k(x, y) is bilinear in the feature map.
t2 = sp.Symbol("t2", real=True)


def _pair(at: tuple[sp.Symbol, ...], other: tuple[sp.Symbol, ...]) -> sp.Expr:
    """E[exp(t z(x)) exp(t2 z(y))] plus the same with t and t2 exchanged."""

    def one(a: sp.Symbol, b: sp.Symbol) -> sp.Expr:
        size = sum((a * p + b * q) ** 2 for p, q in zip(at, other, strict=True))
        return sp.exp((sigma**2 * size + zeta**2 * (a + b) ** 2) / 2)

    return (one(t, t2) + one(t2, t)) / 2


kernel = _pair(x, y)
on_diagonal = _pair(x, x)


def hessian(form: sp.Expr, at: tuple[sp.Symbol, ...]) -> sp.Matrix:
    """Second derivatives in one of the two inputs, not carried out."""
    return _matrix(lambda i, j: sp.Derivative(form, at[i], at[j]))


def hessian_in_second(form: sp.Expr) -> sp.Matrix:
    """Second derivatives in the second input where it is the first, not carried out."""
    return hessian(form, y).applyfunc(lambda entry: sp.Subs(entry, y, x))


def metric_of(on_itself: sp.Expr, between: sp.Expr) -> sp.Matrix:
    """Eqs. (C.4) and (F.5)."""
    return hessian(on_itself, x) / 2 - hessian_in_second(between)


def determinant(form: sp.Matrix) -> sp.Expr:
    """Of two by two, as it stands: sympy's own expands it."""
    return form[0, 0] * form[1, 1] - form[0, 1] * form[1, 0]


# E[phi'(z) phi'(z) w w] of the same pair of features: t t2 E[exp((t + t2) z) w w].
pair_metric = _matrix(lambda i, j: t * t2 / (t + t2) ** 2 * on_diagonal.diff(x[i], x[j]))

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
        "The preactivation is Gaussian with variance sigma^2 |x|^2 + zeta^2.",
        Finding.CONFIRMED,
        "Its moment generating function.",
        printed=r"z = \mathbf{w} \cdot \mathbf{x} + b \sim N(0, \sigma^2 \|\mathbf{x}\|^2 + \zeta^2)",
        steps=(
            Step(
                "weights and bias one by one",
                sp.exp(t**2 * sigma**2 * x[0] ** 2 / 2)
                * sp.exp(t**2 * sigma**2 * x[1] ** 2 / 2)
                * sp.exp(t**2 * zeta**2 / 2),
                mean,
                because="independence",
            ),
        ),
    ),
    entry(
        "(C.3) and (C.4)",
        "C",
        "The metric is that of the NNGP kernel.",
        Finding.CONFIRMED,
        "Any two exponential features.",
        printed=r"k(\mathbf{x}, \mathbf{y}) = \mathbb{E}[\phi(\mathbf{w}\cdot\mathbf{x} + b) "
        r"\phi(\mathbf{w}\cdot\mathbf{y} + b)], \quad g_{\mu\nu} = \frac12 \frac{\partial^2}{\partial x_\mu \partial "
        r"x_\nu} k(\mathbf{x}, \mathbf{x}) - \left[\frac{\partial^2}{\partial y_\mu \partial y_\nu} k(\mathbf{x}, "
        r"\mathbf{y})\right]_{\mathbf{y}=\mathbf{x}}",
        steps=(
            Step(
                "two features, two inputs",
                metric_of(on_diagonal, kernel),
                pair_metric,
                because="differentiation of the kernel",
            ),
        ),
    ),
    entry(
        "(C.5) to (C.7)",
        "C",
        "Stein's lemma, twice. The third derivative in (C.7) to (C.9) lacks a prime in the text read.",
        Finding.CONFIRMED,
        "f = phi'^2 as exp(tz); the derivatives of phi'^2 by the product rule.",
        printed=r"g_{\mu\nu} = \sigma^2 \mathbb{E}[\phi'(z)^2] \delta_{\mu\nu} + 2\sigma^4 \mathbb{E}[\phi''(z)^2 + "
        r"\phi'(z) \phi'''(z)] x_\mu x_\nu",
        steps=(
            Step(
                "once",
                _matrix(with_weights),
                _matrix(lambda i, j: sigma**2 * mean * _delta(i, j) + sigma**2 * t * with_weight(i) * x[j]),
                because="Gaussian integration by parts",
            ),
            Step(
                "twice",
                _matrix(with_weights),
                _matrix(lambda i, j: sigma**2 * mean * _delta(i, j) + sigma**4 * bend * x[i] * x[j]),
                because="Gaussian integration by parts",
            ),
            Step("f'", sp.Derivative(phi.diff(u) ** 2, u), 2 * phi.diff(u) * phi.diff(u, 2), because="product rule"),
            Step(
                "f''",
                sp.Derivative(phi.diff(u) ** 2, (u, 2)),
                2 * (phi.diff(u, 2) ** 2 + phi.diff(u) * phi.diff(u, 3)),
                because="product rule",
            ),
        ),
    ),
    entry(
        "(C.8) and (C.9)",
        "C",
        "Price's theorem: the second coefficient is a derivative of the first.",
        Finding.CONFIRMED,
        "E[f''] is twice the derivative of E[f] in the variance.",
        printed=r"\sigma^2 \mathbb{E}[\phi''(z)^2 + \phi'(z) \phi'''(z)] = \sigma^2 \frac{d}{d(\sigma^2 "
        r"\|\mathbf{x}\|^2)} \mathbb{E}[\phi'(z)^2] = \frac{d}{d\|\mathbf{x}\|^2} \mathbb{E}[\phi'(z)^2]",
        steps=(
            Step(
                "derivative in the variance",
                sp.Derivative(sp.exp(t**2 * variance / 2), variance),
                t**2 * sp.exp(t**2 * variance / 2) / 2,
                because="heat equation",
            ),
            Step(
                "derivative in the squared norm",
                sp.Derivative(sp.exp(t**2 * (sigma**2 * variance + zeta**2) / 2), variance),
                sigma**2 * t**2 / 2 * sp.exp(t**2 * (sigma**2 * variance + zeta**2) / 2),
                because="chain rule",
            ),
        ),
    ),
    entry(
        "(C.10) and (C.11)",
        "C",
        "The metric in Omega, the logarithm of sigma^2 E[phi'^2].",
        Finding.CONFIRMED,
        "With f = exp(tz) for phi'^2.",
        printed=r"g_{\mu\nu} = e^\Omega [\delta_{\mu\nu} + 2 \Omega' x_\mu x_\nu], \quad \exp \Omega(\|\mathbf{x}\|^2) "
        r"= \sigma^2 \mathbb{E}[\phi'(z)^2]",
        steps=(
            Step(
                "two inputs",
                _matrix(with_weights),
                _matrix(
                    lambda i, j: (
                        sigma**2
                        * mean
                        * (
                            _delta(i, j)
                            + 2
                            * sp.log(sigma**2 * sp.exp(t**2 * (sigma**2 * variance + zeta**2) / 2)).diff(variance)
                            * x[i]
                            * x[j]
                        )
                    )
                ),
                because="(C.7) and (C.9)",
            ),
        ),
    ),
)
