"""Tests of the integrals behind comparisons: every digit is correct, with corners, cuts and infinite ranges."""

from __future__ import annotations

import mpmath
import pytest
import sympy as sp

from closedform.interruption import OutOfTime, budget
from theory.core.numbers.backends import mpmath_backend
from theory.core.proof import refutation

x, a = sp.symbols("x a", positive=True)
t = sp.Symbol("t", real=True)
oo = sp.oo
POINT = {a: sp.Rational(7, 5)}
DIGITS = 50
# Of the digits asked for, the last tenth may be lost to cancellation between pieces of the range.
RELATIVE = mpmath.mpf(10) ** -45

# Integral and value; by_balls: whether flint's quadrature is expected to manage.
CASES = {
    "smooth": (sp.Integral(sp.cos(x) * sp.exp(x), (x, 0, a)), (sp.exp(a) * (sp.cos(a) + sp.sin(a)) - 1) / 2, True),
    "Gaussian": (sp.Integral(sp.exp(-(t**2)) * t**4, (t, -oo, oo)), 3 * sp.sqrt(sp.pi) / 4, True),
    "upper tail": (sp.Integral(sp.exp(-a * x), (x, 0, oo)), 1 / a, True),
    "lower tail": (sp.Integral(sp.exp(a * t), (t, -oo, 1)), sp.exp(a) / a, True),
    "shifted tail": (sp.Integral(sp.exp(-t), (t, -a, oo)), sp.exp(a), True),
    "zero where the range might be cut": (
        sp.Integral((1 - t**2) * (4 - t**2) * sp.exp(-(t**2)), (t, -oo, oo)), sp.sqrt(sp.pi) * sp.Rational(9, 4), True),
    "far from the origin": (sp.Integral(sp.exp(-((t - 300) ** 2)), (t, -oo, oo)), sp.sqrt(sp.pi), True),
    "corner": (sp.Integral(sp.Abs(t - a) * sp.exp(-(t**2)), (t, -oo, oo)),
        sp.sqrt(sp.pi) * a * sp.erf(a) + sp.exp(-(a**2)), True),
    "jump": (sp.Integral(sp.Piecewise((t, t < a), (1, True)), (t, -1, 3)), (a**2 - 1) / 2 + 3 - a, True),
    "sign": (sp.Integral(sp.sign(t - a), (t, 0, 2)), 2 - 2 * a, True),
    "largest": (sp.Integral(sp.Max(t, a, 1), (t, 0, 2)), a**2 + (4 - a**2) / 2, True),
    "inverse sine": (sp.Integral(sp.asin(t / 2), (t, 0, 2)), sp.pi - 2, False),
    "cut along the range": (sp.Integral(sp.log(t), (t, 1, a)), a * sp.log(a) - a + 1, True),
    "falls off like a power": (sp.Integral(1 / (1 + t**2), (t, -oo, oo)), sp.pi, False),
    "no ball arithmetic": (sp.Integral(sp.Si(t), (t, 0, a)), a * sp.Si(a) + sp.cos(a) - 1, False),
    "two variables": (sp.Integral(x * t, (t, 0, x), (x, 0, a)), a**4 / 8, False),
}  # fmt: skip


def computed(node):
    with mpmath_backend.LOCK:
        mpmath_backend.WORK.dps = DIGITS
        return refutation.integral(node, POINT, DIGITS)


@pytest.mark.parametrize("name", CASES)
def test_the_value(name):
    node, value, _ = CASES[name]
    with mpmath.workdps(DIGITS + 10):
        exact = mpmath.mpf(value.subs(POINT).evalf(DIGITS + 10))
        assert abs(mpmath.mpf(computed(node)) - exact) < RELATIVE * abs(exact)


@pytest.mark.parametrize("name", [name for name, (_, _, by_balls) in CASES.items() if by_balls])
def test_flint_computes_it(name, monkeypatch):
    """mpmath's quadrature has five digits at a corner."""
    monkeypatch.setattr(refutation, "number", None)
    computed(CASES[name][0])


def test_a_wrong_value_would_be_seen():
    node, value, _ = CASES["corner"]
    assert (
        abs(
            computed(node)
            - mpmath.mpf((value * (1 + sp.Rational(1, 10**12))).subs(POINT).evalf(30))
        )
        > 1e-13
    )


# flint may swallow the first interruption
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_budget_reaches_into_the_quadrature():
    slow = sp.Integral(sum(sp.exp(-(t**2)) * sp.cos(k * t**3) for k in range(1, 60)), (t, -oo, oo))

    def growing():
        for digits in range(100, 10_000, 100):
            mpmath_backend.WORK.dps = digits
            refutation.integral(slow, {}, digits)

    with mpmath_backend.LOCK, pytest.raises(OutOfTime), budget(0.3):
        growing()
