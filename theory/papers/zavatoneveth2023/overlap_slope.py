r"""The slope of chi in the squared overlap t has one sign, for every degree and number of inputs.

With :math:`e_k = (-q)_k^2 / ((1/2)_k k!)`, the coefficients of the second function of (E.33), chi has the coefficients
:math:`e_k (d + 2q - (d + 4q - 2) k/q)`: at first positive, then negative, so that by Descartes' rule of signs the slope
vanishes once at most for t > 0. It is positive at t = 0, and Gauss's sum gives it at t = 1.
"""

from __future__ import annotations

import sympy as sp

q, d, k = sp.symbols("q d k", positive=True)
beyond, more = sp.symbols("beyond more", nonnegative=True)
HALF = sp.Rational(1, 2)


def at_unit_argument(a: sp.Expr, b: sp.Expr, c: sp.Expr) -> sp.Expr:
    """Gauss's sum of 2F1(a, b; c; 1)."""
    return sp.gamma(c) * sp.gamma(c - a - b) / (sp.gamma(c - a) * sp.gamma(c - b))


def slope_at_one() -> sp.Expr:
    """Of chi as (E.33) has it, per slope of the second function, for any degree and number of inputs."""
    # Slopes of 2F1(a, b; 1/2; t) at t = 1, divided by their common factor 2.
    slopes = [a * b * at_unit_argument(a + 1, b + 1, HALF + 1) for a, b in ((1 - q, -q), (-q, -q))]
    ratio = sp.simplify(sp.expand_func(slopes[0] / slopes[1]))
    return sp.together((d + 2 * (2 * q - 1)) * ratio - 2 * (q - 1))


def sign_at_one() -> int:
    """Its sign for all q > 1 and d >= 1: of a fraction whose coefficients have one sign in q - 2 and d - 1."""
    fraction = slope_at_one().subs({q: 2 + beyond, d: 1 + more})
    above, below = (sp.Poly(sp.expand(part), beyond, more).coeffs() for part in sp.fraction(sp.cancel(fraction)))
    signs = {sp.sign(term) for term in above}, {sp.sign(term) for term in below}
    return int(signs[0].pop() * signs[1].pop()) if all(len(found) == 1 for found in signs) else 0


def coefficients_change_sign_once() -> bool:
    """Whether the coefficients of chi, per e_k, are linear in k and fall: they cannot become positive again."""
    # (1-q)_k / (-q)_k, whose factors cancel but for the last above and the first below.
    ratio = (k - q) / (-q)
    per_e = sp.expand((d + 2 * (2 * q - 1)) * ratio - 2 * (q - 1))
    examples = all(
        sp.rf(1 - degree, power) == ratio.subs({q: degree, k: power}) * sp.rf(-degree, power)
        for degree in range(2, 9)
        for power in range(degree)
    )
    fall, start = (sp.expand(sp.simplify(form)) for form in (-sp.diff(per_e, k) * q, per_e.subs(k, 0)))
    shifted = {q: 2 + beyond, d: 1 + more}
    return examples and all(sp.expand(form.subs(shifted)).is_positive for form in (fall, start))
