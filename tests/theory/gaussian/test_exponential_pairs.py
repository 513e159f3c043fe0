"""Tests of differences of exponentials that keep their digits."""

from __future__ import annotations

import pytest
import sympy as sp

from theory import activations, gaussian
from theory.gaussian.kernel_formula import without_difference

p, q, k = sp.symbols("p q k", real=True)


def test_only_pairs_of_opposite_factors_are_rewritten():
    others = k * sp.exp(p) + 3 * sp.exp(q) + k
    assert without_difference(others) == others
    rewritten = without_difference(others - k * sp.exp(2 * q))
    assert rewritten.has(sp.Piecewise)
    values = {p: sp.Rational(1, 3), q: sp.Rational(2, 7), k: 5}
    assert rewritten.subs(values).evalf(30) == pytest.approx(
        (others - k * sp.exp(2 * q)).subs(values).evalf(30)
    )


@pytest.mark.parametrize("covariance", [1e-17, -1e-17, 3.0, -3.0, 900.0, -900.0])
def test_the_sine_kernel_at_any_covariance(covariance):
    form = gaussian.kernel(activations.SIN)
    point = (1000.0, 1000.0, covariance)
    assert form(*point) == pytest.approx(float(form.evaluate(*point)), rel=1e-12)
