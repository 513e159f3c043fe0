"""Steps between integrals against a Gaussian density, which are decided as Gaussian means."""

import pytest
import sympy as sp
from scipy.integrate import quad

from theory.core import Step, Verdict, normal_pdf
from theory.gaussian.densities import with_means
from theory.gaussian.mean import Mean

u, v = sp.symbols("u v", real=True)
K, t = sp.symbols("K t", positive=True)
m, sign = sp.symbols("m s", real=True)
x = sp.Symbol("x")
f = sp.Function("f", real=True)
DENSITY = sp.exp(-(u**2) / (2 * K)) / sp.sqrt(2 * sp.pi * K)
SHIFTED = sp.exp(-((u - m) ** 2) / (2 * K)) / sp.sqrt(2 * sp.pi * K)
PAIR = sp.exp(-(u**2 - u * v + v**2) * sp.Rational(2, 3)) / (sp.sqrt(3) * sp.pi)  # covariance 1/2


def over(function, *letters):
    return sp.Integral(function, *((letter, -sp.oo, sp.oo) for letter in letters or (u,)))


def slope(order):
    return sp.Derivative(f(u), (u, order))


TRUE = {
    "a power of a sine": (over(sp.sin(u) ** 4 * DENSITY), (3 - 4 * sp.exp(-2 * K) + sp.exp(-8 * K)) / 8),
    "the heat equation": (sp.Derivative(over(f(u) * DENSITY), K), over(slope(2) * DENSITY) / 2),
    "the heat equation twice": (sp.Derivative(over(f(u) * DENSITY), (K, 2)), over(slope(4) * DENSITY) / 4),
    "Stein": (over(u * f(u) * DENSITY), K * over(slope(1) * DENSITY)),
    "Stein twice": (over(u**2 * f(u) * DENSITY), K * over(f(u) * DENSITY) + K**2 * over(slope(2) * DENSITY)),
    "Stein, not normalised": (over(x * f(x) * sp.exp(-(x**2) / 2), x), over(f(x).diff(x) * sp.exp(-(x**2) / 2), x)),
    "a mean at another place": (over(u**3 * SHIFTED), m**3 + 3 * m * K),
    "an exponential": (over(sp.exp(t * u) * DENSITY), sp.exp(K * t**2 / 2)),
    "a kink": (over(sp.Abs(u) * DENSITY), sp.sqrt(2 * K / sp.pi)),
    "a squared error function": (over(sp.erf(u) ** 2 * DENSITY), 2 / sp.pi * sp.asin(2 * K / (1 + 2 * K))),
    "a polynomial": (over(sp.hermite_prob(3, u) ** 2 * normal_pdf(u)), sp.Integer(6)),
    "a derivative of a mean": (sp.Derivative(over(sp.sin(u) ** 2 * DENSITY), K), over(sp.cos(2 * u) * DENSITY)),
    "two letters": (over(u * v * PAIR, u, v), sp.Rational(1, 2)),
    "two sines": (over(sp.sin(u) * sp.sin(v) * PAIR, u, v), sp.exp(-1) * sp.sinh(sp.Rational(1, 2))),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_a_true_step_holds(name):
    assert Step(name, *TRUE[name]).check() is Verdict.HOLDS


@pytest.mark.parametrize("name", ["Stein", "a kink", "an exponential", "two sines"])
def test_a_false_step_does_not(name):
    left, right = TRUE[name]
    assert Step(name, left, 2 * right).check() is Verdict.FAILS


@pytest.mark.parametrize(
    "integral",
    [
        over(sp.exp(u**2) * DENSITY.subs(K, 1)),  # diverges
        over(sp.exp(-sign * u**2)),  # for a sign that is not known
        over(sp.exp(-(u**2) - u**4)),
        over(f(u)),
        sp.Integral(DENSITY, (u, 0, sp.oo)),
    ],
)
def test_other_integrals_stay(integral):
    assert with_means(integral) == integral


@pytest.mark.parametrize(
    "function",
    [sp.erf(u) ** 2, sp.erf(u) * sp.sin(u), sp.erf(u) * sp.erf(2 * u), u**2 * (1 + sp.erf(u)) ** 2,
     sp.exp(-(u**2)) * sp.erf(u) ** 2, sp.erf(u) * sp.Max(0, u)],
)  # fmt: skip
def test_products_of_two_atoms_in_one_letter_have_the_mean_of_quadrature(function):
    mean = Mean(function, u, K).doit()
    assert not mean.has(Mean)
    integrand = sp.lambdify(u, (function * DENSITY).subs(K, sp.Rational(3, 4)), "scipy")
    quadrature = sum(
        quad(integrand, *ends, epsabs=0, epsrel=1e-12)[0] for ends in ((-9, 0), (0, 9))
    )
    assert float(mean.subs(K, sp.Rational(3, 4))) == pytest.approx(quadrature, rel=1e-10)
