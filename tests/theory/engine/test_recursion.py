"""Recursions: their values by a loop, proofs by induction, fixed points, and what is far above."""

import pytest
import sympy as sp

from theory.core import Argument, ClosedForm, Premise, Status, Step, Verdict
from theory.engine import Recursion, linear_recursions

K, V, S, n, x = sp.symbols("K V S n x", positive=True)
y = sp.Symbol("y", real=True)
WIDTH = Recursion({K: S * K / 2, V: 2 * S**2 * K**2 / n + (S / 2) ** 2 * V}, {K: x, V: 0})
l = WIDTH.index


@pytest.mark.parametrize(
    ("kernel", "spread", "holds"),
    [
        (x * (S / 2) ** l, 8 * x**2 * (S / 2) ** (2 * l) * l / n, True),
        (x * (S / 2) ** l, 7 * x**2 * (S / 2) ** (2 * l) * l / n, False),
        # this spread follows from this kernel, which is wrong: an induction rests on all letters
        (2 * x * (S / 2) ** l, 32 * x**2 * (S / 2) ** (2 * l) * l / n, False),
    ],
)
def test_a_solution_holds_with_those_of_all_letters(kernel, spread, holds):
    solved = WIDTH.solve({K: kernel, V: spread})[V]
    assert (Verdict.all(solved.check().values()) is Verdict.HOLDS) is holds


def test_values_by_a_loop_are_those_of_the_solution():
    form = ClosedForm(
        "own.spread",
        "Spread of a kernel.",
        tuple(Argument(symbol, f"the letter {symbol}") for symbol in (S, n, x)),
        WIDTH.at(7)[V],
        Status.CONJECTURED,
    )
    assert form(1.8, 10.0, 0.7) == pytest.approx(8 * 0.7**2 * 0.9**14 * 7 / 10, rel=1e-13)


DEPTH = sp.Symbol("L", integer=True, positive=True)
LINEAR = {
    "geometric": ({K: S * K / 2}, {K: x}),
    "affine, with any ratio": ({K: S * K + n}, {K: x}),
    "affine, with a number": ({y: 1 - y}, {y: x}),
    "two ratios": ({K: S * K + n * 3**l}, {K: x}),
    "an exponent that begins later": ({K: S * K + n * x ** (2 * l + 3)}, {K: x}),
    "powers of the index": ({y: 2 * y + n * l**2}, {y: x}),
    "a constant": ({K: n}, {K: x}),
    "floats, squared": ({K: 1.5 * K + 1, V: V + K**2 / n}, {K: x, V: 0.1}),
    "a letter in another one, squared": (WIDTH.rules, WIDTH.start),
    "coupled, of one number": ({K: K + V, V: K}, {K: 1, V: x}),
    "coupled, with symbols": ({K: (S * K + V) / 2, V: (K + S * V) / 3}, {K: x, V: 1}),
    "coupled, with waves": ({y: y - K, K: y + K}, {y: x, K: n}),
    "coupled, with a double eigenvalue": ({y: 3 * y + K, K: K - y}, {y: x, K: n}),
    "coupled, pushed, and a letter above": (
        {K: K + V, V: K + V / 2 + 1, y: y + K},
        {K: x, V: n, y: 0},
    ),
    "three in a ring": ({y: y + K, K: K + V, V: V + y}, {y: 1, K: 0, V: x}),
    "a ratio": ({K: (2 * K + 1) / (K + 2)}, {K: x}),
    "a ratio with a double root": ({K: K / (S + n * K)}, {K: x}),
    "a continued fraction": ({K: 1 / (1 + K)}, {K: x}),
    "a square": ({y: 2 * y * (1 - y)}, {y: 1 / (1 + x)}),
    "a square with waves": ({y: 4 * y * (1 - y)}, {y: 1 / (1 + x)}),
}


LONG = ("three in a ring", "coupled, pushed, and a letter above", "coupled, with waves")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("rules", "start"),
    [
        pytest.param(*case, id=name, marks=[pytest.mark.slow] * (name in LONG))
        for name, case in LINEAR.items()
    ],
)
def test_linear_recursions_are_solved_and_proved(rules, start):
    recursion = Recursion(rules, start)
    solved = recursion.solve()
    assert set(solved.check().values()) == {Verdict.HOLDS}
    point = {S: sp.Rational(7, 5), n: sp.Rational(3, 7), x: sp.Rational(11, 3)}
    for letter in rules:
        by_a_loop = recursion.at(6)[letter].written_out.subs(point)
        assert float(solved.curves[letter].subs({l: 6, **point})) == pytest.approx(
            float(by_a_loop), rel=1e-12
        )
        above = recursion.at(DEPTH)[letter]
        assert float(above.subs(DEPTH, 6).subs(point)) == pytest.approx(
            float(by_a_loop), rel=1e-12
        )


def test_an_affine_recursion_has_a_value_at_the_ratio_one():
    solved = Recursion({K: S * K + n}, {K: x}).solve().curves[K]
    assert solved.subs({S: 1, l: 5}) == x + 5 * n


UNSOLVED = {
    "depend on each other other than by constant factors": {K: K + V**2, V: K - V},
    "the eigenvalues of K and V and y have no short formula": {K: V, V: y + K, y: 3 * K},
    "other than by a factor": {K: K * (1 - K), V: V},
    "depends on l": {K: (l + 1) * K, V: V},
    "by 1/": {K: K + 1 / (l + 1), V: V},
    "which may be 1 and may be negative": {K: K, V: y * V + 1},
}


@pytest.mark.parametrize(("words", "rules"), UNSOLVED.items())
def test_other_recursions_say_what_to_do(words, rules):
    recursion = Recursion(rules, dict.fromkeys(rules, x))
    with pytest.raises(NotImplementedError, match=words) as raised:
        recursion.at(sp.Symbol("L", integer=True, nonnegative=True))
    assert "solve({letter" in str(raised.value)
    assert ".at(50)" in str(raised.value)


def test_other_quadratic_functions_are_refused():
    with pytest.raises(NotImplementedError, match="is a square plus -3/4 in another letter"):
        Recursion({K: 3 * K * (1 - K)}, {K: x}).solve()


def test_a_wrong_solution_of_a_coupled_recursion_fails(monkeypatch):
    right = linear_recursions._by_powers
    monkeypatch.setattr(
        linear_recursions, "_by_powers", lambda value, index: 2 * right(value, index)
    )
    assert Verdict.FAILS in Recursion({K: K + V, V: K}, {K: 1, V: x}).solve().check().values()


SPREAD = Premise("the spread is a variance over a squared mean", V / K**2)


@pytest.mark.parametrize(("factor", "holds"), [(8, True), (7, False)])
def test_a_quantity_of_the_solution_is_a_closed_form(factor, holds):
    spread = WIDTH.solve().quantity(SPREAD, factor * DEPTH / n, DEPTH)
    assert (Verdict.all(spread.check().values()) is Verdict.HOLDS) is holds
    form = spread.form("own.spread", "The spread of a kernel.")
    assert float(form(L=5, n=100)) == pytest.approx(factor * 5 / 100)


def test_a_quantity_without_a_value_is_worked_out():
    assert WIDTH.solve().quantity(SPREAD).expression == 8 * l / n


def test_rules_rest_on_what_they_use():
    mean = Step("the mean of x", S * K * sp.Integral(x, (x, 0, 1)), S * K / 2, uses=())
    wide = "layers are wide"
    recursion = Recursion({K: S * K / 2}, {K: x}, uses=(mean, wide))
    form = recursion.solve()[K].form("own.kernel", assumptions=(wide,))
    assert form.steps[0] == mean
    assert {mean, wide} <= set(form.steps[-1].uses)


def test_a_sine_approaches_zero_as_the_root_of_three_over_the_depth():
    sine = Recursion({x: sp.sin(x)}, {x: K})
    law = sine.asymptotics()
    assert law.expression == sp.sqrt(3) / sp.sqrt(sp.Symbol("l", positive=True))
    assert set(law.check().values()) == {Verdict.HOLDS}
    value = ClosedForm(
        "own.sine", "A sine.", (Argument(K, "start"),), sine.at(10_000)[x], Status.CONJECTURED
    )(1.0)
    assert value == pytest.approx((3 / 10_000) ** 0.5, rel=2e-3)


def test_fixed_points_without_a_formula_are_refused_and_some_may_be_left_out():
    with pytest.raises(NotImplementedError, match=r"finds no zero of the changes.*by a loop"):
        Recursion({x: sp.cos(x)}, {x: 1}).fixed_points()
    with pytest.raises(NotImplementedError, match="no short formula"):
        Recursion({x: x**5 + 2 * x - 1}, {x: 1}).fixed_points()
    with pytest.warns(UserWarning, match="may leave out"):
        (point,) = Recursion({x: sp.exp(-x)}, {x: 1}).fixed_points()
    assert point.is_stable
    assert float(point.state[x]) == pytest.approx(0.567143290409784, rel=1e-14)


def test_fixed_points_and_their_critical_parameters():
    logistic = Recursion({x: S * x * (1 - x)}, {x: K})
    (point,) = logistic.fixed_points()
    assert sp.simplify(point.state[x] - (S - 1) / S) == 0
    assert sp.simplify(point.multipliers[0] - (2 - S)) == 0
    # at S = 1 the fixed point is 0, which a positive letter is not
    assert logistic.critical(S) == []


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Recursion({x: x}, {K: 1}), "start"),
        (lambda: Recursion({x: x}, {x: x}), "without the letters"),
        (
            lambda: Recursion({x: x}, {x: 1}, DEPTH),
            "may be 0",
        ),
        (lambda: WIDTH.at(x), "nonnegative integer"),
        (lambda: WIDTH.solve().quantity(Premise("in words alone")), "expression as well"),
        (lambda: WIDTH.solve({K: x}), "guess"),
        (lambda: WIDTH.at(-1), "depth"),
        (lambda: WIDTH.asymptotics(), "one"),
        (lambda: Recursion({x: x + x**2}, {x: 1}).asymptotics(), "negative multiple"),
        (lambda: Recursion({x: x + l}, {x: 1}).fixed_points(), "does not depend"),
        (lambda: Recursion({x: x + 1 - x**2}, {x: 1}).asymptotics(), "negative multiple"),
        (lambda: Recursion({x: x - x**1.5 - x**2}, {x: 1}).asymptotics(), "negative multiple"),
    ],
)
def test_what_is_no_such_recursion_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: Recursion({K: K}, {K: x}, uses=Premise("a premise")),
        lambda: WIDTH.solve().quantity(SPREAD, at="L"),
        lambda: WIDTH.solve().quantity(V / K**2),
        lambda: WIDTH.at("L"),
    ],
)
def test_arguments_of_another_kind_are_refused(call):
    with pytest.raises(TypeError, match=r"got .*, needs "):
        call()


@pytest.mark.parametrize("rule", [2 * abs(y), sp.Rational(3, 2) * sp.Max(0, y)])
def test_a_kink_has_no_multipliers(rule):
    # a factor of 2, or of 3/2, on one side: the mean of both slopes, 0 or 3/4, decides nothing
    with pytest.warns(UserWarning, match="may leave out"):
        (point,) = Recursion({y: rule}, {y: 1}).fixed_points()
    assert point.multipliers == ()
    assert point.is_stable is None
