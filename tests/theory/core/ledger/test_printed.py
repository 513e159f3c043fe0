"""Tests of printed statements: typesetting, evaluation, and errors planted at every place."""

from __future__ import annotations

import pytest
import sympy as sp

from theory.core import (
    Approximates,
    Claim,
    Conditional,
    Scales,
    Tends,
    Word,
    decimal,
    equal,
    for_all,
    numerically,
)
from theory.core.ledger.planted_errors import is_equivalent, mutants
from theory.core.ledger.printed import relations, solved
from theory.core.ledger.proving import has_digits
from theory.core.ledger.recheck import lines
from theory.core.ledger.typesetting import typeset
from theory.core.numbers.evaluation import evaluate
from theory.core.proof.verdict import Verdict

x, z, p, t = sp.symbols("x z p t", positive=True)
mu = sp.Symbol("mu", integer=True)
f, y, w = sp.Function("f"), sp.Function("y"), sp.Function("w")
LETTERS = {
    "f": r"f_\lambda",
    "w": "w_{#1 #2}",
    "y": "y(#1)",
    "x": r"\xi",
    "mean": r"\langle #1 \rangle",
}
LETTERS["norm"] = r"\left\|#1\right\|"


@pytest.mark.parametrize(
    ("statement", "latex"),
    [
        (equal(z, x / 2), r"z = \frac{\xi}{2}"),
        (Scales(z, sp.sqrt(p)), r"z \sim \sqrt{p}"),
        (Tends(z, 0), r"z \to 0"),
        (Approximates(z, decimal("1.1774")), r"z \simeq 1.1774"),
        (equal(sp.Derivative(f(t), t), y(x)), r"\dot{f_\lambda} = y(\xi)"),
        (equal(f(t) ** 2, y(x) ** 2), r"{f_\lambda}^{2} = \left(y(\xi)\right)^{2}"),
        (equal(z, w(x, p) ** 2), r"z = {w_{\xi p}}^{2}"),
        (equal(z, sp.Function("norm")(x) ** 2), r"z = {\left\|\xi\right\|}^{2}"),
        (
            sp.Tuple(equal(z, 1), equal(x, 2)),
            r"\begin{aligned} & z = 1 \\ & \xi = 2 \end{aligned}",
        ),
        (Conditional(equal(z, x), sp.Gt(x, 1)), r"z = \xi \quad\text{if}\quad \xi > 1"),
        (
            Claim("It is {a} by {b}.", {"a": Word("up", ("down",)), "b": sp.sqrt(p)}),
            r"\text{It is up by $\sqrt{p}$.}",
        ),
        (r"\|dh\|", r"\|dh\|"),
        (equal(z, sp.exp(-p) / sp.sqrt(2 * sp.pi)), r"z = \frac{e^{- p}}{\sqrt{2 \pi}}"),
        (equal(z, p * sp.sqrt(t / 2) / 2), r"z = \frac{p \sqrt{t}}{2 \sqrt{2}}"),
        (equal(z, sp.sqrt(2 * sp.log(2))), r"z = \sqrt{2 \log{\left(2 \right)}}"),
        (equal(z, sp.exp(-(x**2) / 2) / 2), r"z = \frac{e^{- \xi^{2} / 2}}{2}"),
        (equal(z, w(x, p / 2)), r"z = w_{\xi p / 2}"),
        (equal(z, sp.exp(x / (2 * p))), r"z = e^{\frac{\xi}{2 p}}"),
    ],
)
def test_typeset(statement, latex):
    assert typeset(statement, LETTERS) == latex


def test_a_sum_of_matrices_begins_without_a_minus_sign():
    before, after = sp.MatrixSymbol("x_1", 2, 1), sp.MatrixSymbol("x_2", 2, 1)
    difference = equal(sp.MatrixSymbol("d", 2, 1), (after - before) / 2)
    assert typeset(difference) == r"d = \frac{1}{2} x_{2} - \frac{1}{2} x_{1}"
    assert [line.text for line in lines(difference, {})] == ["d = (1/2)*x_2 - (1/2)*x_1"]


def test_sums_integrals_and_functions_have_values():
    total = sp.Sum(f(mu) * z, (mu, 1, 3)) + sp.Integral(x**2, (x, 0, 3))
    assert evaluate(total, {"f": lambda i: i, "z": 2}) == pytest.approx(21)
    with pytest.raises(ValueError, match="needs z, f as well"):
        evaluate(total, {"p": 1})


def changes(statement):
    return {mutant.change for mutant in mutants(statement)}


def test_every_number_sign_exponent_bound_and_comparison_is_changed():
    found = changes(equal(z, 3 * x**2 + sp.Sum(y(mu), (mu, 1, p))))
    assert {
        "3 -> 4",
        "sign of 3*x**2",
        "2 -> 3",
        "2 -> -2",
        "1 -> 2",
        "sign of z",
        "z twice",
    } <= found
    assert "index or bound p -> p + 1" in found
    assert "x < z flipped" in changes(sp.Lt(x, z, evaluate=False))
    assert "exponent z -> z + 1" in changes(equal(f(x), x**z))
    assert {"z squared", "x squared"} <= changes(Scales(z, x))
    assert "1.18549 -> 1.18550" in changes(Approximates(z, decimal("1.18549")))
    assert "x > 1 dropped" in changes(sp.Or(sp.Gt(x, 1), sp.Lt(z, 2)))
    assert "condition: x > 1 dropped" in changes(Conditional(equal(z, x), sp.And(x > 1, z > 1)))
    assert changes(Claim("It is {a}.", {"a": Word("up", ("down", "level"))})) == {
        "a: down",
        "a: level",
    }


def test_what_says_the_same_or_less_is_recognised():
    assert is_equivalent(equal(z, x), equal(-z, -x))
    assert not is_equivalent(equal(z, x), equal(z, -x))
    assert is_equivalent(Scales(z, x), Scales(z, 2 * x))
    assert not is_equivalent(Scales(z, x), Scales(z, x**2))
    assert is_equivalent(sp.Lt(z, x), sp.Lt(z, x + 1))
    assert not is_equivalent(sp.Lt(z, x + 1), sp.Lt(z, x))
    assert is_equivalent(sp.Tuple(equal(z, 2), z <= x), sp.Tuple(equal(z, 2), z <= x + 1))
    assert not is_equivalent(sp.Tuple(equal(z, 2), z <= x + 1), sp.Tuple(equal(z, 2), z <= x))
    M = sp.MatrixSymbol("M", 2, 2)
    norm = sp.Function("norm", nonnegative=True)
    assert is_equivalent(sp.Le(z, norm(M + M.T)), sp.Le(z, 2 * norm(M + M.T)))


@pytest.mark.parametrize(
    ("text", "values", "message"),
    [
        ("Nothing to be wrong.", {}, "at least one pair of braces"),
        ("It is {a}.", {"b": sp.S(1)}, "needs a"),
        ("It is {a}.", {"a": 0.3}, "got a float for a"),
    ],
)
def test_a_sentence_in_which_nothing_can_be_wrong_is_refused(text, values, message):
    with pytest.raises((ValueError, TypeError), match=message):
        Claim(text, values)


def test_a_word_needs_another():
    with pytest.raises(ValueError, match="needs at least one word"):
        Word("up", ())


def test_printed_relations_are_solved_and_listed():
    assert solved(equal(2 * z + 1, x), z) == (x - 1) / 2
    assert solved(equal(z + 1, x), z) == x - 1
    with pytest.raises(ValueError, match="linear in z"):
        solved(equal(z**2, x), z)
    # what solves the equation need not satisfy the inequality
    with pytest.raises(TypeError, match="needs an equation"):
        solved(z < x, z)
    assert len(relations(sp.Tuple(equal(z, 1), sp.And(x > 1, z > 2)))) == 3
    with pytest.raises(TypeError, match="needs an equation"):
        relations(z)


def test_digits_are_those_printed():
    assert has_digits(sp.sqrt(2), decimal("1.414"))
    assert not has_digits(sp.sqrt(2), decimal("1.415"))


def test_cases_are_not_skipped():
    assert for_all([1, 2], lambda case: case > 0)
    with pytest.raises(ValueError, match="at least one"):
        for_all([], bool)
    with pytest.raises(TypeError, match="got None for 1"):
        for_all([1], lambda case: None)


def test_numbers_are_compared_only_where_the_condition_allows():
    prove = numerically(lambda: [{"x": -1.0, "z": 1.0}, {"x": 2.0, "z": 2.0}], "two points")
    real = sp.symbols("x z", real=True)
    printed = equal(real[1], real[0])
    assert [step.check() for step in prove(printed)] == [Verdict.FAILS]
    assert [step.check() for step in prove(Conditional(printed, sp.Gt(real[0], 0)))] == [
        Verdict.HOLDS
    ]
    assert "cases: got none" in prove(Conditional(printed, sp.Gt(real[0], 5)))[0].decide().cause
    assert [step.check() for step in prove(sp.Implies(sp.Gt(real[0], 0), printed))] == [
        Verdict.HOLDS
    ]
    assert [step.check() for step in prove(sp.Implies(sp.Lt(real[0], 0), printed))] == [
        Verdict.FAILS
    ]
    assert "cases: got none" in prove(sp.Implies(sp.Gt(real[0], 5), printed))[0].decide().cause
    assert [line.text for line in lines(sp.Implies(sp.Gt(real[0], 0), printed), {})] == [
        "x > 0 ⇒ z = x"
    ]


def test_infinity_and_orders_are_plain_signs():
    x = sp.Symbol("x")
    assert lines(Claim("It grows to {a}.", {"a": sp.oo}), {})[0].text == "It grows to ∞."
    assert lines(equal(x, sp.Order(x**-2, (x, sp.oo))), {})[0].text == "x = O(x^(-2))"
    assert lines(equal(x, sp.Limit(1 / x, x, sp.oo)), {})[0].text == "x = lim_(x → ∞) 1/x"
