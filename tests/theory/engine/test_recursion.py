"""Recursions: their values by a loop, proofs by induction, fixed points, and what is far above."""

import pytest
import sympy as sp

from theory.core import Argument, ClosedForm, Status, Verdict
from theory.engine import Recursion

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


def test_a_sine_approaches_zero_as_the_root_of_three_over_the_depth():
    sine = Recursion({x: sp.sin(x)}, {x: K})
    law = sine.asymptotics()
    assert law.expression == sp.sqrt(3) / sp.sqrt(sp.Symbol("l", positive=True))
    assert set(law.check().values()) == {Verdict.HOLDS}
    value = ClosedForm(
        "own.sine", "A sine.", (Argument(K, "start"),), sine.at(10_000)[x], Status.CONJECTURED
    )(1.0)
    assert value == pytest.approx((3 / 10_000) ** 0.5, rel=2e-3)


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


@pytest.mark.parametrize("rule", [2 * abs(y), sp.Rational(3, 2) * sp.Max(0, y)])
def test_a_kink_has_no_multipliers(rule):
    # a factor of 2, or of 3/2, on one side: the mean of both slopes, 0 or 3/4, decides nothing
    (point,) = Recursion({y: rule}, {y: 1}).fixed_points()
    assert point.multipliers == ()
    assert point.is_stable is None
