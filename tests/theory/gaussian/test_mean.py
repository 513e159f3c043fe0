"""Gaussian means as expressions: what their derivatives and their values are, and which letters they bind."""

import numpy as np
import pytest
import sympy as sp

from theory.core import Argument, ClosedForm, Status, Step, Verdict
from theory.gaussian.mean import Mean

x, y = sp.symbols("x y", real=True)
K, V = sp.symbols("K V", positive=True)
c = sp.Symbol("c", real=True)
f, g = (sp.Function(name, real=True) for name in "fg")
PAIR = [[K, c], [c, V]]


def form(expression):
    return ClosedForm(
        "own.mean", "A mean.", (Argument(K, "a variance"),), expression, Status.CONJECTURED
    )


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Mean(sp.sin(x) ** 4, x, K), sp.Rational(3, 8) - sp.exp(-2 * K) / 2 + sp.exp(-8 * K) / 8),
        (Mean(x**2 * f(x), x, K), K * Mean(f(x), x, K) + K**2 * Mean(sp.Derivative(f(x), x, x), x, K)),
        (sp.Derivative(Mean(f(x), x, K), K), Mean(sp.Derivative(f(x), x, x), x, K) / 2),
        (sp.Derivative(Mean(f(x) * g(y), (x, y), PAIR), c),
         Mean(sp.Derivative(f(x), x) * sp.Derivative(g(y), y), (x, y), PAIR)),
        (Mean(x * f(y), (x, y), PAIR), c * Mean(sp.Derivative(f(y), y), y, V)),
        (Mean(x**2 * y**2, (x, y), PAIR), K * V + 2 * c**2),
        (Mean(f(x) * g(y), (x, y), PAIR), Mean(g(x) * f(y), (x, y), [[V, c], [c, K]])),
        (sp.Derivative(Mean(sp.tanh(x) ** 2, x, K), K), Mean(sp.diff(sp.tanh(x) ** 2, x, x), x, K) / 2),
        (Mean(Mean(x**2 * y**2 + x * sp.cos(y), y, K) * x**2, x, V), 3 * K * V**2),
    ],
)  # fmt: skip
def test_an_identity_holds_and_twice_its_side_fails(left, right):
    assert Step("identity", left, right).check(fresh=True) is Verdict.HOLDS
    assert Step("twice", left, 2 * right).check(fresh=True) is Verdict.FAILS


def test_means_within_means_have_letters_of_their_own():
    nested = Mean(Mean(f(x + 2 * y), y, K), x, V).doit()
    inner = nested.function
    assert isinstance(inner, Mean)
    assert not set(inner.letters) & set(nested.letters)
    assert nested.free_symbols == {K, V}
    # the two letters are not one: x + 2 y has the variance V + 4 K
    cubic = Mean(Mean((x + 2 * y) ** 4, y, K), x, V).doit()
    assert sp.expand(cubic - 3 * (V + 4 * K) ** 2) == 0


@pytest.mark.parametrize(
    "function", [sp.Abs(x), sp.Max(0, x) ** 2, sp.Heaviside(x) * x, sp.Max(0, x) * sp.tanh(x), sp.Abs(x - 1)]
)  # fmt: skip
def test_derivatives_across_kinks_are_those_of_the_values(function):
    mean, step = form(Mean(function, x, K)), 1e-4
    slope = form(sp.diff(Mean(function, x, K), K))
    assert slope(1.3) == pytest.approx(
        (mean(1.3 + step) - mean(1.3 - step)) / (2 * step), rel=1e-6
    )


def test_a_mean_without_closed_form_is_an_integral_everywhere():
    mean = form(Mean(sp.tanh(x) ** 2, x, K))
    drawn = np.tanh(np.random.default_rng(0).normal(size=10**6)) ** 2
    value = mean(1.0)
    assert value == pytest.approx(drawn.mean(), abs=5 * drawn.std() / 1e3)
    assert float(mean.function("torch")(1.0)) == pytest.approx(value, rel=1e-9)
    assert float(mean.evaluate(1, digits=20)) == pytest.approx(value, rel=1e-10)
    assert sp.lambdify(K, mean.expression)(1.0) == pytest.approx(value, rel=1e-8)


@pytest.mark.parametrize(
    ("letters", "covariance", "words"),
    [
        ((x, y), [[1, 2], [2, 1]], "negative variance"),
        (x, -1, "negative variance"),
        ((x, y), [[1, 2], [0, 1]], "symmetric"),
        (x, x**2, "without the letters"),
        ((x, y), 1, "shape"),
    ],
)
def test_a_covariance_that_is_none_is_refused(letters, covariance, words):
    with pytest.raises(ValueError, match=words):
        Mean(x**2, letters, covariance)
