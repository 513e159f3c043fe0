"""Closed forms of random networks of finite width against sums, loops and other derivations that share no code."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp
from scipy import integrate, stats

import theory
from tests.marks import slow
from theory.activations.naming import activation
from theory.core import Verdict
from theory.engine import Act, Dense, Recursion, tangent

CATALOGUE = theory.catalogue()
QUADRATURE = 1e-8  # relative; that of scipy
ROUNDING = 1e-12  # of thousands of layers


def gaussian_mean(function, variance):
    """E[f(z)] by quadrature on both sides of zero."""
    scale = math.sqrt(variance)
    halves = (
        integrate.quad(lambda u: function(scale * u) * stats.norm.pdf(u), *ends, epsrel=1e-11)[0]
        for ends in ((-12, 0), (0, 12))
    )
    return sum(halves)


def first_order_by_loop(act, depth, n, r, C, C_b):
    """Kernel, variance and shift by quadrature and finite differences, layer by layer."""
    kernel, variance, shift = C * r + C_b, 0.0, 0.0
    for _ in range(depth):
        step = 1e-3 * kernel

        def second(value):
            return gaussian_mean(lambda z: act(z) ** 2, value)

        low, here, high = second(kernel - step), second(kernel), second(kernel + step)
        slope, bend = (high - low) / (2 * step), (high - 2 * here + low) / step**2
        noise = gaussian_mean(lambda z: act(z) ** 4, kernel) - here**2
        shift = C * slope * shift + C * bend * variance / 2
        variance = C**2 * noise / n + (C * slope) ** 2 * variance
        kernel = C * here + C_b
    return kernel, variance, shift


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "depth"),
    [
        ("erf", 2),
        ("relu", 3),
        *slow(("sin", 3), ("tanh", 2), ("gelu", 2)),
    ],
)
def test_the_first_order_is_that_of_a_loop_with_quadrature(name, depth):
    point = {"n": 50, "r": 0.8, "C": 1.4, "C_b": 0.3}
    kernel, variance, shift = first_order_by_loop(
        activation("act", name).function(), depth, **point
    )
    expected = {
        "kernel_variance": variance,
        "kernel_spread": variance / kernel**2,
        "excess_kurtosis": 3 * variance / kernel**2,
        "kernel_shift": shift,
    }
    for family, value in expected.items():
        form = CATALOGUE[f"finite_width.{family}.{name}_{depth}"]
        values = {argument.name: point[argument.name] for argument in form.arguments}
        # finite differences of the second order
        assert form(**values) == pytest.approx(value, rel=1e-5, abs=1e-9)


@pytest.mark.parametrize("name", ["erf_2", "tanh_2", *slow("sin_6")])
def test_steps_of_members_that_are_not_listed_hold(name):
    for family in ("kernel_spread", "kernel_shift"):
        assert set(CATALOGUE[f"finite_width.{family}.{name}"].check().values()) == {Verdict.HOLDS}


def test_deep_formulas_are_made_at_once_and_have_the_exact_boundary_of_rectifiers():
    form = CATALOGUE["finite_width.kernel_spread.relu_6"]
    assert form(n=50, r=1.0, C=2.0, C_b=0.0) == pytest.approx(5 * 6 / 50, rel=1e-12)


@pytest.mark.parametrize(
    ("a", "b", "excess"), [(1, 0, 5), (1, 1, 2), (1, -1, 2), (1, 0.1, 6 * 1.0001 / 1.01**2 - 1)]
)
def test_rectifiers_by_sums_over_moments(a, b, excess):
    widths = (7, 20, 300)
    second, fourth = (a**2 + b**2) / 2, 3 * (a**4 + b**4) / 2
    squared = math.prod((n * fourth + n * (n - 1) * second**2) / (n * second) ** 2 for n in widths)
    assert squared == pytest.approx(math.prod(1 + excess / n for n in widths))
    spread = CATALOGUE["finite_width.spread_of_widths.layers_3"](*widths, a, b)
    assert spread == pytest.approx(squared - 1, rel=1e-13)
    assert CATALOGUE["finite_width.kurtosis_of_widths.layers_3"](*widths, a, b) == pytest.approx(
        3 * squared
    )
    equal = (1 + excess / 20) ** 3
    assert CATALOGUE["finite_width.rectifier_spread"](20, 3, a, b) == pytest.approx(
        equal - 1, rel=1e-13
    )
    assert CATALOGUE["finite_width.rectifier_kurtosis"](20, 3, a, b) == pytest.approx(3 * equal)


def test_a_wide_network_of_rectifiers_keeps_its_digits_and_one_without_slopes_is_refused():
    form = CATALOGUE["finite_width.rectifier_spread"]
    assert form(n=10**12, L=3, a=1, b=0) == pytest.approx(15e-12, rel=1e-11)
    with pytest.raises(ValueError, match="not both 0"):
        form(n=10, L=3, a=0, b=0)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "name",
    ["sin", "relu", *slow("erf", "gelu")],
)
def test_the_tangent_kernel_of_one_layer(name):
    """The mean is that of infinite width by the engine; the variance is that of a sum of independent terms."""
    act = activation("act", name)
    C, C_b, r, n = 1.3, 0.2, 0.9, 40
    layer = Dense(sp.Rational(13, 10), sp.Rational(1, 5))
    wide = tangent(layer >> Act(name) >> layer)(xx=r, yy=r, xy=r)
    mean = theory.finite_width.tangent_mean(name)
    assert mean(r=r, C=C, C_b=C_b) == pytest.approx(float(wide), rel=1e-12)
    kernel, phi, slope = C * r + C_b, act.function(), act.function(1)

    def moment(power):
        # readout weights have the moments 1, 1 and 3
        def squared(z):
            h, q = phi(z) ** 2, kernel * slope(z) ** 2
            return h**2 + 2 * h * q + 3 * q**2

        terms = {1: lambda z: phi(z) ** 2 + kernel * slope(z) ** 2, 2: squared}
        return gaussian_mean(terms[power], kernel)

    variance = theory.finite_width.tangent_variance(name)
    expected = C**2 * (moment(2) - moment(1) ** 2) / n
    assert variance(n=n, r=r, C=C, C_b=C_b) == pytest.approx(expected, rel=QUADRATURE)
    assert set(variance.check().values()) == {Verdict.HOLDS}


def test_the_tangent_kernel_of_relu_varies_as_three_squares_of_the_kernel():
    form = theory.finite_width.tangent_variance("relu")
    n, r, C, C_b = (argument.symbol for argument in form.arguments)
    assert form.expression == 3 * C**2 * (C * r + C_b) ** 2 / n


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "name",
    ["erf", "relu", *slow("tanh", "sin")],
)
def test_the_tangent_kernel_of_one_layer_to_first_order_is_the_exact_one(name):
    point = {"n": 40, "r": 0.9, "C": 1.3, "C_b": 0.2}
    spread, shift, mean, variance = (
        CATALOGUE[f"finite_width.{family}"]
        for family in (
            f"tangent_spread.{name}_1",
            f"tangent_shift.{name}_1",
            f"tangent_mean.{name}",
            f"tangent_variance.{name}",
        )
    )
    at = [{a.name: point[a.name] for a in form.arguments} for form in (spread, mean, variance)]
    exact = variance(**at[2]) / mean(**at[1]) ** 2
    assert spread(**at[0]) == pytest.approx(float(exact), rel=1e-9)
    assert shift.expression == 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "b", "depth"),
    [
        ("relu", 0.0, 1),
        ("linear", 1.0, 1),
        ("relu", 0.0, 2),
        ("leaky_relu", 0.01, 2),
        *slow(("linear", 1.0, 2), ("leaky_relu", 0.01, 3)),
    ],
)
def test_the_tangent_kernel_of_a_deep_network_of_rectifiers(name, b, depth):
    formula = CATALOGUE["finite_width.rectifier_tangent_spread"](n=40, L=depth, a=1, b=b)
    form = CATALOGUE[f"finite_width.tangent_spread.{name}_{depth}"]
    point = {"n": 40, "r": 0.7, "C": 2 / (1 + b**2), "C_b": 0.0}
    rule = form(**{argument.name: point[argument.name] for argument in form.arguments})
    assert rule == pytest.approx(formula, rel=1e-12)
    if name == "relu":
        assert formula == pytest.approx((11 * depth + 7) * depth / (3 * (depth + 1) * 40))


@pytest.mark.parametrize("name", ["sin", *slow("erf")])
def test_deep_tangent_kernels_of_random_networks(name):
    """Networks with all weights, to first order: the rest is a few per cent of the spread at width 60."""
    C, C_b, width, depth, count = 1.5, 0.2, 60, 2, 1500
    act, values = activation("act", name), {"n": width, "r": 1.0, "C": C, "C_b": C_b}
    phi, slope = act.function(), act.function(1)
    rng = np.random.default_rng(3)
    first = rng.normal(size=(count, width)) * math.sqrt(C + C_b)
    matrix = rng.normal(size=(count, width, width)) * math.sqrt(C / width)
    second = np.einsum("nij,nj->ni", matrix, phi(first)) + math.sqrt(C_b) * rng.normal(
        size=(count, width)
    )
    readout = rng.normal(size=(count, width)) * math.sqrt(C / width)

    def kernel(features):
        return C * np.mean(features**2, axis=1) + C_b

    above = readout * slope(second)
    below = np.einsum("ni,nij->nj", above, matrix) * slope(first)
    theta = (
        kernel(phi(second))
        + kernel(phi(first)) * (above**2).sum(1)
        + (C + C_b) * (below**2).sum(1)
    )
    forms = {
        family: CATALOGUE[f"finite_width.{family}.{name}_{depth}"](**values)
        for family in ("tangent_spread", "tangent_shift")
    }
    layer = Dense(C, C_b)
    wide = float(tangent(layer >> Act(name) >> layer >> Act(name) >> layer)(xx=1, yy=1, xy=1))
    assert theta.var() / theta.mean() ** 2 == pytest.approx(forms["tangent_spread"], rel=0.1)
    error = theta.std() / math.sqrt(count)
    assert abs(theta.mean() - wide - forms["tangent_shift"]) < 4 * error


def test_a_kernel_at_rest_is_the_engine_s_recursion_at_any_depth():
    v, n, s, chi = sp.symbols("v n s chi", positive=True)
    loop = Recursion({v: s / n + chi**2 * v}, {v: 0})
    form = CATALOGUE["finite_width.resting_variance"]
    for slope in (sp.Rational(1, 2), sp.S.One, sp.Rational(6, 5)):
        exact = loop.at(7)[v].written_out.subs({n: 30, s: 5, chi: slope})
        assert form(n=30, L=7, chi=float(slope), s=5) == pytest.approx(float(exact), rel=1e-13)
    # ReLU at C = 2 rests at every kernel, with s = 5 K^2 and chi = 1
    relu = CATALOGUE["finite_width.kernel_variance.relu_3"](n=30, r=0.5, C=2.0, C_b=0.0)
    assert form(n=30, L=3, chi=1.0, s=5.0) == pytest.approx(float(relu), rel=1e-13)


def sine_means(kernel):
    """Means of sin^2, sin^4, sin^2 cos^2, cos^2, cos^4, and first two derivatives of the first and the fourth."""
    two, eight, e = -math.expm1(-2 * kernel), -math.expm1(-8 * kernel), math.exp(-2 * kernel)
    fourth = two / 2 - eight / 8
    return (
        (two / 2, fourth, eight / 8, 1 - two / 2, 1 - two / 2 - eight / 8),
        (e, -e),
        (-2 * e, 2 * e),
    )


NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(80)


def tanh_means(kernel):
    """Those of tanh by Gauss and Hermite, with derivatives by the heat equation and by differences."""

    def of(value):
        t = np.tanh(math.sqrt(value) * NODES)
        slope = 1 - t**2
        mean = [WEIGHTS @ f for f in (t**2, t**4, (t * slope) ** 2, slope**2, slope**4)]
        bent = 2 * slope**2 - 4 * t**2 * slope  # second derivative of tanh^2
        rest = 2 * (2 * t * slope) ** 2 - 4 * slope**3 + 8 * t**2 * slope**2  # of slope^2
        return np.array([*mean, WEIGHTS @ bent / 2, WEIGHTS @ rest / 2]) / WEIGHTS.sum()

    step = 1e-3 * kernel
    here, bends = of(kernel), (of(kernel + step) - of(kernel - step)) / (2 * step)
    return tuple(here[:5]), tuple(here[5:]), tuple(bends[5:])


def far_down(means, depth):
    """Relative spreads and shifts of kernel and tangent kernel times n/L, by a loop over layers with n = C = 1."""
    K = theta = 1.0
    nu = g = d = t = b = f = h = 0.0
    for _ in range(depth):
        (m2, m4, sd, q2, q4), (slope, q2_slope), (bend, q2_bend) = means(K)
        own, mixed, rest = m4 - m2**2, sd - m2 * q2, q4 - q2**2
        along = slope + q2_slope * theta
        shift = along * g + q2 * h + (bend + q2_bend * theta) * nu / 2 + q2_slope * (d + 2 * f)
        within = own + 2 * theta * mixed + theta**2 * rest
        t, d, h = (
            within + along**2 * nu + 2 * along * q2 * d + q2**2 * t,
            own + theta * mixed + slope * (along * nu + q2 * d),
            shift,
        )
        b, f = q4 * theta**2 + q2**2 * b, sd * theta + slope**2 * f
        nu, g = own + slope**2 * nu, slope * g + bend * nu / 2
        K, theta = m2, m2 + q2 * theta
    ratios = (nu / K**2, g / K, (t + 2 * b) / theta**2, h / theta)
    return K * depth, theta, *(ratio / depth for ratio in ratios)


@pytest.mark.parametrize(
    ("means", "alpha", "depth"), [(sine_means, 1, 20_000), (tanh_means, 2, 4000)]
)
def test_kernel_and_tangent_kernel_approach_their_laws_in_depth_at_the_critical_point(
    means, alpha, depth
):
    names = (
        "critical_spread",
        "critical_shift",
        "critical_tangent_spread",
        "critical_tangent_shift",
    )
    laws = [float(CATALOGUE[f"finite_width.{name}"](n=1, L=depth)) / depth for name in names]
    values, closer = (far_down(means, length) for length in (depth // 4, depth))
    for value, near, law in zip(values, closer, (1 / alpha, 1 / alpha, *laws), strict=True):
        # what is left out falls as log L/L, so that an error of the law itself would stay
        assert abs(near - law) <= abs(value - law) / 2 + ROUNDING
        assert near == pytest.approx(law, rel=0.01)


@pytest.mark.sampled(8)  # each takes half a second
@pytest.mark.parametrize("letter", range(8))
def test_a_wrong_law_at_the_critical_point_is_found(letter, monkeypatch):
    """A value that is off by a tenth, or a share of the largest size where it vanishes, makes its step fail."""
    from theory.finite_width import critical  # whose steps take a second to build

    steps = {}
    for number, (name, symbol) in enumerate(critical.NAMES.items()):
        if number == letter:
            there = critical.FAR_DOWN[symbol]
            wrong = there.value * sp.Rational(11, 10) or critical.L**there.power / critical.n
            monkeypatch.setitem(critical.FAR_DOWN, symbol, there._replace(value=wrong))
            assert critical._stays(name, symbol, steps).check() is Verdict.FAILS
            return
        steps[symbol] = critical.STAYS[symbol]


def test_the_members_of_the_families_have_the_arguments_of_the_subject():
    form = CATALOGUE["finite_width.kernel_spread.sin_3"]
    assert [argument.name for argument in form.arguments] == ["n", "r", "C", "C_b"]
    assert "above 3 layers of sin" in form.meaning
    with pytest.raises(ValueError, match="depth"):
        CATALOGUE["finite_width.kernel_spread"](activation="sin", depth=0)
    assert np.shape(form(n=[10, 20], r=1.0, C=1.0, C_b=0.1)) == (2,)
