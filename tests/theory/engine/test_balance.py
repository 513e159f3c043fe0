"""Tests of orders and balances: muP and other known exponents, numbers, and errors that are planted."""

from __future__ import annotations

import dataclasses
import sys

import numpy as np
import pytest
import sympy as sp

from theory.core import Verdict
from theory.core.proof.premises import Kind
from theory.engine import Order, balance, order
from theory.engine.balance import Balance

A, B = sp.symbols("a1:4", real=True), sp.symbols("b1:4", real=True)
c, gradient, e = sp.symbols("c gradient e", real=True)


def maximal_update() -> Balance:
    """Parameters n^-a w, w ~ n^-b at the start, learning rate n^-c, three layers of weights: Yang and Hu (2021)."""
    weights = [Order(f"w{i + 1}", -a - b) for i, (a, b) in enumerate(zip(A, B, strict=True))]
    scale = [Order(f"s{i + 1}", -2 * a) for i, a in enumerate(A)]
    rate, signal = Order("eta", -c), Order("g", gradient)
    first = weights[0]
    hidden = (weights[1] * first).sum(1, independent=True)
    return balance(
        {
            "features of order one in the first layer": first,
            "features of order one in the hidden layer": hidden,
            "the gradient of the features is that of the readout": signal / weights[2],
            "the gradient after a step is of the same order": rate * scale[2] * hidden / signal,
            "the first layer moves its features by order one": rate * scale[0] * signal,
            "the hidden layer moves its features by order one": (
                rate * scale[1] * signal * first**2
            ).sum(1),
            "the readout moves the output by order one": (rate * scale[2] * hidden**2).sum(1),
        },
        (*A, *B, c, gradient),
    )


def test_balances_give_the_maximal_update_parametrisation():
    table = maximal_update()
    half = sp.Rational(1, 2)
    at_rate_one = {unknown: value.subs(c, 0) for unknown, value in table.solution.items()}
    assert [at_rate_one[a] for a in A] == [-half, 0, half]
    assert [at_rate_one[b] for b in B] == [half, half, half]
    assert list(table.gauge) == [c]
    assert table.gauge[c] == {**dict.fromkeys(A, -half), **dict.fromkeys(B, half), c: 1}
    assert set(table.check().values()) == {Verdict.HOLDS}


def test_words_are_printed_and_are_the_assumptions_of_a_form():
    table = balance({"heat meets loss": 1 - e - c, "loss is quadratic": e - 2 * c}, (e, c))
    assert str(table) == "e = 2/3\nc = 1/3\nif\n  heat meets loss\n  loss is quadratic"
    form = table.form(e, "own.exponent", "Exponent of the loss.")
    assert form.assumptions == ("heat meets loss", "loss is quadratic")
    assert {str(premise) for premise in form.premises if premise.kind is Kind.ASSUMPTION} == {
        "assumption: heat meets loss",
        "assumption: loss is quadratic",
    }
    assert set(form.check().values()) == {Verdict.HOLDS}


def test_an_unknown_that_rests_on_some_balances_uses_only_these():
    k = sp.Symbol("k", real=True)
    table = balance({"one": Order("x", e - k), "two": Order("y", c - 3)}, (e, c))
    assert [step.claim for step in table[e].steps] == [
        "power of n of one",
        "the balances determine e",
    ]
    with pytest.raises(KeyError):
        table[k]


def test_what_is_free_is_not_determined():
    table = balance({"only one": e + c}, (e, c))
    assert table.gauge == {c: {e: -1, c: 1}}
    with pytest.raises(KeyError, match="not determined"):
        table[c]


@pytest.mark.parametrize(
    ("balances", "words"),
    [
        (
            {"one": e - 1, "two": e - 2, "three": c},
            r"\['one', 'two'\], which contradict each other",
        ),
        ({"square": e**2 - 1}, "needs one linear"),
        ({"product": e * c}, "needs one linear"),
        ({}, "balances"),
    ],
)
def test_bad_balances_are_refused_in_words(balances, words):
    with pytest.raises(ValueError, match=words):
        balance(balances, (e, c))


def test_a_planted_solution_is_a_step_that_fails(monkeypatch):
    home = sys.modules["theory.engine.balance"]  # the package has the function by this name
    solved = home._solved

    def wrong(exponents, unknowns):
        solution, gauge, multipliers = solved(exponents, unknowns)
        return {**solution, e: solution[e] + 1}, gauge, multipliers

    monkeypatch.setattr(home, "_solved", wrong)
    verdicts = balance({"one": e + c, "two": e - c - 1}, (e, c)).check()
    assert verdicts["the balances determine e"] is Verdict.FAILS
    assert verdicts["the exponents satisfy: one"] is Verdict.FAILS


x, y = Order("x", e), Order("y", 2)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("quantity", "exponent"),
    [
        (x * y, e + 2),
        (x / y, e - 2),
        (3 / y**2, -4),
        (y + Order("z", 1), 2),
        (y - 2, 2),
        (x.sum(1), e + 1),
        (x.sum(Order("k", 2)), e + 2),
        (x.sum(1, independent=True), e + sp.Rational(1, 2)),
        (y.mean(3), 2),
        (x.mean(1, independent=True), e - sp.Rational(1, 2)),
        ((y + 1).sum(1, independent=True), sp.Rational(5, 2)),
        ((x * y) ** sp.Rational(1, 2), 1 + e / 2),
        ((y + 1) ** sp.Rational(1, 2), 1),
        ((y + Order("z", 1)) ** -1, -2),
        (y / (y + 1), 0),
        (y + y, 2),
    ],
)
def test_exponents_of_products_sums_and_means(quantity, exponent):
    assert sp.simplify(quantity.exponent - exponent) == 0
    assert {step.check() for step in quantity.steps()} == {Verdict.HOLDS}


def test_floats_are_the_decimals_that_they_print():
    assert Order("x", 0.1).exponent == sp.Rational(1, 10)
    assert balance({"one": e - 0.3}, (e,)).solution == {e: sp.Rational(3, 10)}


@pytest.mark.parametrize("unknowns", [e, ("e",)])
def test_unknowns_are_symbols(unknowns):
    with pytest.raises(TypeError, match="unknowns"):
        balance({"one": e - 1}, unknowns)


def test_the_order_of_a_sum_of_independent_terms_is_that_of_numbers(rng):
    widths = np.array([25, 100, 400, 1600])
    sizes = [np.abs(rng.standard_normal((500, width)).sum(axis=1)).mean() for width in widths]
    slope = np.polyfit(np.log(widths), np.log(sizes), 1)[0]
    assert (
        abs(slope - float(Order("x", 0).sum(1, independent=True).exponent)) < 0.05
    )  # 5 sigma of 500 draws at each width


@pytest.mark.parametrize("wrong", [sp.sqrt, lambda side: side**2])
def test_a_planted_rule_is_a_lemma_that_fails(monkeypatch, wrong):
    lemma = dataclasses.replace(order.INDEPENDENT, right=wrong(order.INDEPENDENT.right))
    monkeypatch.setattr(order, "INDEPENDENT", lemma)
    steps = x.sum(1, independent=True).steps()
    assert Verdict.FAILS in {step.check() for step in steps}


def test_a_planted_exponent_is_a_step_that_fails(monkeypatch):
    exponent = order._exponent
    monkeypatch.setattr(order, "_exponent", lambda term, large: exponent(term, large) + 1)
    assert (x * y).steps()[-1].check() is Verdict.FAILS
    assert (y + 1).steps()[-1].check() is Verdict.FAILS


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: x * Order("x", 3), "letter x: got 3, needs one exponent"),
        (lambda: x * 0, "order: got 0"),
        (
            lambda: Order("a", 1) * Order("b", sp.Symbol("a", positive=True)),
            "letter: got a, needs one that is in no exponent",
        ),
        (lambda: Order("n", 1), "letter that is not the large number"),
        (lambda: x * Order("w", 1, sp.Symbol("p", positive=True)), "needs a power of n"),
        (
            lambda: Order("w", order.LARGE),
            "exponent of w: got n, needs a finite exponent without n",
        ),
        (lambda: x**order.LARGE, "exponent: got n"),
        (lambda: Order("w", sp.oo), "exponent of w: got oo"),
        (lambda: balance({"the size is kept": e - sp.oo}, (e,)), "the size is kept: got -oo"),
    ],
)
def test_bad_orders_are_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()
