"""Tests of Gaussian expectations by rules against quadrature that uses no rule."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import sympy as sp

from tests.marks import slow
from tests.oracles.gaussian_expectations import FUNCTIONS, pair_mean
from tests.theory.closed_activations import CLOSED
from theory import activations, gaussian
from theory.activations import from_expression, z
from theory.core import Step, Verdict
from theory.gaussian.atoms import derivative
from theory.gaussian.decomposition import atoms_of
from theory.gaussian.rules import mean
from theory.gaussian.symbols import variance

WAVE_PACKET = from_expression(sp.exp(-(z**2)) * sp.sin(z), "wave_packet")
# its fifty terms take seconds each time
SOME = [*CLOSED, *slow(WAVE_PACKET)]
# The promise of integrals; the oracle is good for 1e-13.
QUADRATURE = 1e-10
POINT = (0.9, 1.3, 0.4)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("act", SOME, ids=lambda act: act.name)
def test_kernels_against_quadrature(act):
    form = gaussian.kernel(act)
    assert not form.expression.has(sp.Integral)
    exact = pair_mean(FUNCTIONS[act.name], FUNCTIONS[act.name], *POINT)
    assert form(*POINT) == pytest.approx(exact, rel=QUADRATURE)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("act", SOME, ids=lambda act: act.name)
def test_slope_kernels_are_derivatives_of_kernels(act):
    """Price's theorem, by finite differences of the kernel: an error of step^2 = 1e-24 in 50 digits."""
    form, slopes = gaussian.kernel(act), gaussian.slope_kernel(act)
    step = sp.Rational(1, 10**12)
    x, y, c = (sp.Rational(str(value)) for value in POINT)
    above, below = (form.evaluate(x, y, c + sign * step, digits=50) for sign in (1, -1))
    with mpmath.workdps(50):
        difference = (above - below) * mpmath.mpf(10) ** 12 / 2
        assert abs(difference - slopes.evaluate(x, y, c, digits=40)) < mpmath.mpf(10) ** -20 * max(
            1, abs(difference)
        )


@pytest.mark.parametrize(
    "act",
    [pytest.param(a, marks=[pytest.mark.slow] * (a.name in ("gelu", "cos"))) for a in CLOSED]
    + SOME[-1:],
    ids=lambda act: act.name,
)
def test_every_step_of_the_squared_slope_holds(act):
    verdicts = gaussian.squared_slope(act).check()
    assert {claim: v for claim, v in verdicts.items() if v is not Verdict.HOLDS} == {}


@pytest.mark.parametrize(
    "act",
    [activations.RELU, activations.ERF, activations.relu_power(2), SOME[-1]],
    ids=lambda a: a.name,
)
def test_every_step_of_the_kernel_holds(act):
    verdicts = gaussian.kernel(act).check()
    assert {claim: v for claim, v in verdicts.items() if v is not Verdict.HOLDS} == {}


def test_products_with_waves_keep_their_digits_at_large_variances():
    form = gaussian.kernel(WAVE_PACKET)
    for point in ((400, 300, 100), (10_000, 10_000, 9999), (1, 10**6, -30)):
        exact = form.evaluate(*point, digits=25)
        assert abs(form(*map(float, point)) - exact) <= 1e-10 * abs(exact)


def test_a_wrong_kernel_is_refuted():
    form = gaussian.kernel(activations.RELU)
    wrong = {form.expression: form.expression + sp.Symbol("covariance", real=True) / 100}
    last = form.steps[-1]
    sides = (side.xreplace(wrong) for side in (last.left, last.right))
    assert Step("wrong", *sides).check() is Verdict.FAILS


def test_the_arcsine_law_and_the_arc_cosine_kernel():
    x, y, c = POINT
    rho = c / np.sqrt(x * y)
    theta = np.arccos(rho)
    assert gaussian.kernel(activations.ERF)(x, y, c) == pytest.approx(
        2 / np.pi * np.arcsin(c / np.sqrt((1 + x) * (1 + y))), rel=1e-15
    )
    cho_saul = np.sqrt(x * y) / (2 * np.pi) * (np.sin(theta) + (np.pi - theta) * np.cos(theta))
    assert gaussian.kernel(activations.RELU)(x, y, c) == pytest.approx(cho_saul, rel=1e-14)


def test_bilinearity():
    both = gaussian.kernel(activations.ERF + 3 * activations.RELU)(*POINT)
    swapped = (POINT[1], POINT[0], POINT[2])
    cross = 0.0
    for point in (POINT, swapped):
        cross += pair_mean(FUNCTIONS["erf"], FUNCTIONS["relu"], *point)
    alone = gaussian.kernel(activations.ERF)(*POINT) + 9 * gaussian.kernel(activations.RELU)(
        *POINT
    )
    assert both == pytest.approx(alone + 3 * cross, rel=QUADRATURE)


def test_identical_inputs_are_on_the_boundary_and_allowed():
    v = np.array([0.3, 0.7, 1.1, 1e-3])
    for act in (activations.RELU, activations.relu_power(3), activations.GELU):
        diagonal = gaussian.kernel(act)(v, v, v)
        assert np.isfinite(diagonal).all()
    np.testing.assert_allclose(gaussian.kernel(activations.RELU)(v, v, v), v / 2, rtol=1e-14)
    np.testing.assert_allclose(gaussian.kernel(activations.RELU)(v, v, -v), 0, atol=1e-16)
    # a covariance that rounding puts a hair above the variances
    assert gaussian.kernel(activations.RELU)(0.3, 0.3, 0.3 * (1 + 2e-16)) == pytest.approx(
        0.15, rel=1e-14
    )


@pytest.mark.parametrize("name", ["tanh", "softplus"])
def test_double_integrals(name):
    act = {"tanh": activations.TANH, "softplus": activations.SOFTPLUS}[name]
    form = gaussian.kernel(act)
    assert form.expression.has(sp.Integral)
    exact = pair_mean(FUNCTIONS[name], FUNCTIONS[name], *POINT)
    assert form(*POINT) == pytest.approx(exact, rel=QUADRATURE)


def test_double_integrals_with_kinks():
    act = from_expression(sp.Max(0, z) + sp.tanh(z), name="kinked")
    exact = 0.0
    for one in ("relu", "tanh"):
        for other in ("relu", "tanh"):
            exact += pair_mean(FUNCTIONS[one], FUNCTIONS[other], *POINT)
    assert gaussian.kernel(act)(*POINT) == pytest.approx(exact, rel=QUADRATURE)


def test_means_against_quadrature():
    for act in (activations.GELU, activations.relu_power(3), activations.EXP, activations.COS):
        rule = mean(atoms_of(act.expression), variance).subs(variance, sp.Rational(7, 10))
        assert float(rule) == pytest.approx(
            pair_mean(FUNCTIONS[act.name], np.ones_like, 0.7, 1.0, 0.0), rel=1e-12
        )


def test_atoms_know_their_derivatives():
    for act in (activations.GELU, activations.SIN, activations.GAUSSIAN, activations.hermite(4)):
        found = sum(atom.expression for atom in derivative(atoms_of(act.expression)))
        assert sp.simplify((found - act.derivative(1)).rewrite(sp.exp)) == 0


def test_what_is_no_sum_of_atoms_is_an_integral():
    for expression in (sp.tanh(z), sp.Max(0, z - 1), sp.erf(z) ** 2, sp.log(1 + z**2)):
        assert atoms_of(expression) is None


def test_a_jump_has_no_squared_slope():
    step = from_expression(sp.sign(z), name="step")
    with pytest.raises(ValueError, match="jumps"):
        gaussian.squared_slope(step)
    with pytest.raises(TypeError, match="act"):
        gaussian.kernel(3)
    with pytest.raises(ValueError, match="reloo"):
        gaussian.kernel("reloo")
