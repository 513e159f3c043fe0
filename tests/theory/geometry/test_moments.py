"""Curvature of wide layers without closed form at inputs of any size, raw pixels included."""

from __future__ import annotations

import mpmath
import pytest
import sympy as sp

from theory import activations, geometry
from theory.activations import z

# From the definition, with omega' = E[f'']/2 and omega'' = E[f'''']/4 in 60 digits: ``by_definition`` below.
AT_100 = {
    "tanh": ((4, 1e4, 1.0, 0.5), -1477.75208060726),
    "softplus": ((3, 1e4, 1.0, 0.5), 6.448545702583395e-9),
}
DIGITS = 1e-10


def by_definition(act, d, r, sigma, zeta):
    """The Ricci scalar from derivatives of the squared slope, which cancel and get 60 digits for that."""
    square = sp.sympify(act.expression).diff(z) ** 2

    def density(u):
        return mpmath.exp(-(u**2) / (2 * v)) / mpmath.sqrt(2 * mpmath.pi * v)

    with mpmath.workdps(60):
        v = mpmath.mpf(sigma) ** 2 * r + mpmath.mpf(zeta) ** 2
        s = v - mpmath.mpf(zeta) ** 2
        w = []
        for order in range(3):
            f = sp.lambdify(z, (square.diff(z, 2 * order) / 2**order).rewrite(sp.exp), "mpmath")
            ends = [-2000, -300, -100, -30, -10, -3, -1, 0, 1, 3, 10, 30, 100, 300, 2000]
            w.append(mpmath.quad(lambda u, f=f: f(u) * density(u), ends))
        w0, w1, w2 = w
        radial = (
            -2 * s * w1 * (w0 * w1 - s * w1**2 + s * w0 * w2) / (w0**2 * (w0 + 2 * s * w1) ** 2)
        )
        tangential = -s * w1**2 / (w0**2 * (w0 + 2 * s * w1))
        return float((d - 1) * (2 * radial + (d - 2) * tangential))


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n != "tanh")) for n in AT_100]
)
def test_curvature_at_inputs_of_length_100(name):
    point, value = AT_100[name]
    assert geometry.scalar_curvature(getattr(activations, name.upper()))(*point) == pytest.approx(
        value, rel=DIGITS
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", AT_100)
def test_the_values_above_follow_from_the_definition(name):
    point, value = AT_100[name]
    assert by_definition(getattr(activations, name.upper()), *point) == pytest.approx(
        value, rel=1e-13
    )


@pytest.mark.slow
@pytest.mark.parametrize("r", [0.9999, 1.0001])
def test_both_formulas_agree_where_they_meet(r):
    form = geometry.scalar_curvature(activations.TANH)
    assert form(3, r, 1.0, 0.0) == pytest.approx(
        float(form.evaluate(3, repr(r), 1, 0, digits=12)), rel=DIGITS
    )


def test_every_step_of_the_form_by_moments_holds():
    assert {
        str(verdict) for verdict in geometry.scalar_curvature(activations.TANH).check().values()
    } == {"Verdict.HOLDS"}
