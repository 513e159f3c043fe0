"""Tests that all digits of `evaluate` are correct."""

from __future__ import annotations

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import theory
from closedform.interruption import budget
from tests.theory.core.demonstrations import (
    EVERYWHERE,
    ROOT,
    A,
    X,
    a,
    transcribed,
    x,
)
from theory.core import phi1


def digits_of(value, digits):
    return mpmath.libmp.to_str(value._mpf_, digits)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", EVERYWHERE)
@pytest.mark.parametrize("digits", [1, 15, 30])
def test_digits_are_those_of_twice_the_precision(name, digits):
    expression, arguments = EVERYWHERE[name]
    form = transcribed(expression, *arguments)
    for point in zip(*form.sample(5, seed=digits).values(), strict=True):
        few, many = (
            form.evaluate(*point, digits=digits),
            form.evaluate(*point, digits=2 * digits + 5),
        )
        assert str(few) == digits_of(many, digits)


@settings(deadline=None, max_examples=60)
@given(st.fractions(-50, 50, max_denominator=10**6), st.integers(2, 60))
def test_cancellation_costs_no_digits(value, digits):
    """sqrt(v^2 + 1) - v against its form without cancellation, by mpmath at 200 digits."""
    v = 10**6 + value
    printed = transcribed(sp.sqrt(x**2 + 1) - x, X).evaluate(v, digits=digits)
    with mpmath.workdps(200):
        exact = mpmath.mpf(v.numerator) / v.denominator
        reference = 1 / (mpmath.sqrt(exact**2 + 1) + exact)
    assert str(printed) == digits_of(reference, digits)


def test_terms_below_the_working_precision():
    form = transcribed(sp.sqrt(1 + sp.exp(-x)) - 1, X)
    with mpmath.workdps(500):
        assert str(form.evaluate(1000, digits=20)) == digits_of(
            mpmath.expm1(mpmath.log1p(mpmath.exp(-1000)) / 2), 20
        )


def test_a_tiny_number_that_needed_thousands_of_digits_can_be_printed():
    form = transcribed(sp.erfinv(1 + sp.erf(x)), X)
    with mpmath.workdps(50):
        wanted = mpmath.sqrt(mpmath.pi) / 2 * mpmath.erfc(99)
    assert str(form.evaluate(-99, digits=20)) == digits_of(wanted, 20)


def test_zero_is_proved_not_guessed():
    hidden = transcribed(sp.sqrt(2) * sp.sqrt(3 + x**2) - sp.sqrt(6 + 2 * x**2), X)
    assert hidden.evaluate("0.3", digits=50) == 0
    assert transcribed(sp.sin(x) ** 2 + sp.cos(x) ** 2 - 1, X).evaluate("0.3") == 0
    assert transcribed(x, X).evaluate(0) == 0


def test_huge_exponents_take_no_exact_powers():
    """The logarithm of a volume element is linear in the number of inputs."""
    form = theory.catalogue()["geometry.volume_element.erf"]
    found = form.evaluate(d=10**300, r=1, sigma=1, zeta="1/2", digits=20)
    with mpmath.workdps(340):
        two, three = (
            mpmath.log(form.evaluate(d=d, r=1, sigma=1, zeta="1/2", digits=330)) for d in (2, 3)
        )
        expected = mpmath.exp(two + (10**300 - 2) * (three - two))
        assert abs(mpmath.mpf(found) / expected - 1) < 1e-19
    form = theory.catalogue()["geometry.volume_element.tanh"]
    with pytest.raises(ArithmeticError, match=r"the power 5.00E\+99 of an integral"):
        form.evaluate(d=10**100, r=1, sigma=1, zeta="1/2")
    with pytest.raises(
        ValueError, match="d: got a number above 1e200, needs less for an integral"
    ):
        form.evaluate(d=10**300, r=1, sigma=1, zeta="1/2")


def test_a_value_that_does_not_settle_is_an_error():
    rogers = sp.elliptic_e(a / (1 + a)) * sp.elliptic_k(1 / (1 + a))
    rogers += (
        sp.elliptic_k(a / (1 + a)) * (sp.elliptic_e(1 / (1 + a)) - sp.elliptic_k(1 / (1 + a)))
        - sp.pi / 2
    )
    with pytest.raises(ArithmeticError, match="has no 15 right ones"):
        transcribed(rogers, A).evaluate("0.3")


def test_a_nested_radical_that_is_zero_is_zero():
    depth = theory.catalogue()["collapse.equiseparation_depth"]
    square, cube = (
        sp.sqrt(3 + 2 * sp.sqrt(2)) - sp.sqrt(2),
        sp.cbrt(2 + sp.sqrt(5)) - sp.cbrt(sp.sqrt(5) - 2),
    )
    for one in (square, cube, "sqrt(3 + 2*sqrt(2)) - sqrt(2)"):
        assert depth.evaluate(initial=2, floor=one, shrink="1/2") == 0
    with pytest.raises(ValueError, match=r"shrink .*: got 0\.0, needs a positive"):
        depth.evaluate(initial=2, floor=1, shrink=square - 1)


def test_the_number_shows_its_digits_and_leaves_mpmath_alone():
    before = mpmath.mp.dps
    value = ROOT.evaluate("0.2", "0.7", digits=40)
    assert len(str(value).replace(".", "").lstrip("0")) == 40
    assert mpmath.mp.dps == before
    assert ROOT.evaluate("0.2", "0.7", digits=10) == pytest.approx(float(value))


def test_integrals_below_the_working_precision_settle():
    """An infinite range is cut where the integrand is below the precision, which a tiny factor makes everywhere."""
    form = transcribed(sp.Integral(a * sp.exp(-(x**2)), (x, -sp.oo, sp.oo)), A)
    with mpmath.workdps(40):
        assert str(form.evaluate("1e-120", digits=20)) == digits_of(
            mpmath.sqrt(mpmath.pi) / mpmath.mpf(10) ** 120, 20
        )


@pytest.mark.parametrize("growth", [1, sp.Rational(3, 4)])
def test_an_integrand_that_grows_for_ever_is_refused_at_once(growth):
    """At the nodes of an infinite range it would have no value in time."""
    density = sp.exp(-(x**2) / 2) * sp.erfc(x) / sp.cosh(x)
    form = transcribed(a * sp.Integral(density * sp.exp(growth * x**2), (x, -sp.oo, sp.oo)), A)
    with budget(2.0), pytest.raises(ArithmeticError, match="an integral diverges"):
        form.evaluate(1)
    wide = transcribed(sp.Integral(x * sp.exp(-x / 10**6) / sp.cosh(x / 10**7), (x, 0, sp.oo)))
    assert float(wide.evaluate(digits=12)) == pytest.approx(0.98e12, rel=0.02)


def test_small_arguments():
    value = transcribed((phi1(x) - 1) / x, X).evaluate("1e-30", digits=20)
    assert str(value) == "0.5"


@pytest.mark.parametrize(
    ("digits", "kind"),
    [(0, ValueError), (-3, ValueError), (2.5, TypeError), ("ten", ValueError), (True, TypeError)],
)
def test_bad_digits_are_refused(digits, kind):
    with pytest.raises(kind, match="digits: got"):
        ROOT.evaluate(1, 1, digits=digits)


def test_what_is_not_real_or_finite_is_an_error():
    with pytest.raises(ArithmeticError, match="not real"):
        transcribed(sp.sqrt(x), X).evaluate(-1)
    with pytest.raises(ArithmeticError, match="divides by zero at"):
        transcribed(1 / x, X).evaluate(0)
    with pytest.raises(ArithmeticError, match="divides by zero at"):
        transcribed(sp.log(x - 2) / (x - 2) ** 2, X).evaluate(2)
    # a pole nearby is none
    near = transcribed(1 / (x - 1), X).evaluate(1 + sp.Rational(1, 10**60))
    assert str(near) == "1.0e+60"


def test_mpmath_numbers_keep_their_sign():
    form = transcribed(x**3, X)
    for value in (mpmath.mpf(-2.5), mpmath.mpf(2.5)):
        assert form.evaluate(value) == value**3
        assert form.function("mpmath")(value) == value**3
