"""Identities of inverse functions and logarithms, which the normal form leaves open."""

import mpmath
import pytest
import sympy as sp

from theory.core import Step, Verdict
from theory.core.algebra.fewer_functions import in_fewer_functions, without_reciprocals
from theory.core.proof.by_derivatives import are_equal_by_derivatives
from theory.core.proof.decision import decide

x, b = sp.symbols("x b", positive=True)
y = sp.Symbol("y", real=True)
m = sp.Symbol("m", real=True, nonzero=True)
n = sp.Symbol("n", nonnegative=True)
z = sp.Symbol("z")

IDENTITIES = [
    (sp.acos(z), sp.pi / 2 - sp.asin(z)),
    (sp.acos(-z), sp.pi - sp.acos(z)),
    (sp.acot(x), sp.pi / 2 - sp.atan(x)),
    (sp.atan(x) + sp.atan(1 / x), sp.pi / 2),
    (sp.atan(x) - sp.atan(b), sp.atan((x - b) / (1 + x * b))),
    (sp.atan(2 * y / (2 + y**2)), sp.asin(2 * y / sp.sqrt((2 + y**2) ** 2 + 4 * y**2))),
    (sp.acos((1 - x**2) / (1 + x**2)), 2 * sp.atan(x)),
    (sp.asin(x / sp.sqrt(x**2 + b**2)), sp.atan(x / b)),
    (sp.asin(sp.tanh(y)), sp.atan(sp.sinh(y))),
    (2 * sp.atan(sp.exp(y)) - sp.pi / 2, sp.asin(sp.tanh(y))),
    (sp.asinh(sp.sinh(y)), y),
    (sp.asinh(x / b), sp.log(x + sp.sqrt(x**2 + b**2)) - sp.log(b)),
    (sp.acosh(1 + x), sp.log(1 + x + sp.sqrt(x**2 + 2 * x))),
    (sp.atanh(x / (1 + x)), sp.log(1 + 2 * x) / 2),
    (sp.acoth(1 + x), sp.log(1 + 2 / x) / 2),
    (sp.log(x**2 * (1 + b)), 2 * sp.log(x) + sp.log(1 + b)),
    (sp.log((1 + n) / (2 + n)), sp.log(1 + n) - sp.log(2 + n)),
    (sp.log(1 + sp.exp(y)), y + sp.log(1 + sp.exp(-y))),
    (sp.log(sp.cosh(y)), y + sp.log(1 + sp.exp(-2 * y)) - sp.log(2)),
]
FALSE = [
    (sp.atan(1 / m) + sp.atan(m), sp.pi / 2),
    (sp.acos(y / sp.sqrt(1 + y**2)), sp.acot(y)),
    (sp.log(y**2), 2 * sp.log(y)),
    (sp.atan(x) + sp.atan(b), sp.atan((x + b) / (1 - x * b))),
    (sp.atan(x) + sp.atan(1 / x), sp.pi / 3),
    (sp.atan(x), sp.pi * x / 4),
    (sp.asin(sp.tanh(y)), sp.atan(sp.sinh(y)) + sp.Rational(1, 10**9)),
    (sp.acosh(1 + x), sp.log(1 + x - sp.sqrt(x**2 + 2 * x))),
    (sp.log(1 + sp.exp(y)), y - sp.log(1 + sp.exp(-y))),
]
OPEN = [
    (m * sp.sqrt(m**2 + m**4) * sp.sqrt(1 + m**2) / (m**2 + m**4), 1),
    (sp.sign(x - 1) ** 2, 1),
    (sp.log((x - 1) ** 2), 2 * sp.log(1 - x)),
    (sp.atan(1 / (y - 1)) + sp.atan(y - 1), -sp.pi / 2),
    (sp.sqrt((y - 1) ** 2), 1 - y),
    (sp.atanh(x) - sp.acoth(x), sp.atanh(2) - sp.acoth(2)),
]


@pytest.mark.parametrize(("left", "right"), IDENTITIES, ids=str)
def test_an_identity_is_proved(left, right):
    assert decide(left, right, sp.Dict()).verdict is Verdict.HOLDS


@pytest.mark.parametrize(("left", "right"), FALSE, ids=str)
def test_a_false_one_has_a_counterexample(left, right):
    assert not are_equal_by_derivatives(left, right)
    assert Step("false", left, right).check() is Verdict.FAILS


@pytest.mark.parametrize(("left", "right"), OPEN, ids=str)
def test_derivatives_prove_nothing_across_a_gap_or_a_jump(left, right):
    assert not are_equal_by_derivatives(left, sp.sympify(right))


@pytest.mark.parametrize(
    "function",
    [sp.erfc, sp.acos, sp.acot, sp.asec, sp.acsc, sp.asinh, sp.acosh, sp.atanh, sp.acoth, sp.asech, sp.acsch],
    ids=str,
)  # fmt: skip
def test_fewer_functions_have_the_same_values(function):
    by_mpmath = getattr(mpmath, function.__name__)
    for written in (in_fewer_functions(function(z)), without_reciprocals(function(z))):
        value = sp.lambdify(z, written, "mpmath")
        for number in map(
            mpmath.mpmathify, (0.3, -0.7, 2.5, -3.1, 0.4 + 1.2j, -1.7 - 0.2j, 0.1j, -2j)
        ):
            assert mpmath.almosteq(value(number), by_mpmath(number), 1e-12)
