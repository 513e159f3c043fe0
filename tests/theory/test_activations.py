"""Tests of activations: expressions, derivatives, kinks, functions, arithmetic, bad input."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
import sympy as sp

from tests.theory.closed_activations import CLOSED
from theory import activations
from theory.activations import from_expression, z
from theory.activations.naming import activation

EVERY = (
    *CLOSED,
    activations.polynomial([1, 0, 0.5]),
    activations.TANH,
    activations.SIGMOID,
    activations.SOFTPLUS,
    activations.SWISH,
    2 * activations.ERF - activations.SIN / 3,
)
POINTS = np.array([-2.3, -0.4, 0.1, 1.7])
# Rounding of a derivative computed by its formula.
DOUBLE = 1e-13


@pytest.mark.parametrize("act", EVERY, ids=lambda act: act.name)
def test_derivatives_are_derivatives(act):
    value = act.function(backend="mpmath")
    for order in range(4):
        found = act.function(order)(POINTS)
        assert found.dtype == np.float64
        with mpmath.workdps(50):
            exact = [
                mpmath.diff(lambda x: value(mpmath.mpf(x)), mpmath.mpf(float(x)), order)
                for x in POINTS
            ]
        scale = max(1, *map(abs, exact))
        assert all(
            abs(one - other) <= DOUBLE * scale for one, other in zip(found, exact, strict=True)
        )


@pytest.mark.parametrize("act", EVERY, ids=lambda act: act.name)
def test_backends_agree(act, torch):
    expected = act.function()(POINTS)
    np.testing.assert_allclose(
        act.function(backend="torch")(torch.tensor(POINTS)).numpy(), expected, rtol=1e-12
    )
    assert float(act.function(backend="mpmath")(POINTS[0])) == pytest.approx(
        expected[0], rel=1e-12
    )


def test_conventions():
    assert activations.ERF.function()(1.0) == pytest.approx(math.erf(1 / math.sqrt(2)))
    assert activations.GELU.function()(1.0) == pytest.approx((1 + math.erf(1 / math.sqrt(2))) / 2)
    assert activations.monomial(2).expression == z**2 / sp.sqrt(3)
    assert activations.hermite(3).expression == z**3 - 3 * z
    assert activations.LEAKY_RELU(0.01).function()(-3.0) == pytest.approx(-0.03, rel=1e-15)
    assert activations.SOFTPLUS.function()(0.7) == pytest.approx(math.log1p(math.exp(0.7)))
    assert activations.SWISH.function()(0.7) == pytest.approx(0.7 / (1 + math.exp(-0.7)))


def test_kinks():
    assert activations.RELU.kinks == (0,)
    assert not activations.RELU.smooth
    assert activations.GELU.smooth
    assert from_expression(sp.Abs(z - 2) + sp.Max(0, z, 2 * z - 1)).kinks == (
        0,
        sp.Rational(1, 2),
        1,
        2,
    )
    assert from_expression(sp.Piecewise((z, z > 0), (sp.exp(z) - 1, True))).kinks == (0,)
    assert (activations.RELU + from_expression(sp.Abs(z - 2))).kinks == (0, 2)


def test_at_a_kink_only_the_regular_part_is_kept():
    assert activations.RELU.function(1)([-1.0, 0.0, 1.0]).tolist() == [0, 0.5, 1]
    assert activations.RELU.function(2)([-1.0, 0.0, 1.0]).tolist() == [0, 0, 0]


def test_no_overflow_far_out():
    far = np.array([-1000.0, 1000.0])
    np.testing.assert_allclose(activations.SOFTPLUS.function(1)(far), [0, 1])
    np.testing.assert_allclose(activations.SWISH.function(1)(far), [0, 1], atol=1e-300)


@pytest.mark.parametrize("at", [-40.0, 40.0])
@pytest.mark.parametrize("backend", ["numpy", "mpmath"])
def test_slopes_of_saturated_units_keep_their_digits(backend, at):
    with mpmath.workdps(60):
        slope = float(mpmath.sech(at) ** 2)
    assert float(activations.TANH.function(1, backend)(at)) == pytest.approx(slope, rel=1e-13)
    assert float(activations.TANH.function(2, backend)(at)) == pytest.approx(
        -2 * np.sign(at) * slope, rel=1e-13
    )


def test_tanh_within_another_function():
    bent = from_expression(sp.Abs(sp.tanh(z)))
    assert bent.function(1)(np.array([-0.5, 0.5])) == pytest.approx(
        np.array([-1, 1]) / np.cosh(0.5) ** 2
    )


def test_arithmetic():
    both = 2 * activations.ERF + activations.SIN / 4 - activations.RELU
    expected = 2 * activations.ERF.expression + sp.sin(z) / 4 - sp.Max(0, z)
    assert sp.expand(both.expression - expected) == 0
    assert both.name.isidentifier()
    assert (-activations.SIN).expression == -sp.sin(z)
    # the binary fraction
    assert (0.1 * activations.SIN).expression == sp.Rational(0.1) * sp.sin(z)
    assert ("0.1" * activations.SIN).expression == sp.sin(z) / 10


@pytest.mark.parametrize(
    ("make", "error", "names"),
    [
        (lambda: from_expression(sp.Symbol("t") + z), ValueError, "t"),
        (lambda: from_expression(sp.sin(sp.Symbol("z"))), ValueError, "z"),
        (
            lambda: from_expression("z"),
            TypeError,
            "got str, needs a sympy expression in theory.activations.z",
        ),
        (lambda: from_expression(sp.I + 0 * z), ValueError, "real"),
        (lambda: from_expression(z, name="two words"), ValueError, "name"),
        (lambda: from_expression(sp.Abs(sp.sin(z))), ValueError, "kinks"),
        (lambda: activations.monomial(0), ValueError, "q"),
        (lambda: activations.monomial(2.0), TypeError, "q"),
        (lambda: activations.hermite(-1), ValueError, "q"),
        (lambda: activations.LEAKY_RELU(1), ValueError, "slope"),
        (lambda: activations.LEAKY_RELU(float("nan")), ValueError, "slope"),
        (lambda: activations.polynomial([]), ValueError, "coefficients"),
        (lambda: activations.polynomial([1, "two"]), ValueError, "coefficients"),
        (lambda: activations.ERF * float("inf"), ValueError, "factor"),
        (lambda: activations.ERF.derivative(-1), ValueError, "order"),
        (lambda: activations.ERF.derivative(1.5), TypeError, "order"),
        (lambda: activations.ERF.function(backend="julia"), ValueError, "backend"),
        (lambda: activations.ERF.function()([0.0, np.nan]), ValueError, "z"),
        (lambda: activations.ERF + 1, TypeError, "unsupported"),
    ],
)
def test_bad_input_is_named(make, error, names):
    with pytest.raises(error, match=names):
        make()


def test_an_array_beside_the_activation_is_refused():
    from theory import geometry

    with pytest.raises(
        TypeError, match="volume_element: got ndarray next to the activation, needs numbers"
    ):
        geometry.volume_element("erf", np.ones(3))


@pytest.mark.parametrize("text", ["1#2", "z # z", "#"])
def test_a_comment_is_not_mathematical_text(text):
    with pytest.raises(ValueError, match="needs mathematical text"):
        activations.from_text(text)


@pytest.mark.parametrize(
    "name", ["gelu", "silu", "sigmoid", "softplus", "tanh", "1 - tanh(z)", "3 + 3*erf(z/2) - z"]
)
def test_tails_keep_their_digits(name):
    """1 + tanh(-20) is 0 in floating point, and the logistic function of -40 is 4e-18."""
    act, at = (
        activation("act", name),
        np.array([-600.0, -40.0, -8.8, -1.5, 0.25, 8.8, 24.0, 600.0]),
    )
    for order in (0, 1):
        exact = sp.lambdify(z, act.derivative(order), "mpmath")
        with mpmath.workdps(700):
            expected = [float(exact(mpmath.mpf(value))) for value in at.tolist()]
        assert act.function(order)(at) == pytest.approx(expected, rel=1e-12, abs=1e-300)
