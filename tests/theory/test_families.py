"""Tests of families: members from Python values and from strings, and messages for unknown members."""

from __future__ import annotations

import pytest
import sympy as sp

import theory
from theory import activations, compression, geometry
from theory.core import Family, Parameter
from theory.core.facade.family import integer_from

CURVATURE = theory.catalogue()["geometry.scalar_curvature"]
POINT = {"d": 3, "r": 0.7, "sigma": 1.1, "zeta": 0.4}


def test_a_member_is_the_same_by_value_by_name_and_by_call():
    expected = geometry.scalar_curvature(activations.TANH)
    assert CURVATURE(activation="tanh") is expected
    assert CURVATURE(activations.TANH) is expected
    assert theory.catalogue()["geometry.scalar_curvature.tanh"] is expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "geometry.nngp_kernel.relu_power_3",
            lambda: geometry.nngp_kernel(activations.relu_power(3)),
        ),
        (
            "geometry.volume_element.monomial_5",
            lambda: geometry.volume_element(activations.monomial(5)),
        ),
        (
            "geometry.volume_element.hermite_4",
            lambda: geometry.volume_element(activations.hermite(4)),
        ),
        (
            "geometry.nngp_kernel.leaky_relu",
            lambda: geometry.nngp_kernel(activations.LEAKY_RELU("1/100")),
        ),
        (
            "geometry.deep_volume_element.relu_power_3_2",
            lambda: deep(activations.relu_power(3), 2).volume_element,
        ),
        (
            "geometry.deep_scalar_curvature.erf_2",
            lambda: deep(activations.ERF, 2).scalar_curvature,
        ),
        ("geometry.bayesian_factor.erf", lambda: geometry.bayesian_factor(activations.ERF)),
        (
            "geometry.bayesian_factor.monomial_4",
            lambda: geometry.bayesian_volume_correction(4).factor,
        ),
        (
            "geometry.bayesian_volume_correction.monomial_4",
            lambda: geometry.bayesian_volume_correction(4).mean,
        ),
        ("compression.equiprobable_radius.interval", lambda: compression.equiprobable_radius(1)),
    ],
)
def test_members_that_are_not_listed_are_built_from_their_names(name, expected):
    catalogue = theory.catalogue()
    assert name in catalogue
    assert name not in list(catalogue)
    form = catalogue[name]
    assert form.name == name
    assert form.expression == expected().expression


def deep(act, depth):
    return geometry.deep_nngp(act, depth)


def test_depth_is_an_argument_of_the_same_family():
    assert CURVATURE("erf", depth=2) is deep(activations.ERF, 2).scalar_curvature
    assert CURVATURE("erf", depth="2") is CURVATURE("erf", 2)
    assert CURVATURE("erf", depth=1) is CURVATURE("erf")


def test_seven_layers_of_an_activation_without_closed_form_are_built_and_computed():
    """Written out, integrals in integrals would have millions of terms."""
    form = theory.catalogue()["geometry.deep_volume_element.swish_7"]
    assert form.expression.count_ops() < 20_000
    assert form(d=2, r=1, sigma=1, zeta="1/2") == pytest.approx(0.0006483853202805, rel=1e-10)


def test_two_layers_of_swish_against_integrals_in_integrals():
    """The same recursion with the second layer's variance computed first, a number."""
    swish = activations.SWISH
    from theory.gaussian import kernel, squared_slope

    def moment(variance):
        return kernel(swish)(variance, variance, variance)

    def slope(variance):
        return squared_slope(swish)(variance)

    r, sigma, zeta, d, step = 0.9, 1.1, 0.3, 3, 1e-4
    below = [sigma**2 * (r + shift) + zeta**2 for shift in (-step, 0, step)]
    here = [sigma**2 * moment(variance) + zeta**2 for variance in below]
    growth = (here[2] - here[0]) / (2 * step)
    bend = (slope(here[1] + step) - slope(here[1] - step)) / (2 * step)
    first = (
        sigma**2 * slope(below[1]),
        2 * (slope(below[1] + step) - slope(below[1] - step)) / (2 * step) * sigma**4,
    )
    across = sigma**2 * slope(here[1]) * first[0]
    along = across + r * (sigma**2 * slope(here[1]) * first[1] + 2 * bend * growth**2)
    expected = across ** ((d - 1) / 2) * along**0.5
    found = theory.catalogue()["geometry.deep_volume_element.swish_2"](d, r, sigma, zeta)
    assert found == pytest.approx(expected, rel=1e-6)  # differences of the second order


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("z*erf(z)", activations.z * sp.erf(activations.z)),
        (" tanh(z) + 0.1*z**2", sp.tanh(activations.z) + activations.z**2 / 10),
        (
            "max(0, z) + sqrt(2)*sin(pi*z)/3",
            sp.Max(0, activations.z) + sp.sqrt(2) * sp.sin(sp.pi * activations.z) / 3,
        ),
        ("leaky_relu(1/10)", activations.LEAKY_RELU("1/10").expression),
        ("relu_power(3)", activations.relu_power(3).expression),
    ],
)
def test_expressions_are_activations(text, same):
    assert activations.from_text(text).expression == same
    if "erf" in text:
        assert CURVATURE(text)(**POINT) == CURVATURE(activations.from_expression(same))(**POINT)
        assert CURVATURE(same) is CURVATURE(activations.from_expression(same))


def test_every_named_activation_is_found_by_its_name():
    for act in vars(activations.naming).values():
        if isinstance(act, activations.Activation):
            assert activations.from_text(act.name) is act


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("geometry.scalar_curvature.tahn", "no activation 'tahn'; did you mean tanh"),
        ("geometry.scalar_curvatur.erf", "did you mean geometry.scalar_curvature.erf"),
        ("geometry.scalar_curvature.z", "is not the label of a member"),
        ("geometry.scalar_curvature.relu_power_02", "is not the label of a member"),
        ("geometry.deep_volume_element.relu_power_3", "no activation 'relu_power'"),
        (
            "geometry.deep_volume_element.swish_0",
            "depth: got .*, needs an integer from 1 to 100000",
        ),
        ("geometry.deep_volume_element.swish", "needs|parts"),
        ("geometry.bayesian_volume_correction.erf", "needs monomial_"),
        ("geometry.volume_element.monomial_1001", "needs an integer from 1 to 1000"),
        ("compression.learning_curve_exponent.lzy", "did you mean lazy"),
    ],
)
def test_unknown_members_are_refused_in_the_same_words_from_python_and_the_command_line(
    name, words, capsys
):
    from bridge.cli import main

    catalogue = theory.catalogue()
    assert name not in catalogue
    with pytest.raises(KeyError, match=words) as error:
        _ = catalogue[name]
    assert main(["show", name]) == 2
    assert error.value.args[0] in capsys.readouterr().err.replace("\n", " ")


def test_a_name_without_dots_is_searched_for(capsys):
    from bridge.cli import main

    assert main(["show", "scalar_curvature"]) == 0
    assert "geometry.scalar_curvature" in capsys.readouterr().out
    assert main(["show", "1234567890"]) == 2
    assert "that fits '1234567890'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        (
            {"activation": "tahn"},
            ValueError,
            "activation: no activation 'tahn'; did you mean tanh",
        ),
        (
            {"activation": "__import__('os').getcwd()"},
            ValueError,
            "needs known numbers, operations and functions",
        ),
        ({"activation": "x + 1"}, ValueError, "activation: no name 'x'; there are"),
        ({"activation": "sqrt(z)"}, ValueError, "real"),
        ({"activation": "1e-9999999*z"}, ValueError, "digits"),
        ({"activation": 3}, TypeError, "activation"),
        (
            {"activation": "erf", "depth": 0},
            ValueError,
            "depth: got 0, needs an integer from 1 to 100000",
        ),
        ({"activation": "erf", "depth": 1.5}, TypeError, "depth: got .*, needs an integer"),
        ({"activation": "erf", "depth": True}, TypeError, "depth: got .*, needs an integer"),
        ({"act": "erf"}, TypeError, "no parameter 'act'; there are activation, depth"),
        ({}, TypeError, "needs activation"),
    ],
)
def test_values_that_a_family_does_not_take(values, error, words):
    with pytest.raises(error, match=words):
        CURVATURE(**values)


def test_a_member_that_mathematics_refuses_says_so():
    assert "geometry.scalar_curvature.hermite_0" in theory.catalogue()
    with pytest.raises(ValueError, match="hermite_0 is constant"):
        _ = theory.catalogue()["geometry.scalar_curvature.hermite_0"]


def test_positions_are_counted():
    with pytest.raises(TypeError, match="takes 2 arguments, got 3"):
        CURVATURE("erf", 1, 1)
    with pytest.raises(TypeError, match="twice"):
        CURVATURE("erf", activation="erf")


def test_a_family_says_what_it_takes():
    shown = str(theory.catalogue().families["geometry.scalar_curvature"])
    assert "activation" in shown
    assert "depth: number of infinitely wide hidden layers, 1 or more (default: 1)" in shown
    assert "geometry.scalar_curvature.erf" in shown


DEGREE = Parameter("degree", "a degree", integer_from())


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ((), "parameters"),
        ((DEGREE, DEGREE), "two parameters with the same name"),
        (
            (Parameter("depth", "a depth", integer_from(), default=1), DEGREE),
            "got one without a default after one with",
        ),
    ],
)
def test_a_family_that_cannot_be_called_is_refused(parameters, words):
    with pytest.raises(ValueError, match=words):
        Family("a.b", "A meaning.", parameters, lambda *_: None)
