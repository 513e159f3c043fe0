r"""How the curvature of wide layers changes with the radius, and where that of monomials is lowest.

The curvature of monomials decreases with the radius up to this threshold and then rises back to zero. For
:math:`\varphi(z) = z^q/\sqrt{(2q-1)!!}` in two dimensions

.. math:: R = -\frac{4 (q-1)^2 (2q-1)\, \zeta^2 s}{q^2 (s + \zeta^2)^q ((2q-1) s + \zeta^2)^2}, \qquad s =
    \sigma^2 \|x\|^2,

whose slope in *s* has the sign of a quadratic with one positive root, the threshold of Eq. (C.51).

The paper's other statements about how volume and curvature change with the radius become the sign of an expression in
symbols whose signs are assumed, and sympy's assumptions then decide it for all values at once. A dimension or degree
above 1 is written as 1 plus a positive integer.
"""

from functools import lru_cache

import sympy as sp

from theory.activations import ERF
from theory.core import (
    Argument,
    Check,
    ClosedForm,
    Condition,
    Premise,
    Source,
    Status,
    Step,
    applied,
    deferred,
)
from theory.core.algebra.factoring import as_product
from theory.core.proof.premises import with_lemmas
from theory.engine import rotational
from theory.gaussian.symbols import variance as v
from theory.geometry.curvature import (
    plane_step,
    radial_general,
    scalar_curvature,
    tangential_general,
)
from theory.geometry.profile import s, w0, w1, w2
from theory.geometry.symbols import WIDE, d, r
from theory.geometry.volume import log_volume_element

q = sp.Symbol("q", integer=True, positive=True)
bias = sp.Symbol("bias", positive=True)
Q = Argument(q, "degree of the monomial", sample=(2, 9), example=2)
ZETA = Argument(bias, "standard deviation of each bias", sample=(0.2, 2), latex=r"\zeta")
PLANE = "d = 2"

squared_slope = q**2 / (2 * q - 1) * v ** (q - 1)
"""E[phi'(z)^2], Eq. (C.44)."""
JETS = {w: sp.diff(squared_slope, v, order) for order, w in enumerate((w0, w1, w2))}
# This is Eq. (C.51) with the square root in the denominator, which avoids cancellation.
threshold_expression = 2 * bias**2 / (sp.sqrt(17 * q**2 - 8 * q) + 3 * q - 2)

more = sp.Symbol("more", integer=True, positive=True)
"""Dimensions or degrees, all or beyond the first."""
radius = sp.Symbol("radius", positive=True)
"""|x|^2 away from the origin, or sigma^2 |x|^2."""
along = sp.Symbol("lambda", positive=True)


planar_curvature = (
    -4
    * (q - 1) ** 2
    * (2 * q - 1)
    * bias**2
    * s
    / (q**2 * (s + bias**2) ** q * ((2 * q - 1) * s + bias**2) ** 2)
)
"""The Ricci scalar in two dimensions, in s and the standard deviation of the biases."""


def _slope_step() -> Step:
    """Step to the squared slope of a monomial of any degree, by Stein's rule."""
    z, k = sp.Symbol("z", real=True), sp.Symbol("k", integer=True, nonnegative=True)
    times = sp.Symbol("times", positive=True)
    density = sp.exp(-(z**2) / 2)
    by_parts = Step(
        "the mean of z^(2k + 2) is 2k + 1 times that of z^(2k), at variance 1",
        sp.Derivative(z ** (2 * k + 1) * density, z),
        sp.Subs(times * z ** (2 * k) * density - z ** (2 * k + 2) * density, times, 2 * k + 1),
        because="an exact derivative, of which the mean vanishes",
        uses=(),
    )
    normalised = Premise(
        "phi is z^q over the root of E[z^2q] at variance 1, which is a multiple of E[z^(2q - 2)]",
        q**2 * v ** (q - 1) / times,
    )
    return applied(
        "E[phi'^2] of a monomial",
        squared_slope,
        normalised,
        {times: sp.Subs(2 * k + 1, k, q - 1)},
        uses=(by_parts,),
    )


def _steps() -> tuple[Step | Check, ...]:
    logarithmic = 1 / s - q / (s + bias**2) - 2 * (2 * q - 1) / ((2 * q - 1) * s + bias**2)
    relative = sp.Symbol("relative", real=True)
    at_bias = [
        sp.Subs(sp.Derivative(squared_slope, (v, n)) if n else squared_slope, v, s + bias**2)
        for n in range(3)
    ]
    plane = sp.Subs(radial_general, (w0, w1, w2), at_bias)
    lowest = Step(
        "R in two dimensions",
        planar_curvature,
        sp.Subs(rotational.SECTIONAL.expression, (d, rotational.RADIAL_PLANE), (2, plane)),
        because="d = 2 has the radial plane alone",
        uses=(
            _slope_step(),
            plane_step(rotational.RADIAL_PLANE),
            rotational.SECTIONAL,
            PLANE,
            WIDE,
        ),
    )
    slope = Step(
        "its logarithmic slope",
        sp.Derivative(planar_curvature, s),
        sp.Subs(planar_curvature * relative, relative, logarithmic),
        because="product rule",
        uses=(lowest,),
    )
    positive = Step(
        "the positive root of the slope",
        threshold_expression,
        bias**2 * (sp.sqrt(17 * q**2 - 8 * q) - (3 * q - 2)) / (2 * (2 * q**2 + q - 1)),
        because="the product of the roots is negative; R falls from 0 at s = 0",
        uses=(),
    )
    last = Step(
        "the slope vanishes at the threshold",
        sp.Subs(logarithmic, s, threshold_expression),
        sp.S.Zero,
        because="one root of (2q^2 + q - 1) C^2 + (3q - 2) zeta^2 C - zeta^4",
        uses=(slope, positive),
    )
    return with_lemmas((last,))


@lru_cache(maxsize=1)
def curvature_threshold() -> ClosedForm:
    """Return the ``sigma^2 |x|^2``, in q >= 2 and bias, at which R of a monomial is lowest for d = 2; dimensionless.

    Source: Zavatone-Veth et al. (2023), Eq. (C.51).

    >>> round(float(curvature_threshold()(q=3, bias=1)), 4)
    0.1089
    """
    return ClosedForm(
        name="geometry.curvature_threshold",
        meaning="sigma^2 |x|^2 at which the curvature of a wide layer of monomials is lowest, two inputs.",
        arguments=(Q, ZETA),
        expression=threshold_expression,
        status=Status.DERIVED,
        steps=deferred(_steps),
        sources=(Source("zavatoneveth2023", "Eqs. (C.50), (C.51)"),),
        conditions=(Condition(q - 2, "a degree of at least 2, for the identity is flat"),),
        assumptions=(PLANE, WIDE),
    )


def negative(expression: sp.Expr) -> bool | None:
    """Return whether the expression, in lowest terms, is negative for all values of its symbols, None if it is open."""
    return as_product(sp.together(sp.powsimp(expression))).is_negative


def monomial_curvature(dimension: sp.Expr, spread: sp.Expr) -> sp.Expr:
    """Return the Ricci scalar of a monomial of symbolic degree, in ``s``; ``spread`` is the variance of the biases."""
    planes = [
        as_product(sp.powsimp(plane.xreplace(JETS)))
        for plane in (radial_general, tangential_general)
    ]
    return (dimension - 1) * (2 * planes[0] + (dimension - 2) * planes[1]).subs(v, s + spread)


def _erf_negative() -> bool | None:
    return negative(scalar_curvature(ERF).expression.subs({d: 1 + more, r: radius}))


def _erf_decreasing() -> bool | None:
    return negative(sp.diff(scalar_curvature(ERF).expression, r).subs({d: 1 + more, r: radius}))


def _erf_volume_decreasing() -> bool | None:
    slope = sp.diff(log_volume_element(ERF).expression, r)
    return negative(slope.subs({d: more, r: radius}))


def _tangential_never_positive() -> bool | None:
    return tangential_general.subs(w0 + 2 * s * w1, along).is_nonpositive


def _monomial_volume_increasing() -> bool | None:
    degree, across = 1 + more, sp.Symbol("dimension", integer=True, positive=True)
    slope = sp.diff(sp.log(squared_slope), v)
    logarithm = (
        across * (degree - 1) * sp.log(s + bias**2) / 2
        + sp.log(1 + 2 * s * slope).subs(v, s + bias**2) / 2
    )
    return negative(-sp.diff(logarithm.subs(q, degree), s).subs(s, radius))


def _no_bias_negative() -> bool | None:
    curvature = sp.simplify(monomial_curvature(2 + more, sp.S.Zero).subs(q, 1 + q))
    return negative(curvature.subs(s, radius)) and negative(
        -sp.simplify(sp.diff(curvature, s)).subs(s, radius)
    )


@lru_cache(maxsize=1)
def statements() -> tuple[Check, ...]:
    """Checks of the statements of Appendix C about signs and monotonicity, for the corrected curvature."""
    return (
        Check("erf: R < 0 for d > 1 away from the origin", _erf_negative, "signs of the factors"),
        Check("erf: R decreases with the radius", _erf_decreasing, "sign of the derivative"),
        Check(
            "erf: the volume element decreases with the radius",
            _erf_volume_decreasing,
            "sign of the derivative",
        ),
        Check(
            "planes across the radius are never positively curved",
            _tangential_never_positive,
            "a square over squares",
        ),
        Check(
            "monomials, q > 1: the volume element increases",
            _monomial_volume_increasing,
            "sign of the derivative",
        ),
        Check(
            "monomials without biases, d > 2: R < 0 and |R| decreases",
            _no_bias_negative,
            "signs of the factors",
        ),
    )
