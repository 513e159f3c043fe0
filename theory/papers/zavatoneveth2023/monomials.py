r"""Volume element, curvature and turning point of monomials at infinite width, as Appendix C.2 prints them."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import sympy as sp

from theory.core import Reading
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.projection import POINTS, scalar_7, slope_values
from theory.papers.zavatoneveth2023.symbols import d, q, r, sigma, variance, with_factor, zeta

a, c = sp.symbols("a c", positive=True)
"""sigma^2 |x|^2 and zeta^2."""
m = sp.Symbol("m", positive=True)
DEGREE = {q: (1 + m) / 2}
"""All q > 1/2, for which 2q - 1 is positive."""
slope2 = q**2 / (2 * q - 1) * variance ** (q - 1)
omega = sp.log(sigma**2 * slope2)
volume_45 = sp.sqrt(1 + 2 * (q - 1) * sigma**2 * r / variance) * (sigma**2 * slope2) ** (d / 2)
volume_47 = q**d * (2 * q - 1) ** ((1 - d) / 2) * sigma ** (q * d) * r ** (d * (q - 1) / 2)


PRINTED_46, CORRECTED_46 = with_factor(
    r"R = -\frac{@ (d-1)(q-1)^2 (2q-1) \sigma^2\|\mathbf{x}\|^2 [(d+2) \zeta^2 + (d-2)(2q-1) \sigma^2\|\mathbf{x}\|^2]}"
    r"{q^2 (\sigma^2\|\mathbf{x}\|^2 + \zeta^2)^q [(2q-1) \sigma^2\|\mathbf{x}\|^2 + \zeta^2]^2}"
)


def scalar_46(factor: int) -> sp.Expr:
    """Eq. (C.46)."""
    top = (
        (d - 1) * (q - 1) ** 2 * (2 * q - 1) * sigma**2 * r * ((d + 2) * zeta**2 + (d - 2) * (2 * q - 1) * sigma**2 * r)
    )
    return -factor * top / (q**2 * variance**q * ((2 * q - 1) * sigma**2 * r + zeta**2) ** 2)


PRINTED_48, CORRECTED_48 = with_factor(r"R = -\frac{@ (d-1)(d-2)(q-1)^2}{q^2 (\sigma^2\|\mathbf{x}\|^2)^q}")


def scalar_48(factor: int) -> sp.Expr:
    """Eq. (C.48)."""
    return -factor * (d - 1) * (d - 2) * (q - 1) ** 2 / (q**2 * (sigma**2 * r) ** q)


CUBIC = (
    (d - 2) * q * (2 * q - 1) ** 2 * a**3
    + (2 * q - 1) * ((2 * q - 1) * d + 6) * c * a**2
    - (8 + q * (d - 14)) * c**2 * a
    - (d + 2) * c**3
)
positive_factor = (d - 1) * (q - 1) ** 2 * (2 * q - 1) / (q**2 * (a + c) ** (q + 1) * ((2 * q - 1) * a + c) ** 3)
quadratic = (2 * q**2 + q - 1) * a**2 + (3 * q - 2) * c * a - c**2
threshold = (sp.sqrt(17 * q**2 - 8 * q) - 3 * q + 2) / (2 * (2 * q**2 + q - 1)) * c
IN_VARIANCES = {r: a / sigma**2, zeta: sp.sqrt(c)}
from_7 = scalar_7(1).subs(slope_values(omega))


def read(form: Callable[[int], sp.Expr], degree: int, bias: str, inputs: int) -> Reading:
    """A formula for R with its prefactor free, at one point."""
    point = POINTS[inputs]
    values = {q: degree, sigma: 1, zeta: sp.Rational(bias), d: inputs, r: sum(sp.Rational(v) ** 2 for v in point)}
    printed, corrected = (float(form(factor).subs(values)) for factor in (3, 1))
    metric = explicit_metrics.infinite_monomial(degree, "1", bias, inputs)
    return Reading(printed, corrected, christoffel.scalar(metric, point))


def one_turning_point() -> bool:
    """The coefficients of the cubic change sign once, whatever the sign of the third, so it has one positive root."""
    return all(
        sum(1 for one, other in itertools.pairwise(signs) if one * other < 0) == 1
        for third in (-1, 1)
        for signs in ((1, 1, third, -1),)
    ) and all(
        sp.Poly(CUBIC.subs({d: inputs, q: degree, c: 1}), a).count_roots(0) == 1
        for inputs in (2, 3, 10, 784)
        for degree in (2, 3, 10)
    )


def falls_then_rises() -> bool:
    """D = 2: below the threshold the derivative is negative, above it positive."""
    values = {d: 2, q: 2, c: 1}
    turn = threshold.subs(values)
    below, above = (float((CUBIC).subs(values).subs(a, turn * factor)) for factor in (0.9, 1.1))
    return below < 0 < above


def rises_to_zero() -> bool:
    """Whether R falls, rises and tends to zero, at d = 3 and q = 2."""
    at = {d: 3, q: 2, sigma: 1, zeta: 1}
    values = [float(scalar_46(1).subs({**at, r: size})) for size in (0.1, 0.3, 10, 1e3, 1e6)]
    return values[0] > values[1] < values[2] < values[3] < values[4] < 0 and values[-1] > -1e-5


WITNESS = {"q": 3, "sigma": 1, "zeta": "1/2", "x": POINTS[3]}
