"""Tests that expressions which are not real functions of one real variable raise an error."""

from __future__ import annotations

import inspect

import pytest
import sympy as sp

from theory import gaussian, geometry
from theory.activations import from_expression, z


@pytest.mark.parametrize("expression", [sp.I * z, sp.sqrt(z), sp.log(z), sp.cbrt(z), z**1.5], ids=str)
def test_complex_values_are_refused(expression):
    """Of i z the kernel was minus that of z, without a word."""
    with pytest.raises(ValueError, match=r"must be real and finite for every real z, got .* at z = "):
        from_expression(expression)


@pytest.mark.parametrize(
    "expression", [sp.sqrt(1 + z**2), sp.log(1 + sp.exp(z)), sp.sqrt(sp.Abs(z)), sp.re(z), sp.atan(z)], ids=str
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
    assert geometry.volume_element(from_expression(sp.Integer(3), name="flat3"))(2, 0.5, 1, 0.3) == 0


@pytest.mark.parametrize("value", ["erf", [1.0], {}, z**2], ids=repr)
@pytest.mark.parametrize(
    "quantity",
    [
        getattr(package, name)
        for package in (gaussian, geometry)
        for name in package.__all__
        if "act" in getattr(inspect.unwrap(getattr(package, name)), "__annotations__", ())
    ],
    ids=lambda function: function.__qualname__,
)
def test_something_else_is_refused_by_every_function_of_an_activation(quantity, value):
    """A list has no hash, so that it cannot be looked up among the results that are kept."""
    others = [2 if name == "depth" else [1.0] for name in list(inspect.signature(quantity).parameters)[1:]]
    message = f"^act must be an Activation of theory.activations, got {type(value).__name__}$"
    with pytest.raises(TypeError, match=message):
        quantity(value, *others)
