"""Tests of the meaning of numbers: exact as written, floats as binary fractions, numpy's like Python's."""

from __future__ import annotations

import decimal
import fractions
import time

import mpmath
import numpy as np
import pytest
import sympy as sp

import theory
from closedform.expressions import MOST_DIGITS
from theory import activations, collapse, compression, geometry, leaky_resnet
from theory.core.formula.parsing import parse
from theory.core.numbers.arguments import integer
from theory.core.numbers.exact import as_float, exact, readable
from theory.core.text import render

TENTH = sp.Rational(1, 10)
BINARY_TENTH = sp.Rational(3602879701896397, 36028797018963968)
FINAL = theory.catalogue()["two_point.final_distance"]
STATE = {"dh2_0": 1, "dy2_0": 0, "tau_h": 2, "tau_y": 3, "dx2": 1}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, sp.Integer(3)),
        (np.int8(3), sp.Integer(3)),
        (np.uint64(2**63), sp.Integer(2**63)),
        (fractions.Fraction(1, 10), TENTH),
        (decimal.Decimal("0.1"), TENTH),
        (sp.sqrt(2), sp.sqrt(2)),
        (0.1, BINARY_TENTH),
        (np.float64(0.1), BINARY_TENTH),
        (np.float32(0.5), sp.Rational(1, 2)),
        (np.longdouble(1) / 3, sp.Rational(*(np.longdouble(1) / 3).as_integer_ratio())),
        (sp.Float(0.1), BINARY_TENTH),
        (sp.Float(0.5) * sp.pi, sp.pi / 2),
        (mpmath.mpf(0.1), BINARY_TENTH),
        ("0.1", TENTH),
        (" -1/2 ", -sp.Rational(1, 2)),
        ("+.5e1", sp.Integer(5)),
        ("5.", sp.Integer(5)),
        ("1e-300", sp.Rational(1, 10**300)),
        ("0.3/0.7", sp.Rational(3, 7)),
        ("sqrt(2)/3", sp.sqrt(2) / 3),
        ("1/2 + 0.1", sp.Rational(3, 5)),
        ("2**-3", sp.Rational(1, 8)),
        ("-(pi - erf(1))", sp.erf(1) - sp.pi),
        ("1" * 50 + "." + "3" * 50, sp.Rational(int("1" * 50 + "3" * 50), 10**50)),
    ],
)
def test_every_kind_of_number_has_its_exact_value(value, expected):
    assert sp.simplify(exact("x", value) - expected) == 0
    assert exact("x", value).is_Rational == expected.is_Rational
    assert as_float("x", value) == pytest.approx(float(expected), rel=1e-16)


ABSURD = (
    "1e-9999999", "1e999999999999", "9" * (MOST_DIGITS + 1), "1e4000", "2**99999999",
    "10**10**10", "(1/3)**9000", "9**999*9**999*9**999*9**999*9**999*9**999", "exp(exp(exp(99)))",
    "gamma(10**9)", "factorial(99999999)", "2**(10**9 + 1/2)", "1/0", "0**-1", "log(0)",
    "sqrt(-1)", "nan", "inf", "1_000", "0x10", "1j", "z", "one", "", "1/2/", "f'{1}'", "(1).real",
    "[1][0]", "().__class__", "__import__('os')", "lambda: 1", "sqrt(x=2)", "sqrt",
    "erf(1, 2, 3)", "1 if 1 else 2", "(" * 900 + "1" + ")" * 90, "1" + "+1" * 5000,
)  # fmt: skip


def test_absurd_and_unsafe_text_is_refused_at_once():
    for text in ABSURD:
        began = time.process_time()
        with pytest.raises(ValueError, match=r"^x: got .*, needs a finite real number") as error:
            exact("x", text)
        assert time.process_time() - began < 1
        assert len(str(error.value)) < 900


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), np.float32("-inf"), sp.oo, sp.I, mpmath.inf]
)
def test_what_is_not_finite_and_real_is_refused(value):
    with pytest.raises(ValueError, match=r"x: got .*, needs a finite real number"):
        exact("x", value)


@pytest.mark.parametrize("value", [None, True, np.True_, [1], 1 + 0j, object(), b"1"])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(TypeError, match=r"x: got .*, needs a real number"):
        exact("x", value)


def test_symbols_stand_only_where_they_are_named():
    z = sp.Symbol("z", real=True)
    assert parse("z**2/2 + 0.1", {"z": z}) == z**2 / 2 + TENTH
    with pytest.raises(ValueError, match="no name 'y'; there are pi, E, EulerGamma, z"):
        parse("y", {"z": z})
    with pytest.raises(
        ValueError,
        match=r"x: got z, needs a finite real number; \.specialise\(\) and \.expression",
    ):
        exact("x", z)


@pytest.mark.parametrize(
    "half", ["1/2", "0.5", 0.5, fractions.Fraction(1, 2), sp.S.Half, np.float32(0.5), "sqrt(4)/4"]
)
def test_a_closed_form_means_the_same_by_every_number(half):
    expected = FINAL.evaluate(**STATE, target2="0.5", digits=30)
    assert FINAL.evaluate(**STATE, target2=half, digits=30) == expected
    assert FINAL(**STATE, target2=half) == FINAL(**STATE, target2=0.5)
    assert FINAL.function("mpmath")(**STATE, target2=half) == pytest.approx(float(expected))
    assert FINAL.specialise(target2=half).evaluate(*STATE.values(), digits=30) == expected


def test_arrays_of_text_and_ratios_are_arrays_of_numbers():
    np.testing.assert_array_equal(
        FINAL(**STATE, target2=["1/2", "0.1"]),
        FINAL(**STATE, target2=[fractions.Fraction(1, 2), 0.1]),
    )


def test_text_keeps_the_precision_of_the_arrays_beside_it():
    state = {name: np.float32(value) for name, value in STATE.items()}
    assert FINAL(**state, target2="1/2").dtype == np.float32
    assert FINAL(**state, target2=0.5).dtype == np.float32


def test_a_tensor_beside_text():
    torch = pytest.importorskip("torch")
    found = FINAL.function("torch")(
        **{**STATE, "dh2_0": torch.tensor(1.0, dtype=torch.float64)}, target2="1/2"
    )
    assert float(found) == pytest.approx(FINAL(**STATE, target2=0.5), rel=1e-15)


def test_activations_take_the_same_numbers():
    z = activations.z
    assert activations.LEAKY_RELU(0.1).expression == sp.Max(0, z) + BINARY_TENTH * sp.Min(0, z)
    assert activations.LEAKY_RELU("0.1").expression == sp.Max(0, z) + TENTH * sp.Min(0, z)
    assert activations.polynomial([np.int64(1), "1/3", 0.5]).expression == 1 + z / 3 + z**2 / 2
    assert (
        activations.monomial(np.int64(2)) == activations.monomial(2) == activations.monomial("2")
    )
    assert (np.float64(0.5) * activations.ERF) == (activations.ERF / 2)
    assert (np.int64(2) * activations.ERF).name == (2 * activations.ERF).name


def test_a_float_is_printed_as_its_shortest_decimal_and_computed_as_what_it_is():
    act = activations.LEAKY_RELU(0.1)
    assert "0.1" in act.latex
    assert "36028797018963968" not in act.latex
    form = geometry.nngp_kernel(0.1 * activations.SIN)
    assert "36028797018963968" not in form.latex + str(form)
    point = {"xx": 1, "yy": 1, "xy": "1/2", "sigma": 1, "zeta": 0}
    ten = geometry.nngp_kernel(activations.SIN).evaluate(**point, digits=40)
    found = form.evaluate(**point, digits=40)
    with mpmath.workdps(40):
        assert (
            abs(found / ten - mpmath.mpf(0.1) ** 2)
            < 1e-30
            < abs(found / ten - mpmath.mpf(1) / 100)
        )
    assert render.latex(sp.Rational(1, 1024) + sp.Rational(1, 3)) == sp.latex(
        sp.Rational(1, 1024) + sp.Rational(1, 3)
    )
    assert str(readable(sp.Rational(1, 3**20))) == str(sp.Rational(1, 3**20))


@pytest.mark.parametrize("two", [2, np.int64(2), sp.Integer(2), "2"])
def test_integers_are_taken_alike_everywhere(two):
    assert integer("n", two) == 2
    assert geometry.deep_nngp(activations.ERF, two).depth == 2
    assert geometry.bayesian_volume_correction(two).factor.name.endswith("monomial_2")
    assert compression.equiprobable_radius(two).name.endswith("cylinder")
    assert collapse.relabelling_digits(4, two) == collapse.relabelling_digits(4, 2)
    assert len(leaky_resnet.mesh("equidistant", two)) == 2
    assert str(FINAL.evaluate(**STATE, target2=1, digits=two)) == str(
        FINAL.evaluate(**STATE, target2=1, digits=2)
    )
    assert activations.ERF.derivative(two) == activations.ERF.derivative(2)


@pytest.mark.parametrize("bad", [2.0, np.float64(2), True, np.True_, None, sp.Rational(1, 2)])
def test_what_is_no_integer_is_refused(bad):
    with pytest.raises(TypeError, match=r"n: got .*, needs an integer"):
        integer("n", bad)


@pytest.mark.parametrize(
    "half", ["1/2", fractions.Fraction(1, 2), np.float32(0.5), sp.S.Half, 0.5]
)
def test_functions_of_numbers_take_them_all(half):
    assert leaky_resnet.linear_geodesic(half, 1, 2, [half]).hamiltonian == pytest.approx(
        leaky_resnet.linear_geodesic(0.5, 1, 2, [0.5]).hamiltonian
    )
    assert (
        compression.equiprobable_stripe(-sp.S.Half).expression
        == compression.equiprobable_stripe("-1/2").expression
    )
    assert compression.Stripes((half,)).places[0] == 0.5
    assert collapse.finite_sample_nc1(5, 2, 3, half) == collapse.finite_sample_nc1(5, 2, 3, 0.5)
    rest = (2, 2, 1, 1, 1, 1)
    assert theory.two_point.loss(half, 1, 1, half, *rest) == theory.two_point.loss(
        0.5, 1, 1, 0.5, *rest
    )
    weights, biases = [[1, 2], [2, 1], [-1, 1]], [0, 1, 2]
    found = geometry.shallow.volume_element(weights, biases, [half, "0.25"], activations.ERF)
    assert found == geometry.shallow.volume_element(weights, biases, [0.5, 0.25], activations.ERF)
