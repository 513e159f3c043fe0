"""Tests of the prover: its proofs are correct, and it proves the identities that it should."""

from __future__ import annotations

import pytest
import sympy as sp
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from closedform.interruption import OutOfTime, budget
from theory.core.algebra.factoring import as_product, factored
from theory.core.algebra.normal_form import vanishes
from theory.core.algebra.rational_functions import (
    RationalFunctions,
    common_basis,
    generator_orders,
)

x, y = sp.symbols("x y", positive=True)
t = sp.Symbol("t", real=True)
c = sp.Symbol("c")

ATOMS = st.sampled_from([x, y, t, sp.Integer(2), sp.Integer(-3), sp.Rational(1, 2), sp.Integer(1)])


def extended(children):
    return st.one_of(
        st.builds(sp.Add, children, children),
        st.builds(sp.Mul, children, children),
        st.builds(lambda e: e**2, children),
        st.builds(lambda e: sp.sqrt(e**2 + 1), children),
        st.builds(lambda e: 1 / (e**2 + 2), children),
        st.builds(sp.exp, children),
        st.builds(sp.tanh, children),
        st.builds(sp.Abs, children),
    )


EXPRESSIONS = st.recursive(ATOMS, extended, max_leaves=6)
REWRITINGS = {
    "expanded": sp.expand,
    "together": sp.together,
    "hyperbolic to exponential": lambda e: e.rewrite(sp.exp),
    "squared and rooted": lambda e: sp.expand((e + 1) ** 2) - 2 * e - e**2 + e - 1,
}
quick = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])


@quick
@given(EXPRESSIONS, st.sampled_from(sorted(REWRITINGS)))
def test_a_rewriting_is_proved(expression, name):
    assume(not expression.has(sp.nan, sp.zoo, sp.oo))
    try:
        with budget(5):
            assert vanishes(REWRITINGS[name](expression) - expression)
    except OutOfTime:
        assume(False)


@quick
@given(EXPRESSIONS, EXPRESSIONS)
def test_nothing_false_is_proved(one, other):
    """Two random expressions that differ at a point are not proved equal."""
    assume(not (one - other).has(sp.nan, sp.zoo, sp.oo))
    point = {x: sp.Rational(7, 11), y: sp.Rational(13, 5), t: sp.Rational(-8, 3)}
    value = (one - other).subs(point).evalf(30, maxn=200)
    assume(value.is_Float and abs(value) > sp.Float("1e-20"))
    try:
        with budget(5):
            assert not vanishes(one - other)
    except OutOfTime:
        assume(False)


@pytest.mark.parametrize(
    "difference",
    [
        sp.sqrt(1 / t) - sp.sqrt(t) / t,  # i against -i at t = -1
        sp.sqrt(t**2) - t,
        sp.sqrt(t) * sp.sqrt(-t) - sp.sqrt(-(t**2)),
        sp.sqrt(c**2) - c,
        (c**3) ** sp.Rational(1, 3) - c,
        sp.exp(2 * sp.pi * sp.I * t) - 1,
        sp.sqrt(c**2 - 1) - sp.sqrt(c - 1) * sp.sqrt(c + 1),
        sp.Abs(c) ** 2 - c**2,
        sp.log(c**2) - 2 * sp.log(c),
        sp.sqrt(sp.exp(c)) - sp.exp(c / 2),
        sp.Piecewise((x, x > 1), (1 / x, True)) - x,
        # A denominator that is no positive number, brought under a root around the root that it comes from.
        c * sp.sqrt(1 + sp.sqrt(1 / c)) - sp.sqrt(c**2 + c**2 * sp.sqrt(1 / c)),
        sp.exp(c) * sp.sqrt(t * sp.sqrt(sp.exp(-c)) + 2)
        - sp.sqrt(t * sp.sqrt(sp.exp(-c)) * sp.exp(2 * c) + 2 * sp.exp(2 * c)),
        sp.sqrt(t) * sp.cbrt(sp.cbrt(c / sp.sqrt(t)) + sp.I)
        - sp.cbrt(t ** sp.Rational(3, 2) * (sp.cbrt(c / sp.sqrt(t)) + sp.I)),
        (-2) ** t * sp.sqrt(sp.sqrt((-2) ** (-t)) + x)
        - sp.sqrt((-2) ** (2 * t) * (sp.sqrt((-2) ** (-t)) + x)),
    ],
)
def test_identities_that_hold_on_one_branch_only_are_not_proved(difference):
    assert not vanishes(difference)


def test_zero_divided_by_zero_is_no_proof():
    hidden = sp.sqrt(x**2 + 2 * x + 1 + y - y) - x - 1
    assert not vanishes(sp.Mul(0, 1 / sp.Symbol("q")) + 1)
    root = sp.sqrt(x + y)
    assert not vanishes((root**2 - x - y + x) / (root**2 - x - y))
    assert vanishes(hidden)


def test_dependent_roots_on_positive_numbers():
    assert vanishes(sp.sqrt(x * y) - sp.sqrt(x) * sp.sqrt(y))
    assert vanishes(sp.sqrt(x / y) - sp.sqrt(x) / sp.sqrt(y))
    assert vanishes(sp.sqrt(8 * x) - 2 * sp.sqrt(2) * sp.sqrt(x))
    assert vanishes(sp.root(x**2, 6) - sp.root(x, 3))


def test_exponents_with_multiples_of_one_denominator():
    assert vanishes(
        sp.exp(x / (2 * y + 2)) * sp.exp((1 - x) / (4 * y + 4)) - sp.exp((1 + x) / (4 * (y + 1)))
    )
    assert not vanishes(sp.exp(x / (2 * y + 2)) - sp.exp(x / (y + 1)))


@pytest.mark.parametrize(("factor", "holds"), [(1, True), (2, False), (-1, False)])
def test_fractions_of_exponents_cancel_in_a_product(factor, holds):
    bottom = x**2 + x * y + 1
    fractions = [t / x, -factor * t * (x + y) / bottom]
    product = sp.Mul(*map(sp.exp, fractions))
    assert vanishes(product - sp.exp(t / (x * bottom))) is holds


def test_large_quotients_stay_small():
    """Powers of one denominator: multiplied out, the common one would have millions of terms."""
    bottom = 1 + x + y**2 * t + sp.exp(x * t) * y + sp.exp(-t) * x**2
    total = sum((x + k * t) / bottom**k for k in range(1, 9))
    other = sum((x + k * t) * bottom ** (8 - k) for k in range(1, 9)) / bottom**8
    assert vanishes(total - other)
    assert not vanishes(total - other * (1 + sp.Rational(1, 10**6)))


def test_a_common_basis_has_no_common_factors():
    field = RationalFunctions(generator_orders([x, y]))
    one, other = (
        field.of(e)[0]
        for e in (sp.expand((x + 1) ** 2 * (x + y)), sp.expand((x + 1) * (x + y) ** 2 * y))
    )
    basis = common_basis(((one, 1),), ((other, 2),))
    for index, (factor, _, _) in enumerate(basis):
        assert all(factor.gcd(later).is_constant() for later, _, _ in basis[index + 1 :])
    left = right = one / one
    for factor, a, b in basis:
        left, right = left * factor**a, right * factor**b
    assert (left, right) == (one, other**2)


def test_huge_powers_are_left_alone():
    with budget(20):
        assert not vanishes((1 + x) ** 100_000 - (1 + y) ** 100_000)


@pytest.mark.parametrize(
    "expression",
    [
        (x + y) ** 2 * (x - t) / 3,
        x**3 + 3 * x**2 * y + 3 * x * y**2 + y**3,
        sp.exp(2 * t) + 2 * sp.exp(t) + 1,
        sp.sqrt(x) ** 3 + 2 * x + sp.sqrt(x),
        (x**2 - y**2) / (x * sp.erf(t) ** 2 - y * sp.erf(t) ** 2),
        sp.Rational(8, 9),
        sp.S.Zero,
        (1 + x) ** 10_000 + t,
    ],
)
def test_factors_multiply_to_the_expression(expression):
    product = factored(expression)
    point = {x: sp.Rational(7, 11), y: sp.Rational(13, 5), t: sp.Rational(-8, 3)}
    assert abs(product.subs(point).evalf(30) - expression.subs(point).evalf(30)) <= 1e-25 * abs(
        expression.subs(point)
    )


def test_a_square_under_a_root_opens():
    for expression in ((x + y) ** 2, (sp.exp(t) + x) ** 2, (sp.sqrt(x) + y) ** 4 / (x + 1) ** 2):
        assert not sp.sqrt(factored(sp.expand(expression))).has(sp.Abs)
        assert sp.sqrt(factored(sp.expand(expression))) == sp.sqrt(expression)


U, V, W = sp.symbols("x v a", real=True)  # sympy puts x before a
RATIONAL = (
    sp.S.Zero,
    sp.Rational(-3, 4),
    -U / 6,
    6 * U - 4,
    2 - U,
    (2 - U) * (4 - 2 * U) / (3 - 6 * V),
    (U**2 - V**2) / (2 * V - 2 * U) ** 3 + 1 / W,
    (U * V - W**2 / 2) ** 3 * (U - U * V) / (W - U),
    1 / (U + 1) - 1 / (2 * U + 2) + W * (V**3 - 8) / (V / 2 - 1),
    sp.expand((U - 2 * V + 3) ** 2 * (W - U) ** 3 / 7),
)
OTHER = (
    sp.sqrt(U) * U - sp.sqrt(U),
    U**2 - 2 * sp.I * U * V - V**2,
    sp.pi * U + sp.pi,
    U + sp.Float("0.5") * U * V,
)


@pytest.mark.parametrize("expression", RATIONAL + OTHER, ids=str)
def test_a_product_of_factors_is_that_of_sympy(expression):
    assert sp.srepr(as_product(expression)) == sp.srepr(sp.factor(expression))
