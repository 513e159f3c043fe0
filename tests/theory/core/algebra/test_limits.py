"""Limits are decided by proof: without a sign from the assumptions they are open, and a wrong one refutes them."""

import importlib
import random

import mpmath
import pytest
import sympy as sp

from tests.marks import slow
from theory.core import Step, Verdict
from theory.core.algebra.limits import proved_limit
from theory.core.formula.special import normal_cdf, phi1
from theory.core.proof import decision
from theory.two_point import rotation, solution
from theory.two_point.symbols import t

x = sp.Symbol("x", real=True)
p, q = sp.symbols("p q", positive=True)
r = sp.Symbol("r", real=True)
n = sp.Symbol("n", integer=True, positive=True)
PROVED = {
    "decay": (sp.exp(-p * x), x, sp.oo, 0),
    "growth": (sp.exp(p * x) / x, x, sp.oo, sp.oo),
    "negative growth": (x - sp.exp(p * x), x, sp.oo, -sp.oo),
    "two rates": ((3 + sp.exp(-p * x)) / (2 + x * sp.exp(-q * x)), x, sp.oo, sp.Rational(3, 2)),
    "the faster rate wins": (sp.exp(p * x) / (sp.exp((p + q) * x) + 1), x, sp.oo, 0),
    "far to the left": (sp.exp(p * x) + 1 / x, x, -sp.oo, 0),
    "rational": ((r * x**2 + x) / (p * x**2 + 1), x, sp.oo, r / p),
    "hyperbolic": (sp.tanh(p * x), x, sp.oo, 1),
    "ours": (x * phi1(-p * x), x, sp.oo, 1 / p),
    "ours at a point": (phi1(r * x), x, 0, 1),
    "a probability": (normal_cdf(-p * x), x, sp.oo, 0),
    "order of growth": (sp.log(3 * x ** (1 - 2 * r) * sp.exp(1 / x)) / sp.log(x), x, sp.oo, 1 - 2 * r),
    "at a point": (sp.acos(x) / (x + 2), x, 0, sp.pi / 4),
    "a pole": (1 / x, x, 0, sp.oo),
    "the leading terms cancel": (x * ((1 + p / x) ** 2 - 1), x, sp.oo, 2 * p),
    "two terms cancel": (x**2 * (1 / x - 1 / (x + r) - r / (x * (x + q))), x, sp.oo, 0),
    "an integer": (n ** sp.Rational(-1, 2) + 1, n, sp.oo, 1),
}  # fmt: skip
OPEN = {
    "rate of any sign": (sp.exp(-r * x), x, sp.oo),
    "order of the rates": (sp.exp(p * x) / (sp.exp(q * x) + 1), x, sp.oo),
    "oscillation": (sp.sin(x), x, sp.oo),
    "complex rate": (sp.exp(sp.I * p * x), x, sp.oo),
    "the leading terms cancel": (x * (sp.exp(5 / x) - 1), x, sp.oo),
    "division by what may vanish": (1 / (r + sp.exp(-p * x)), x, sp.oo),
    "a jump": (sp.sign(r + 1 / x), x, sp.oo),
    "different sides": (sp.Limit(sp.Abs(x) / x, x, 0, "+-").args[0], x, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", PROVED)
def test_a_limit_is_proved_and_numbers_approach_it(name):
    inside, variable, point, value = PROVED[name]
    assert sp.simplify(proved_limit(sp.Limit(inside, variable, point)) - value) in (0, sp.nan)
    numbers = {symbol: sp.Rational(7, 5) for symbol in inside.free_symbols - {variable}}
    far = {sp.oo: sp.Integer(10) ** 12, -sp.oo: -(sp.Integer(10) ** 12)}.get(
        point, sp.Rational(1, 10**12)
    )
    near = sp.sympify(inside).subs(numbers).subs(variable, far)
    exact = sp.sympify(value).subs(numbers)
    if exact.is_finite and name != "order of growth":  # which logarithms approach
        assert abs(mpmath.mpf(sp.N(near, 30)) - mpmath.mpf(sp.N(exact, 30))) < 1e-5


@pytest.mark.parametrize("name", OPEN)
def test_a_limit_without_a_premise_is_open(name):
    inside, variable, point = OPEN[name]
    assert (
        proved_limit(sp.Limit(inside, variable, point, "+-" if name == "different sides" else "+"))
        is None
    )


def test_steps_with_limits():
    decay = sp.Limit(1 + sp.exp(-p * x), x, sp.oo)
    assert Step("decays", decay, 1).check() is Verdict.HOLDS
    assert Step("to another value", decay, sp.Rational(8, 7)).check() is Verdict.FAILS
    assert Step("grows", sp.Limit(1 + sp.exp(p * x), x, sp.oo), 1).check() is Verdict.FAILS
    any_sign = Step("of any sign", sp.Limit(1 + sp.exp(-r * x), x, sp.oo), 1)
    assert any_sign.check() is Verdict.FAILS
    (rate,) = any_sign.counterexample().values()
    assert rate < 0


def test_what_a_limit_takes_is_worked_out_first():
    """The change of a value, in which leading terms cancel, is proved without sympy's limits."""
    inside = sp.Subs(x**2 * (p - q), (p, q), (1 / x, sp.Subs(1 / x, x, x + 1)))
    change = sp.Limit(inside, x, sp.oo)
    assert decision._is_proved(change, sp.S.One, sp.Dict())
    assert Step("another change", change, 2).check() is Verdict.FAILS


def test_a_parametrisation_is_a_premise_on_the_sign():
    limit = sp.Limit(sp.exp(-r * x), x, sp.oo)
    assert Step("positive", limit, 0, where={r: p + q}).check() is Verdict.HOLDS
    assert Step("negative", limit, 0, where={r: -p}).check() is Verdict.FAILS
    assert Step("difference", limit, 0, where={r: p - q}).check() is not Verdict.HOLDS


# The end of training: planted changes of the exact solution.
final_distance = importlib.import_module("theory.two_point.final_distance")
ENDS = {
    **{
        f"delta {sign}": (
            solution.representation_distance_at,
            final_distance.stationary_distance,
            solution.family(sign, final_distance.away),
        )
        for sign in (1, 0, -1)
    },
    "rotating": (rotation.rotating_distance, rotation.rotating_final, random.Random(0).choice(
        list(rotation.ALL_FAMILIES.values()))),
}  # fmt: skip


@pytest.mark.parametrize(
    "case",
    [
        "delta 1",
        *slow("delta 0", "delta -1", "rotating"),
    ],
)
def test_only_what_decays_ends_at_the_final_distance(case):
    moving, end, where = ENDS[case]

    def verdict(changed):
        return Step("ends there", end, sp.Limit(changed, t, sp.oo), where=where).check(fresh=True)

    assert verdict(moving) is Verdict.HOLDS
    assert verdict(moving.replace(sp.exp, lambda exponent: sp.exp(-exponent))) is not Verdict.HOLDS
