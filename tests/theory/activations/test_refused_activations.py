"""Tests that expressions which are not real functions of one real variable raise an error."""

from __future__ import annotations

import inspect

import pytest
import sympy as sp

from theory import activations, gaussian, geometry
from theory.activations import from_expression, z


@pytest.mark.parametrize(
    "expression", [sp.I * z, sp.sqrt(z), sp.log(z), sp.cbrt(z), z**1.5], ids=str
)
def test_complex_values_are_refused(expression):
    """Of i z the kernel was minus that of z, without a word."""
    with pytest.raises(
        ValueError, match=r": got .* at z = .*, needs a real, finite one for every real z"
    ):
        from_expression(expression)


@pytest.mark.parametrize(
    "expression",
    [sp.sqrt(1 + z**2), sp.log(1 + sp.exp(z)), sp.sqrt(sp.Abs(z)), sp.re(z), sp.atan(z)],
    ids=str,
)
def test_real_values_are_not(expression):
    assert from_expression(expression).expression == expression


def test_a_derivative_is_carried_out():
    assert from_expression(sp.Derivative(sp.sin(z), z)).expression == sp.cos(z)


@pytest.mark.parametrize(
    "quantity",
    [
        geometry.scalar_curvature,
        geometry.log_volume_element,
        geometry.ntk_scalar_curvature,
        lambda act: geometry.deep_nngp(act, 2),
    ],
)
def test_a_constant_has_no_curvature(quantity):
    with pytest.raises(ValueError, match="flat3 is constant, so its metric is zero"):
        quantity(from_expression(sp.Integer(3), name="flat3"))


def test_but_a_volume_element_of_zero():
    assert (
        geometry.volume_element(from_expression(sp.Integer(3), name="flat3"))(2, 0.5, 1, 0.3) == 0
    )


@pytest.mark.parametrize("text", ["foo(z)", "1+", "", "x", "monomial", "z/0"])
def test_a_text_that_is_none_is_named(text):
    with pytest.raises(ValueError, match=r"^text: "):
        activations.from_text(text)


QUANTITIES = [
    getattr(package, name)
    for package in (gaussian, geometry)
    for name in package.__all__
    if "act" in getattr(inspect.unwrap(getattr(package, name)), "__annotations__", ())
]
of_every_function = pytest.mark.parametrize(
    "quantity", QUANTITIES, ids=lambda function: function.__qualname__
)


def other_arguments(quantity):
    return [
        2 if name == "depth" else [1.0]
        for name in list(inspect.signature(quantity).parameters)[1:]
    ]


@of_every_function
def test_something_else_is_refused_by_every_function_of_an_activation(quantity):
    """A list has no hash, so that it cannot be looked up among the results that are kept."""
    needs = "needs an activation, its name or an expression in z$"
    for value in (3, [1.0], {}):
        with pytest.raises(TypeError, match=f"^act: got {type(value).__name__}, {needs}"):
            quantity(value, *other_arguments(quantity))
    with pytest.raises(ValueError, match=r"^act: no activation 'errf'; did you mean erf"):
        quantity("errf", *other_arguments(quantity))


@pytest.mark.parametrize(
    "quantity",
    [
        pytest.param(
            q, marks=[pytest.mark.slow] * q.__name__.startswith(("ntk_log", "ntk_scalar"))
        )  # seconds
        for q in QUANTITIES
        if len(inspect.signature(q).parameters) == 1
    ],
)
def test_a_name_and_an_expression_stand_for_the_activation(quantity):
    assert quantity("erf") is quantity(activations.ERF)
    assert quantity(" sin ") is quantity(activations.SIN)
    assert quantity(z**3) is quantity(from_expression(z**3)) is quantity("z**3")
