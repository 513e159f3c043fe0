r"""Appendix C.2: error functions at infinite width, Eqs. (C.24) to (C.28)."""

from __future__ import annotations

import math

import mpmath
import sympy as sp

from theory.core import Check, Finding, Reading, Step
from theory.papers.zavatoneveth2023.network import close
from theory.papers.zavatoneveth2023.paper import entry
from theory.papers.zavatoneveth2023.projection import POINTS, WITNESS, independent, scalar_7, slope_values
from theory.papers.zavatoneveth2023.stein import metric_of, x, y
from theory.papers.zavatoneveth2023.symbols import d, display, r, sigma, variance, with_factor, zeta

z, cross = sp.symbols("z c", real=True)
one, other = sp.symbols("a b", positive=True)
"""Variances of two preactivations."""


def normal(spread: sp.Expr) -> sp.Expr:
    """Density at z of a normal variable with a given variance."""
    return sp.exp(-(z**2) / (2 * spread)) / sp.sqrt(2 * sp.pi * spread)


def _arcsin(covariance: sp.Expr, first: sp.Expr, second: sp.Expr) -> sp.Expr:
    return 2 / sp.pi * sp.asin(covariance / sp.sqrt((1 + first) * (1 + second)))


def _variance(at: tuple[sp.Symbol, ...], to: tuple[sp.Symbol, ...]) -> sp.Expr:
    return sigma**2 * sum(p * q for p, q in zip(at, to, strict=True)) + zeta**2


kernel = _arcsin(_variance(x, y), _variance(x, x), _variance(y, y))
on_diagonal = _arcsin(_variance(x, x), _variance(x, x), _variance(x, x))
slope2 = 2 / (sp.pi * sp.sqrt(1 + 2 * variance))
"""E[phi'(z)^2], Eq. (C.25)."""
omega_26 = -sp.log(1 + 2 * variance) / 2 + sp.log(2 * sigma**2 / sp.pi)
volume_27 = (2 * sigma**2 / (sp.pi * sp.sqrt(1 + 2 * variance))) ** (d / 2) * sp.sqrt(
    (2 * zeta**2 + 1) / (1 + 2 * variance)
)


PRINTED_28, CORRECTED_28 = with_factor(
    r"R = -\frac{@ \pi (d-1)(d+2) \sigma^2 \|\mathbf{x}\|^2}{2 (2\zeta^2 + 1) \sqrt{1 + 2(\sigma^2\|\mathbf{x}\|^2 + "
    r"\zeta^2)}}"
)


def scalar_28(factor: int) -> sp.Expr:
    """Eq. (C.28)."""
    return -factor * sp.pi * (d - 1) * (d + 2) * sigma**2 * r / (2 * (2 * zeta**2 + 1) * sp.sqrt(1 + 2 * variance))


OMEGA = slope_values(omega_26)
norm2 = x[0] ** 2 + x[1] ** 2
AT = {r: sp.Rational(58, 100), sigma: 1, zeta: sp.S.Half, d: 2}


def _kernel_by_quadrature() -> bool:
    """E[erf erf] at one pair of inputs: the second average in closed form is avoided, both are done numerically."""
    first, second, covariance = 0.8, 1.1, 0.4
    residual = second - covariance**2 / first

    def inner(u: mpmath.mpf) -> mpmath.mpf:
        # E[erf(v / sqrt 2)] for v ~ N(m, residual) is erf(m / sqrt(2 (1 + residual))).
        return mpmath.erf(covariance / first * u / mpmath.sqrt(2 * (1 + residual)))

    value = mpmath.quad(
        lambda u: mpmath.erf(u / mpmath.sqrt(2)) * inner(u) * mpmath.npdf(u, 0, math.sqrt(first)), [-9, 0, 9]
    )
    return close(float(value), float(_arcsin(covariance, first, second)), 1e-8)


def _read() -> Reading:
    printed, corrected = (float(scalar_28(factor).subs(AT)) for factor in (3, 1))
    return Reading(printed, corrected, float(independent(2).scalar))


FALLS = Step(
    "derivative in the squared norm",
    sp.Derivative(scalar_28(1), r),
    -sp.pi
    * (d - 1)
    * (d + 2)
    * sigma**2
    * (1 + sigma**2 * r + 2 * zeta**2)
    / (2 * (2 * zeta**2 + 1) * (1 + 2 * variance) ** sp.Rational(3, 2)),
    because="differentiation; negative for d > 1",
)

EQUATIONS = (
    entry(
        "(C.24)",
        "C.2",
        "The NNGP kernel of erf(z/sqrt 2).",
        Finding.CONFIRMED,
        "Its derivative in the covariance is the average of the product of slopes, and it vanishes without covariance.",
        printed=r"k(\mathbf{x}, \mathbf{y}) = \frac2\pi \arcsin \frac{\sigma^2 \mathbf{x}\cdot\mathbf{y} + "
        r"\zeta^2}{\sqrt{(1 + \sigma^2\|\mathbf{x}\|^2 + \zeta^2) (1 + \sigma^2\|\mathbf{y}\|^2 + \zeta^2)}}",
        closed_form="geometry.nngp_kernel.erf",
        steps=(
            Step(
                "derivative in the covariance",
                sp.Derivative(_arcsin(cross, one, other), cross),
                2 / sp.pi / sp.sqrt((1 + one) * (1 + other) - cross**2),
                because="Price's theorem: E[exp(-(u^2 + v^2)/2)] is one over the root of det(1 + covariance)",
            ),
            Step("independent preactivations", _arcsin(sp.S.Zero, one, other), sp.S.Zero, because="erf is odd"),
            Check("one pair", _kernel_by_quadrature, "quadrature"),
        ),
    ),
    entry(
        "(C.25)",
        "C.2",
        "The average squared slope.",
        Finding.CONFIRMED,
        "A Gaussian integral.",
        printed=r"\mathbb{E}[\phi'(z)^2] = \frac{2}{\pi \sqrt{1 + 2(\sigma^2\|\mathbf{x}\|^2 + \zeta^2)}}",
        steps=(
            Step(
                "integrand as a multiple of another normal density",
                2 / sp.pi * sp.exp(-(z**2)) * normal(one),
                2 / (sp.pi * sp.sqrt(1 + 2 * one)) * normal(one / (1 + 2 * one)),
                because="completing the square; a density integrates to one",
            ),
        ),
    ),
    entry(
        "(C.26)",
        "C.2",
        "Omega.",
        Finding.CONFIRMED,
        "(C.11) with (C.25); and the metric from the kernel (C.24).",
        printed=display(r"\Omega", omega_26),
        steps=(
            Step("logarithm", sp.exp(omega_26), sigma**2 * slope2, because="(C.25)"),
            Step(
                "metric of the kernel",
                metric_of(on_diagonal, kernel),
                (sp.exp(omega_26) * (sp.eye(2) + 2 * omega_26.diff(r) * sp.Matrix(x) * sp.Matrix([x]))).subs(r, norm2),
                because="(C.4) and (C.10)",
            ),
        ),
    ),
    entry(
        "(C.27)",
        "C.2",
        "The volume element.",
        Finding.CONFIRMED,
        "(6) with (C.26), squared.",
        printed=display(r"\sqrt{\det g}", volume_27),
        closed_form="geometry.volume_element.erf",
        steps=(
            Step(
                "squared",
                sp.exp(d * omega_26) * (1 + 2 * r * omega_26.diff(r)),
                volume_27**2,
                because="(6)",
            ),
        ),
    ),
    entry(
        "(C.28)",
        "C.2",
        "The Ricci scalar.",
        Finding.MISPRINT,
        "(7) with (C.26); the curvature computed by definition, with the metric as a Gaussian integral over all "
        "weights, sides with the corrected form.",
        printed=PRINTED_28,
        corrected=CORRECTED_28,
        closed_form="geometry.scalar_curvature.erf",
        steps=(Step("from (7)", scalar_7(1).subs(OMEGA), scalar_28(1), because="(7) as corrected"),),
        printed_steps=(Step("as printed", scalar_7(1).subs(OMEGA), scalar_28(3), because="(7) as corrected"),),
        witness={**WITNESS, "x": POINTS[2]},
        oracle=_read,
        consequence="Three times too large, and with it the dashed line of Figure 1a: -4.4689 instead of -1.4896 at "
        "the witness.",
    ),
    entry(
        "C.2 sign for erf",
        "C.2",
        "R is negative for all d > 1.",
        Finding.CONDITIONAL,
        "(C.28) as corrected; the prefactor does not matter.",
        condition="x is not the origin",
        steps=(
            Check(
                "negative away from the origin",
                lambda: bool((scalar_28(1) / (d - 1)).is_negative),
                "every factor but d - 1 is positive",
            ),
        ),
        counterexample=lambda: scalar_28(1).subs(r, 0) == 0,
        consequence="R vanishes at the origin, for every sigma, zeta and d.",
    ),
    entry(
        "C.2 monotone for erf",
        "C.2",
        "R decreases with the norm, and becomes increasingly negative.",
        Finding.CONFIRMED,
        "Its derivative has one sign; it is unbounded.",
        steps=(
            FALLS,
            Step(
                "at large norm, per norm",
                sp.Limit(scalar_28(1) / sp.sqrt(r), r, sp.oo),
                -sp.pi * (d - 1) * (d + 2) * sigma / (2 * sp.sqrt(2) * (2 * zeta**2 + 1)),
                because="limit",
            ),
        ),
    ),
)

EQUATIONS_IV_B = (
    entry(
        "IV.B erf",
        "IV.B",
        "R and the volume element decrease with the norm for all sigma and zeta. (The sign of R is under C.2.)",
        Finding.CONFIRMED,
        "Logarithmic derivative of (C.27); derivative of (C.28).",
        steps=(
            FALLS,
            Step(
                "logarithmic derivative of the volume element",
                sp.Derivative(sp.log(volume_27), r),
                -(d + 2) * sigma**2 / (2 * (1 + 2 * variance)),
                because="differentiation",
            ),
        ),
    ),
)
