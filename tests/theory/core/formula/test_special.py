"""Tests of the functions that the core adds to sympy."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import sympy as sp

from tests.theory.core.demonstrations import A, X, a, transcribed, x
from theory.core import Step, Verdict, besselk_scaled, normal_cdf, normal_pdf, phi1, quotient
from theory.core.formula.rounding import compensated
from theory.core.formula.special import correlation

ABSCISSAE = np.array(
    [-700, -50, -1, -0.5, -1e-3, -1e-9, -1e-300, 0, 1e-300, 1e-16, 1e-6, 0.3, 0.5, 2, 50, 700]
)


def reference(value):
    with mpmath.workdps(60):
        value = mpmath.mpf(float(value))
        return float(mpmath.expm1(value) / value) if value else 1.0


def test_phi1_is_accurate_everywhere(torch):
    form = transcribed(phi1(x), X)
    expected = [reference(value) for value in ABSCISSAE]
    np.testing.assert_allclose(form(ABSCISSAE), expected, rtol=4e-16)
    np.testing.assert_allclose(
        form.function("torch")(torch.tensor(ABSCISSAE)).numpy(), expected, rtol=1e-15
    )
    for value, wanted in zip(ABSCISSAE, expected, strict=True):
        assert float(form.function("mpmath")(value)) == pytest.approx(wanted, rel=1e-15)
        assert float(phi1(sp.Float(float(value), 15))) == pytest.approx(wanted, rel=1e-14)


def test_phi1_has_two_derivatives_in_torch(torch):
    points = torch.tensor(
        [-3.0, -0.51, -0.49, -1e-9, 0.0, 1e-9, 0.2, 0.6, 2.0], requires_grad=True
    )
    function = transcribed(phi1(x), X).function("torch")
    (slope,) = torch.autograd.grad(function(points).sum(), points, create_graph=True)
    (bend,) = torch.autograd.grad(slope.sum(), points)
    for point, first, second in zip(points.tolist(), slope.tolist(), bend.tolist(), strict=True):
        # phi1^(k)(x) = int_0^1 s^k exp(s x) ds
        moments = [
            float(mpmath.quad(lambda s, k=k, p=point: s**k * mpmath.exp(s * p), [0, 1]))
            for k in (1, 2)
        ]
        assert first == pytest.approx(moments[0], rel=1e-13)
        assert second == pytest.approx(moments[1], rel=1e-12)


def test_known_values():
    assert phi1(0) == 1
    assert phi1(sp.oo) is sp.oo
    assert phi1(-sp.oo) == 0
    assert phi1(x).is_positive
    assert quotient(0, 0) == 0
    assert quotient(x, a) == x / a
    assert quotient(sp.Integer(2), sp.Integer(4)) == sp.Rational(1, 2)


def test_quotient_is_zero_only_where_both_vanish(torch):
    b, c = sp.symbols("b c", nonnegative=True)
    from theory.core import Argument

    form = transcribed(quotient(b, c), Argument(b, "numerator"), Argument(c, "denominator"))
    assert form(np.array([0.0, 1.0, 0.0]), np.array([0.0, 2.0, 3.0])).tolist() == [0, 0.5, 0]
    with pytest.raises(ArithmeticError):
        form(1.0, 0.0)
    both = [
        torch.tensor([0.0, 1.0], requires_grad=True),
        torch.tensor([0.0, 2.0], requires_grad=True),
    ]
    form.function("torch")(*both).sum().backward()
    assert both[0].grad.tolist() == [0, 0.5]
    assert both[1].grad.tolist() == [0, -0.25]
    assert form.evaluate(0, 0) == 0


@pytest.mark.parametrize(
    "value", [phi1(x), quotient(x, sp.Symbol("y", real=True)), besselk_scaled(0, a)]
)
def test_derivatives_are_right(value):
    free = min(value.free_symbols, key=str)
    step = Step(
        "by the definition", sp.Derivative(value, free), sp.diff(value.rewrite(sp.exp), free)
    )
    assert step.check() is not Verdict.FAILS


def test_the_derivative_of_the_scaled_bessel_function():
    product = sp.exp(a) * sp.besselk(0, a)
    assert (
        Step("product rule", sp.Derivative(besselk_scaled(0, a), a), product.diff(a)).check()
        is Verdict.HOLDS
    )


def test_the_scaled_bessel_function_does_not_underflow():
    assert transcribed(besselk_scaled(0, a), A)(1e4) == pytest.approx(
        float(mpmath.sqrt(mpmath.pi / 2e4)), rel=1e-4
    )


def test_the_left_tail_of_the_normal_distribution_keeps_its_digits(torch):
    """Also where sympy would move the sign of the argument out, and at numbers that print with 4,000 zeros."""
    points = np.array([-37.0, -20.5, -8.3, -5.0, -1e-9, 0.0, 0.4, 9.0])
    with mpmath.workdps(40):
        wanted = [float(mpmath.ncdf(point)) for point in points]
        far = mpmath.nstr(mpmath.erfc(140 / mpmath.sqrt(2)) / 2, 20)
    for expression, given in (
        (normal_cdf(x), points),
        (normal_cdf(-x), -points),
        (normal_cdf(2 * x / 3), 1.5 * points),
    ):
        form = transcribed(expression, X)
        np.testing.assert_allclose(form(given), wanted, rtol=1e-12)
        np.testing.assert_allclose(
            form.function("torch")(torch.tensor(given)).numpy(), wanted, rtol=1e-12
        )
        np.testing.assert_allclose(
            [float(form.function("mpmath")(v)) for v in given], wanted, rtol=1e-12
        )
    assert str(transcribed(normal_cdf(x), X).evaluate(-140, digits=20)) == far
    assert float(normal_cdf(sp.Float(-20.5, 15))) == pytest.approx(wanted[1], rel=1e-13)
    assert (normal_cdf(0), normal_cdf(sp.oo), normal_cdf(-sp.oo)) == (sp.S.Half, 1, 0)
    assert normal_cdf(x).is_positive
    assert sp.latex(normal_cdf(x) ** 2) == r"\Phi^{2}\left(x\right)"
    assert Step("density", sp.Derivative(normal_cdf(x), x), normal_pdf(x)).check() is Verdict.HOLDS
    assert Step("symmetry", normal_cdf(x) + normal_cdf(-x), 1).check() is Verdict.HOLDS


def test_the_inverse_of_erfc_at_tiny_numbers(torch):
    points = np.array([1e-300, 1e-40, 1e-17, 1e-3, 0.5, 1.0, 1.5])
    form = transcribed(sp.erfcinv(a), A)
    wanted = [float(form.evaluate(float(point), digits=20)) for point in points]
    np.testing.assert_allclose(form(points), wanted, rtol=1e-13, atol=1e-16)
    np.testing.assert_allclose(
        form.function("torch")(torch.tensor(points)).numpy(), wanted, rtol=1e-13, atol=1e-16
    )
    np.testing.assert_allclose(
        [float(form.function("mpmath")(float(v))) for v in points], wanted, rtol=1e-13
    )


def test_latex():
    assert sp.latex(phi1(-2 * x)) == r"\varphi_1\left(- 2 x\right)"
    assert sp.latex(phi1(x) ** 2) == r"\varphi_1^{2}\left(x\right)"
    y = sp.Symbol("y", real=True)
    assert sp.latex(quotient(x, y)) == r"\frac{x}{y}"
    assert sp.latex(quotient(x, y) ** 2) == r"\left(\frac{x}{y}\right)^{2}"
    assert "K_{0}" in sp.latex(besselk_scaled(0, a))


def test_a_correlation_never_leaves_the_interval(torch):
    from theory.core import Argument, correlation

    c, v, w = sp.Symbol("c", real=True), *sp.symbols("v w", positive=True)
    form = transcribed(sp.asin(correlation(c, v, w)), *(Argument(s, s.name) for s in (c, v, w)))
    third = 0.1 * 3  # a rounding above 0.3
    assert third > 0.3
    assert form(third, 0.3, 0.3) == np.pi / 2
    assert form(-third, 0.3, 0.3) == -np.pi / 2
    assert float(form.function("torch")(*map(torch.tensor, (third, 0.3, 0.3)))) == pytest.approx(
        np.pi / 2
    )
    assert str(form.evaluate("0.3", "0.3", "0.3", digits=20)) == "1.5707963267948966192"
    assert correlation(-c, v, w) == -correlation(c, v, w)
    assert correlation(v, v, v) == 1
    assert correlation(c, v, w) == correlation(c, w, v)
    assert correlation(v, v, w) == sp.sqrt(v / w)
    assert sp.latex(correlation(c, v, w)) == sp.latex(c / sp.sqrt(v * w))
    slope = sp.diff(c / sp.sqrt(v * w), v)
    assert Step("slope", sp.Derivative(correlation(c, v, w), v), slope).check() is Verdict.HOLDS


LIMITS = [
    (phi1, (0.0,), 1.0),
    (phi1, (2.0,), (np.e**2 - 1) / 2),
    (quotient, (0.0, 0.0), 0.0),
    (quotient, (1.0, 4.0), 0.25),
    (correlation, (0.0, 0.0, 1.0), 0.0),
    (correlation, (1.0, 2.0, 8.0), 0.25),
    (lambda u, v: 3 * compensated(u - v) ** 2, (5.0, 3.0), 12.0),
]


@pytest.mark.parametrize(("function", "point", "expected"), LIMITS)
@pytest.mark.parametrize("module", ["numpy", "scipy", "math", "mpmath"])
@pytest.mark.filterwarnings("ignore:.*encountered in.*:RuntimeWarning")
def test_sympy_prints_them_with_their_limits(function, point, expected, module):
    """Those of JAX are in ``numbers/test_jax.py``, which imports it anyway."""
    letters = sp.symbols(f"u:{len(point)}")
    value = sp.lambdify(letters, function(*letters), module)(*map(np.float64, point))
    assert float(value) == pytest.approx(expected)


p, q, c = sp.symbols("p q c", positive=True)
r, s = sp.symbols("r s", nonnegative=True)
ORDINARY = {
    "phi1": (phi1(p), (sp.exp(p) - 1) / p),
    "quotient": (quotient(r, s), r / s),
    "correlation": (correlation(c, p, q), c / sp.sqrt(p * q)),
    "besselk_scaled": (besselk_scaled(2, p), sp.exp(p) * sp.besselk(2, p)),
    "normal_cdf": (normal_cdf(p), sp.erfc(-p / sp.sqrt(2)) / 2),
    "normal_pdf": (normal_pdf(p), sp.exp(-(p**2) / 2) / sp.sqrt(2 * sp.pi)),
}


@pytest.mark.parametrize("name", ORDINARY)
def test_value_and_derivatives_are_those_of_ordinary_functions(name):
    function, ordinary = ORDINARY[name]
    point = {p: sp.Rational(3, 2), q: sp.Rational(5, 7), c: sp.Rational(2, 3), r: 3, s: 5}
    pairs = [(function, ordinary)]
    pairs += [(function.diff(symbol), ordinary.diff(symbol)) for symbol in ordinary.free_symbols]
    for value, expected in pairs:
        assert abs(value.subs(point).evalf(30) - expected.subs(point).evalf(30)) < 1e-25
