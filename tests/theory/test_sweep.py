"""Tests of every closed form of the catalogue: steps hold, backends agree, digits are correct, torch differentiates."""

from __future__ import annotations

import importlib.util

import mpmath
import numpy as np
import pytest
import sympy as sp

import theory
from tests.theory.forms import LONG, MEMBERS, NAMES, forms
from theory.core import Verdict

# Double precision, and formulas may amplify rounding by their condition number; a wrong formula is off by far more.
DOUBLE = 1e-9
POINTS = 8
POINTS_OF_AN_INTEGRAL = 2  # each takes seconds in high precision
# Steps that take 1 to 16 seconds, which the pages of the continuous integration prove, too.
LONG_PROOFS = {
    *LONG,
    "finite_width.critical_shift",
    "finite_width.critical_spread",
    "finite_width.critical_tangent_shift",
    "finite_width.critical_tangent_spread",
    "finite_width.pair_covariance_xy_xy.relu_1",
    "finite_width.rectifier_tangent_spread",
    "geometry.nngp_kernel.gelu",
    "geometry.scalar_curvature.gelu",
    "geometry.ntk_volume_element.gelu",
    "geometry.ntk_volume_element.sin",
    "two_point.dh2",
    "two_point.dy2",
    "two_point.escape_time",
    "two_point.rotating_dh2",
    "two_point.rotating_dy",
    "two_point.rotating_final_distance",
    "two_point.w",
}


def test_the_catalogue_is_not_empty() -> None:
    if importlib.util.find_spec("theory.two_point") is None:
        pytest.skip("no subject has been written yet")
    assert any(name.startswith("two_point.") for name in NAMES)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", forms(LONG_PROOFS))
def test_every_step_holds(name: str) -> None:
    verdicts = theory.catalogue()[name].check()
    assert {claim: v for claim, v in verdicts.items() if v is not Verdict.HOLDS} == {}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", forms())
def test_numpy_agrees_with_mpmath(name: str) -> None:
    form = theory.catalogue()[name]
    count = POINTS_OF_AN_INTEGRAL if form.expression.has(sp.Integral) else POINTS
    points = form.sample(count, seed=1)
    values = form(**points)
    assert values.shape == ((count,) if form.arguments else ())
    values = np.broadcast_to(values, count)
    assert values.dtype == np.float64
    for index, value in enumerate(values):
        exact = form.evaluate(digits=20, **{key: column[index] for key, column in points.items()})
        assert abs(value - exact) <= DOUBLE * abs(exact), (name, index)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", forms())
def test_digits_of_evaluate_are_right(name: str) -> None:
    form = theory.catalogue()[name]
    count, shown = (1, 20) if form.expression.has(sp.Integral) else (3, 30)
    for point in zip(*form.sample(count, seed=2).values(), strict=True):
        few, many = (
            form.evaluate(*map(repr, map(float, point)), digits=digits)
            for digits in (shown, 2 * shown)
        )
        assert str(few) == mpmath.libmp.to_str(many._mpf_, shown)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", forms(MEMBERS))
def test_torch_agrees_and_differentiates(name: str) -> None:
    torch = pytest.importorskip("torch")
    form = theory.catalogue()[name]
    try:
        function = form.function("torch")
    except NotImplementedError as lacking:
        pytest.skip(str(lacking))
    points = form.sample(POINTS, seed=3)
    tensors = {key: torch.tensor(column) for key, column in points.items()}
    np.testing.assert_allclose(function(**tensors).numpy(), form(**points), rtol=DOUBLE)
    whole = {a.name for a in form.arguments if a.symbol.is_integer}
    few = [column[:2].clone().requires_grad_(key not in whole) for key, column in tensors.items()]
    if any(column.requires_grad for column in few):
        assert torch.autograd.gradcheck(form.function("torch", validate=False), few)
