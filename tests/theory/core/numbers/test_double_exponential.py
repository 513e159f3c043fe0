"""Tests of integrals in numpy and torch: any scale, integrands that diverge at an end, and integrals that fail."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from tests.theory.core.demonstrations import A, a, transcribed, z
from theory.core import Argument

PROMISE = 1e-10
SCALES = np.logspace(-12, 12, 25)
SHORTER = np.logspace(-3, 4, 15)
u = sp.Symbol("u", positive=True)
INTEGRALS = {
    "a Gaussian": (sp.exp(-a * z**2), (z, -sp.oo, sp.oo), SCALES, lambda v: np.sqrt(np.pi / v)),
    "a slow tail": (1 / (1 + a * z**2), (z, -sp.oo, sp.oo), SCALES, lambda v: np.pi / np.sqrt(v)),
    "an exponential": (sp.exp(-a * u), (u, 0, sp.oo), SCALES, lambda v: 1 / v),
    "an exponential from the right": (sp.exp(a * z), (z, -sp.oo, 0), SCALES, lambda v: 1 / v),
    "a finite range": (sp.exp(-a * u), (u, 0, 1), SHORTER, lambda v: -np.expm1(-v) / v),
    "a pole at an end": (u ** (a - 1), (u, 0, 1), np.array([0.2, 0.5, 3, 1e4]), lambda v: 1 / v),
    "two scales": (
        sp.exp(-(z**2)) + sp.exp(-((a * z) ** 2)),
        (z, -sp.oo, sp.oo),
        np.array([1e-3, 1, 1e3]),
        lambda v: np.sqrt(np.pi) * (1 + 1 / v),
    ),
    "far from the origin": (
        sp.exp(-((z - a) ** 2)),
        (z, -sp.oo, sp.oo),
        np.array([0, 30, 300]) + 0.1,
        lambda v: np.sqrt(np.pi) + 0 * v,
    ),
}


@pytest.mark.parametrize("name", INTEGRALS)
def test_integrals_reach_the_promise_at_any_scale(name, torch):
    integrand, limits, points, exact = INTEGRALS[name]
    form = transcribed(sp.Integral(integrand, limits), A)
    np.testing.assert_allclose(form(points), exact(points), rtol=PROMISE)
    np.testing.assert_allclose(
        form.function("torch")(torch.tensor(points)).numpy(), exact(points), rtol=PROMISE
    )


def test_torch_differentiates_an_integral_whose_integrand_overflows_far_out(torch):
    form = transcribed(
        sp.Integral(
            sp.exp(-(z**2) / 2) * sp.log(1 + sp.exp(a * z)) * sp.sech(a * z), (z, -sp.oo, sp.oo)
        ),
        A,
    )
    assert torch.autograd.gradcheck(
        form.function("torch", validate=False), torch.tensor([0.3, 2.0, 20.0], requires_grad=True)
    )


@pytest.mark.parametrize("backend", ["numpy", "torch", "mpmath"])
@pytest.mark.parametrize("integrand", [sp.exp(-(z**2)) / z, sp.exp(-(z**2)) + z / (1 + z**2)])
def test_halves_that_are_infinite_do_not_cancel(integrand, backend, torch):
    """E[1/z] has no value, and its principal value of 0 is none; nor has the mean of a Cauchy variable."""
    form = transcribed(a * sp.Integral(integrand, (z, -sp.oo, sp.oo)), A)
    with pytest.raises(ArithmeticError, match="an integral diverges"):
        form.function(backend)(1.0)


def test_an_odd_integrand_integrates_to_zero(torch):
    form = transcribed(sp.Integral(sp.sin(a * z) * sp.exp(-(z**2)), (z, -sp.oo, sp.oo)), A)
    assert form(0.7) == 0
    assert form.function("torch")(0.7) == 0


def test_a_parameter_in_the_limits(torch):
    form = transcribed(sp.Integral(z**2, (z, -a, 2 * a)), A)
    points = torch.tensor([0.5, 2.0], requires_grad=True)
    found = form.function("torch")(points)
    assert found.tolist() == pytest.approx([3 * 0.5**3, 3 * 2.0**3], rel=1e-14)
    found.sum().backward()
    assert points.grad.tolist() == pytest.approx([9 * 0.5**2, 9 * 2.0**2], rel=1e-13)


def test_without_parameters(torch):
    form = transcribed(sp.Integral(sp.exp(-(z**2)), (z, -sp.oo, sp.oo)))
    assert form() == pytest.approx(np.sqrt(np.pi), rel=1e-15)
    assert float(form.function("torch")()) == pytest.approx(np.sqrt(np.pi), rel=1e-15)


def test_more_points_than_are_worked_on_at_once():
    points = np.linspace(0.1, 3, 1000).reshape(20, 50)
    found = transcribed(sp.Integral(sp.exp(-a * z**2), (z, -sp.oo, sp.oo)), A)(points)
    np.testing.assert_allclose(found, np.sqrt(np.pi / points), rtol=1e-14)


@pytest.mark.parametrize(
    ("integrand", "limits", "value"),
    [
        (sp.sin(a / u) / u, (u, 0, 1), 1.0),  # oscillates without end
        (u ** (a - 1), (u, 0, 1), 0.05),  # more than the promise is within 1e-50 of the end
        ((1 + u) ** (-a), (u, 0, sp.oo), 1.1),  # and beyond 1e50
        (
            (z**2 - sp.Rational(1, 2)) * sp.exp(-(z**2)),
            (z, -sp.oo, sp.oo),
            1.0,
        ),  # it vanishes: no relative accuracy
    ],
)
def test_what_does_not_settle_is_refused(integrand, limits, value, torch):
    form = transcribed(sp.Integral(integrand, limits), Argument(a, "a"))
    for function in (form.function("numpy"), form.function("torch")):
        with pytest.raises(ArithmeticError, match="1e-10"):
            function(value)


@pytest.mark.parametrize(
    "integrand", [sp.sqrt(-1 - a**2 * z**2), sp.sqrt(-1 - a**2) * sp.exp(-(z**2))]
)
def test_an_integrand_without_real_values_has_no_integral(integrand, torch):
    """Nothing of it is finite, which does not make the integral 0."""
    form = transcribed(sp.Integral(integrand * sp.exp(-(z**2)), (z, -sp.oo, sp.oo)), A)
    with np.errstate(invalid="ignore"), pytest.raises(ArithmeticError):
        form(np.array([0.5, 1.0]))
    with pytest.raises(ArithmeticError):
        form.function("torch")(torch.tensor([0.5, 1.0]))
