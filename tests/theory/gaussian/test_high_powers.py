"""Tests of kernels of high powers, which are closed forms up to some length and integrals beyond."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import sympy as sp

from tests.marks import slow
from tests.oracles.gaussian_expectations import pair_mean
from theory import activations, gaussian
from theory.activations import from_expression, z
from theory.core import Verdict
from theory.core.formula.rounding import written_out
from theory.gaussian.symbols import covariance, variance_x, variance_y

POINTS = ((1.0, 1.0, 0.5), (0.5, 2.0, -0.9), (1.0, 1.0, 1.0), (0.01, 3.0, 0.0))
ROUNDING = 1e-11  # of the nodes and weights of the oracle
QUADRATURE = 1e-10
SHORT = {
    "z**9": lambda z: z**9, "z**64": lambda z: z**64, "(z + 1)**15": lambda z: (z + 1) ** 15,
    "z**33 - 2*z**30": lambda z: z**33 - 2 * z**30,
}  # fmt: skip
LONGEST = {"z**64", "(z + 1)**15", "z**70"}  # a second each
LONG = {"(z + 1)**40": lambda z: (z + 1) ** 40, "z**70": lambda z: z**70}


def mean_of_polynomials(function, v, w, c):
    """``E[f(u) f(u')]`` by Gauss and Hermite, which is exact for polynomials up to degree 151 in each variable."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(76)
    one, other = nodes[:, None], nodes
    first = np.sqrt(v) * one
    second = c / np.sqrt(v) * one + np.sqrt(max(w - c**2 / v, 0)) * other
    return (function(first) * function(second) * weights[:, None] * weights).sum() / (2 * np.pi)


def test_a_power_by_hand():
    """Isserlis: E[u^4 u'^4] by pairings with zero, two and four pairs across."""
    v, w, c = variance_x, variance_y, covariance
    value = written_out(gaussian.kernel("z**4").expression)
    assert sp.expand(value - (9 * v**2 * w**2 + 72 * v * w * c**2 + 24 * c**4)) == 0


@pytest.mark.parametrize(
    "text", [pytest.param(t, marks=[pytest.mark.slow] * (t in LONGEST)) for t in SHORT]
)
def test_closed_forms_of_powers_against_exact_nodes(text):
    form = gaussian.kernel(text)
    assert not form.expression.has(sp.Integral)
    for v, w, c in POINTS:
        exact = mean_of_polynomials(SHORT[text], v, w, c)
        scale = mean_of_polynomials(lambda z: abs(SHORT[text](z)), v, w, c)
        assert abs(form(v, w, c) - exact) <= ROUNDING * scale


@pytest.mark.parametrize(
    "text", [pytest.param(t, marks=[pytest.mark.slow] * (t in LONGEST)) for t in LONG]
)
def test_integrals_of_powers_against_exact_nodes(text):
    form = gaussian.kernel(text)
    assert form.expression.has(sp.Integral)
    for v, w, c in POINTS[:2]:
        assert form(v, w, c) == pytest.approx(
            mean_of_polynomials(LONG[text], v, w, c), rel=QUADRATURE
        )


@pytest.mark.slow
def test_digits_of_a_power_against_quadrature_by_mpmath():
    """At full correlation the kernel is the single integral E[z^32]."""
    with mpmath.workdps(40):
        exact = mpmath.quad(lambda u: u**32 * mpmath.npdf(u), mpmath.linspace(-30, 30, 41))
        value = gaussian.kernel("z**16").evaluate(1, 1, 1, digits=30)
        assert abs(value - exact) < mpmath.mpf(10) ** -28 * exact


@pytest.mark.parametrize(
    ("text", "function"),
    [
        *slow(("relu_power_12", lambda z: np.maximum(z, 0) ** 12)),
        ("z**6*exp(z)", lambda z: z**6 * np.exp(z)),
        *slow(
            ("z**4*sin(z)", lambda z: z**4 * np.sin(z)),
            ("z**8*tanh(z)", lambda z: z**8 * np.tanh(z)),
        ),
    ],
)
def test_powers_times_other_functions_against_quadrature(text, function):
    point = (0.4, 0.3, 0.1)
    assert gaussian.kernel(text)(*point) == pytest.approx(
        pair_mean(function, function, *point), rel=QUADRATURE
    )


@pytest.mark.parametrize(
    "text",
    [
        "(z + 1)**4",
        *slow("z**8", "z**12", "relu_power_4"),
    ],
)
def test_every_step_of_the_kernel_of_a_power_holds(text):
    assert set(gaussian.kernel(text).check().values()) == {Verdict.HOLDS}


@pytest.mark.parametrize(
    "act",
    [
        activations.monomial(1000),
        activations.relu_power(1000),
        from_expression((z + 1) ** 1000),
        from_expression((z + sp.sin(z) + sp.exp(z)) ** 200),
        from_expression(((z**3 + z + 1) ** 300 + sp.sin(z)) ** 300),
        from_expression(sp.exp((z + sp.cos(z)) ** -200)),
        from_expression(z ** (10**200)),
    ],
    ids=lambda act: sp.sstr(act.expression)[-30:],
)
def test_what_is_too_long_is_an_integral_and_is_not_multiplied_out(act):
    assert gaussian.kernel(act).expression.has(sp.Integral)


@pytest.mark.slow
def test_a_value_beyond_quadrature_is_refused():
    with pytest.raises(ArithmeticError, match="quadrature does not reach"):
        gaussian.kernel("z**500")(1.0, 1.0, 0.5)
