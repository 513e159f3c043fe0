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

from theory.activations import ERF, monomial
from theory.core import Argument, Check, ClosedForm, Condition, Source, Status, Step, deferred
from theory.core.algebra.factoring import as_product
from theory.gaussian.atoms import derivative
from theory.gaussian.decomposition import atoms_of
from theory.gaussian.rules import State, product_mean
from theory.gaussian.symbols import MEAN
from theory.gaussian.symbols import variance as v
from theory.geometry.curvature import (
    general_steps,
    radial_general,
    radial_plane,
    scalar_curvature,
    tangential_general,
)
from theory.geometry.metric import metric_steps
from theory.geometry.profile import s, w0, w1, w2
from theory.geometry.symbols import WIDE, d, r
from theory.geometry.volume import log_volume_element

q = sp.Symbol("q", integer=True, positive=True)
bias = sp.Symbol("bias", positive=True)
Q = Argument(q, "degree of the monomial", sample=(2, 9), example=2)
ZETA = Argument(bias, "standard deviation of each bias", sample=(0.2, 2), latex=r"\zeta")
DEGREES = range(1, 9)
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


def planar_curvature() -> sp.Expr:
    """Return the Ricci scalar in two dimensions, in s and the standard deviation of the biases."""
    return 2 * radial_general.xreplace(JETS).subs(v, s + bias**2)


def _slopes_agree() -> bool:
    slopes = {
        degree: derivative(atoms_of(monomial(degree).expression) or ()) for degree in DEGREES
    }
    return all(
        sp.expand(product_mean(slope, slope, State(v, v, v)) - squared_slope.subs(q, degree)) == 0
        for degree, slope in slopes.items()
    )


def _steps() -> tuple[Step | Check, ...]:
    printed = (
        -4
        * (q - 1) ** 2
        * (2 * q - 1)
        * bias**2
        * s
        / (q**2 * (s + bias**2) ** q * ((2 * q - 1) * s + bias**2) ** 2)
    )
    logarithmic = 1 / s - q / (s + bias**2) - 2 * (2 * q - 1) / ((2 * q - 1) * s + bias**2)
    relative = sp.Symbol("relative", real=True)
    moment = Check(
        f"E[phi'^2] = q^2 v^(q-1)/(2q - 1), q = 1 to {DEGREES[-1]}",
        _slopes_agree,
        "Gaussian moments",
        uses=(MEAN,),
    )
    planes = general_steps(radial_plane)
    lowest = Step(
        "R in two dimensions",
        planar_curvature(),
        printed,
        because="d = 2 has the radial plane alone",
        uses=(moment, planes[-1], PLANE, WIDE),
    )
    slope = Step(
        "its logarithmic slope",
        sp.Derivative(printed, s),
        sp.Subs(printed * relative, relative, logarithmic),
        because="product rule",
        uses=(lowest,),
    )
    positive = Step(
        "it is the positive root",
        threshold_expression,
        bias**2 * (sp.sqrt(17 * q**2 - 8 * q) - (3 * q - 2)) / (2 * (2 * q**2 + q - 1)),
        because="the product of the roots is negative; R falls from 0 at s = 0",
        uses=(slope,),
    )
    return (
        moment,
        *metric_steps(),
        *planes,
        lowest,
        slope,
        positive,
        Step(
            "the slope vanishes at the threshold",
            sp.Subs(logarithmic, s, threshold_expression),
            sp.S.Zero,
            because="one root of (2q^2 + q - 1) C^2 + (3q - 2) zeta^2 C - zeta^4",
            uses=(slope, positive),
        ),
    )


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


def _monomial_flat() -> bool | None:
    line = monomial_curvature(sp.S.One, bias**2)
    return (line == 0 and sp.simplify(monomial_curvature(more, bias**2).subs(q, 1)) == 0) or None


def _no_bias_plane_flat() -> bool | None:
    return sp.simplify(monomial_curvature(sp.Integer(2), sp.S.Zero)) == 0 or None


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
        Check("monomials: R = 0 if q = 1 or d = 1", _monomial_flat, "the formula"),
        Check("monomials without biases: R = 0 in the plane", _no_bias_plane_flat, "the formula"),
        Check(
            "monomials without biases, d > 2: R < 0 and |R| decreases",
            _no_bias_negative,
            "signs of the factors",
        ),
    )
