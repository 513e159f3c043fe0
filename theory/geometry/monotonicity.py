r"""Proofs of the paper's statements about how volume and curvature of wide layers change with the radius.

Each statement becomes the sign of an expression in symbols whose signs are assumed, and sympy's assumptions then decide
it for all values at once. A dimension or degree above 1 is written as 1 plus a positive integer.
"""

from __future__ import annotations

from functools import lru_cache

import sympy as sp

from theory.activations import ERF
from theory.core import Check
from theory.core.proof.factoring import as_product
from theory.gaussian.symbols import variance as v
from theory.geometry.curvature import radial_general, scalar_curvature, tangential_general
from theory.geometry.profile import s, w0, w1, w2
from theory.geometry.symbols import d, r
from theory.geometry.threshold import bias, q, squared_slope
from theory.geometry.volume import log_volume_element

more = sp.Symbol("more", integer=True, positive=True)
"""Dimensions or degrees, all or beyond the first."""
radius = sp.Symbol("radius", positive=True)
"""|x|^2 away from the origin, or sigma^2 |x|^2."""
along = sp.Symbol("lambda", positive=True)


def negative(expression: sp.Expr) -> bool:
    """Return whether the expression, in lowest terms, is negative for all values of its symbols."""
    return bool(as_product(sp.together(sp.powsimp(expression))).is_negative)


def monomial_curvature(dimension: sp.Expr, spread: sp.Expr) -> sp.Expr:
    """Return the Ricci scalar of a monomial of symbolic degree, in ``s``; ``spread`` is the variance of the biases."""
    jets = (squared_slope, *(sp.diff(squared_slope, v, order) for order in (1, 2)))
    planes = [
        as_product(sp.powsimp(p.xreplace(dict(zip((w0, w1, w2), jets, strict=True)))))
        for p in (radial_general, tangential_general)
    ]
    return (dimension - 1) * (2 * planes[0] + (dimension - 2) * planes[1]).subs(v, s + spread)


def _erf_negative() -> bool:
    return negative(scalar_curvature(ERF).expression.subs({d: 1 + more, r: radius}))


def _erf_decreasing() -> bool:
    return negative(sp.diff(scalar_curvature(ERF).expression, r).subs({d: 1 + more, r: radius}))


def _erf_volume_decreasing() -> bool:
    slope = sp.diff(log_volume_element(ERF).expression, r)
    return negative(slope.subs({d: more, r: radius}))


def _tangential_never_positive() -> bool:
    return bool(tangential_general.subs(w0 + 2 * s * w1, along).is_nonpositive)


def _monomial_volume_increasing() -> bool:
    degree, across = 1 + more, sp.Symbol("dimension", integer=True, positive=True)
    slope = sp.diff(sp.log(squared_slope), v)
    logarithm = across * (degree - 1) * sp.log(s + bias**2) / 2 + sp.log(1 + 2 * s * slope).subs(v, s + bias**2) / 2
    return negative(-sp.diff(logarithm.subs(q, degree), s).subs(s, radius))


def _monomial_flat() -> bool:
    line = monomial_curvature(sp.S.One, bias**2)
    return line == 0 and sp.simplify(monomial_curvature(more, bias**2).subs(q, 1)) == 0


def _no_bias_plane_flat() -> bool:
    return sp.simplify(monomial_curvature(sp.Integer(2), sp.S.Zero)) == 0


def _no_bias_negative() -> bool:
    curvature = sp.simplify(monomial_curvature(2 + more, sp.S.Zero).subs(q, 1 + q))
    return negative(curvature.subs(s, radius)) and negative(-sp.simplify(sp.diff(curvature, s)).subs(s, radius))


@lru_cache(maxsize=1)
def statements() -> tuple[Check, ...]:
    """Checks of the statements of Appendix C about signs and monotonicity, for the corrected curvature."""
    return (
        Check("erf: R < 0 for d > 1 away from the origin", _erf_negative, "signs of the factors"),
        Check("erf: R decreases with the radius", _erf_decreasing, "sign of the derivative"),
        Check("erf: the volume element decreases with the radius", _erf_volume_decreasing, "sign of the derivative"),
        Check(
            "planes across the radius are never positively curved", _tangential_never_positive, "a square over squares"
        ),
        Check("monomials, q > 1: the volume element increases", _monomial_volume_increasing, "sign of the derivative"),
        Check("monomials: R = 0 if q = 1 or d = 1", _monomial_flat, "the formula"),
        Check("monomials without biases: R = 0 in the plane", _no_bias_plane_flat, "the formula"),
        Check("monomials without biases, d > 2: R < 0 and |R| decreases", _no_bias_negative, "signs of the factors"),
    )
