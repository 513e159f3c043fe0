r"""Section 1.1: mutual information, sufficiency and the information bottleneck, Eqs. (1.1) and (1.2)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Witness, Word, equal, for_all, numerically
from theory.core.ledger.printed import Given
from theory.core.numbers.evaluation import evaluate
from theory.papers.cheong2025.conditions import allowed_words, apart
from theory.papers.cheong2025.finite_alphabets import (
    ALIKE,
    CHANCES,
    INPUTS,
    LABELS,
    Joint,
    at_outcomes,
    conditional_entropy,
    every_function,
    information_between,
)
from theory.papers.cheong2025.paper import entry

x, y, g, h = sp.symbols("input label rep_g rep_h", real=True)
beta = sp.Symbol("beta", positive=True)
I = sp.Function("I", real=True)
argmin = sp.Function("argmin")
BETWEEN = information_between(CHANCES)
CLOSE = 1e-9  # bits


def outcomes(**representations: tuple[int, ...]) -> dict[str, Any]:
    """Values of input, label and representations at the outcomes of the experiment, and their information."""
    values = {name: at_outcomes(function) for name, function in representations.items()}
    return {"I": BETWEEN, "input": INPUTS, "label": LABELS, **values}


def is_sufficient(function: tuple[int, ...]) -> bool:
    """Whether a representation knows as much about the label as the input does."""
    return BETWEEN(at_outcomes(function), LABELS) == BETWEEN(INPUTS, LABELS)


SUFFICIENT = [function for function in every_function(4) if is_sufficient(function)]


def sufficient_and_minimal() -> Iterator[dict[str, Any]]:
    """Every sufficient representation of four inputs, with the minimal one."""
    return (outcomes(rep_g=function, rep_h=ALIKE) for function in SUFFICIENT)


def largest_information(chain: sp.Tuple) -> float:
    """The largest I(g; x) that a chain allows if I(x; y) = I(h; x) = 1 bit, among those of functions of four inputs."""
    bounds = sp.And(*(relation for relation in chain if relation.has(I(g, x))))
    fair = information_between([0.25] * 4)
    possible = {fair(function, range(4)) for function in every_function(4)}

    def at(value: float) -> dict[str, Any]:
        known = {(2, 0): value, (3, 0): 1.0, (0, 1): 1.0}
        return {"input": 0, "label": 1, "rep_g": 2, "rep_h": 3, "I": lambda one, other: known[one, other]}

    return max(value for value in possible if evaluate(bounds, at(value)))


def every_step() -> Iterator[dict[str, Any]]:
    """Every representation g of four inputs and every function h of it."""
    for function in every_function(4):
        for further in every_function(4):
            yield outcomes(rep_g=function, rep_h=tuple(further[value] for value in function))


def noisy(function: tuple[int, ...], coin: bool) -> tuple[tuple[int, int], ...]:
    """Values of a representation at two tosses of a coin that it may see, for each of four inputs."""
    return tuple((2 * value, 2 * value + coin) for value in function)


def is_markov(one: tuple[tuple[int, int], ...], other: tuple[int, ...]) -> bool:
    """Whether the input says no more on a representation than the function ``other`` of the input does."""
    joint: Joint = {}
    for value, seen in enumerate(one):
        for toss in seen:
            key = (toss, value, other[value])
            joint[key] = joint.get(key, 0.0) + 1 / 8
    return abs(conditional_entropy(joint, 0, 1) - conditional_entropy(joint, 0, 2)) < CLOSE


def as_markov_chain(sentence: Claim | Given) -> tuple[Check, ...]:
    """Sufficient representations, which may see a coin if no condition forbids it, and every sufficient g."""
    claim, condition = apart(sentence)
    kinds = allowed_words(condition, "kind", ("deterministic", "random"))
    cases = [noisy(f, coin) for f in SUFFICIENT for kind in kinds for coin in {False, kind == "random"}]

    def agrees(one: tuple[tuple[int, int], ...]) -> bool:
        chain = all(is_markov(one, other) for other in SUFFICIENT)
        steady = all(first == second for first, second in one)
        function = steady and all(
            len({one[i] for i in range(4) if other[i] == value}) <= 1 for other in SUFFICIENT for value in other
        )
        return chain is (function is (claim["is"] == "is"))

    return (
        Check("sufficient representations of four inputs", lambda: for_all(cases, agrees), "conditional entropies"),
    )


def is_extreme(claim: Claim) -> tuple[Check, ...]:
    """Of all functions of four inputs that satisfy the constraint, the minimal sufficient one is the extreme."""

    def holds() -> bool:
        cases = [outcomes(rep_g=function) for function in every_function(4)]
        left, right = claim["left"], claim["right"]
        allowed = [case for case in cases if abs(evaluate(left, case) - evaluate(right, case)) < CLOSE]
        objectives = [evaluate(claim["objective"], case) for case in allowed]
        best = min(objectives) if claim["extreme"] == "min" else max(objectives)
        winners = [case["rep_g"] for case, value in zip(allowed, objectives, strict=True) if value - best == 0]
        return winners == [at_outcomes(ALIKE)]

    return (Check("functions of four inputs", holds, "all of them"),)


def have_one_minimiser(statement: sp.Eq) -> tuple[Check, ...]:
    """Both objectives are least at the same representations, for weights beta between none and all of the label."""

    def minimisers(side: Any, weight: float) -> set[tuple[int, ...]]:
        if side.func != argmin:
            raise ValueError(f"side: got {side}, needs an arg min")
        values = {f: evaluate(side.args[0], outcomes(rep_h=f) | {"beta": weight}) for f in every_function(4)}
        return {f for f, value in values.items() if value < min(values.values()) + CLOSE}

    def agrees(weight: float) -> bool:
        return minimisers(statement.lhs, weight) == minimisers(statement.rhs, weight)

    weights = np.geomspace(0.3, 30, 25).tolist()
    return (Check("weights", lambda: for_all(weights, agrees), "all functions of four inputs"),)


CHAIN = (equal(I(g, y), I(h, y)), equal(I(h, y), I(x, y)))

EQUATIONS = (
    entry(
        "(1.1)",
        "1.1",
        "Mutual information.",
        Finding.DEFINITION,
        "The logarithm's base is left open; the results of the thesis are in bits.",
        printed=r"I(a; b) = \mathbb{E}_{a,b}\left[\log \frac{p_{a,b}(a,b)}{p_a(a) p_b(b)}\right]",
    ),
    entry(
        "1.1 sufficient",
        "1.1",
        "A representation is sufficient if I(h; y) = I(x; y), minimal if it is a function of every other sufficient "
        "one.",
        Finding.DEFINITION,
        "Terms of the theory.",
    ),
    entry(
        "1.1 Markov chain",
        "1.1",
        "",
        Finding.CONDITIONAL,
        "All sufficient representations of four inputs, with and without a coin that they show as well. What adds "
        "noise of its own is a Markov chain, but no function.",
        printed=Claim(
            "A sufficient h {is} a function of every sufficient g exactly where y -> x -> g -> h is a Markov chain.",
            {"is": Word("is", ("is not",))},
        ),
        condition=Claim("representations are {kind}", {"kind": Word("deterministic", ("random",))}),
        prove=as_markov_chain,
        witness=Witness(
            {
                "x": "0, 1, 2, 3",
                "h": "the minimal sufficient one, with a coin",
                "quantity": "number of values of h for one g",
            },
            lambda: float(len(set(noisy(ALIKE, True)[0]))),
            value=lambda claim: 1.0 if claim["is"] == "is" else 2.0,
        ),
        consequence="None for networks, which are deterministic. A random representation that satisfies the chain has "
        "the least information on the input, too.",
    ),
    entry(
        "1.1 data processing",
        "1.1",
        "Information cannot be gained through computation alone: the data processing inequality.",
        Finding.CONFIRMED,
        "Every function of every representation of four inputs. Usable information is different: there a fixed map can "
        "help a weak decoder.",
        printed=sp.Le(I(h, y), I(g, y)),
        prove=numerically(every_step, "sums over eight outcomes"),
    ),
    entry(
        "1.1 chain of inequalities",
        "1.1",
        "The information of a sufficient g and a minimal sufficient h on label and input.",
        Finding.MISPRINT,
        "Every sufficient function of four inputs with noisy labels. x itself is sufficient, and knows more about x "
        "than y does.",
        printed=sp.Tuple(*CHAIN, sp.Ge(I(x, y), I(g, x)), sp.Ge(I(g, x), I(h, x))),
        corrected=sp.Tuple(*CHAIN, sp.Ge(I(g, x), I(h, x)), sp.Ge(I(h, x), I(x, y))),
        prove=numerically(sufficient_and_minimal, "sums over eight outcomes"),
        witness=Witness(
            {"x": "uniform on 0, 1, 2, 3", "y": "x mod 2", "g": "x", "h": "y", "quantity": "largest I(g; x) in bits"},
            lambda: math.log2(4),
            value=largest_information,
        ),
        consequence="The next formula, that the minimal sufficient representation has the least I(g; x), follows from "
        "the corrected chain and not from the printed one.",
    ),
    entry(
        "1.1 minimal sufficient",
        "1.1",
        "",
        Finding.CONFIRMED,
        "All functions of four inputs with noisy labels; the minimiser is the minimal sufficient one, and no other.",
        printed=Claim(
            "The minimal sufficient h is arg {extreme} of {objective} over all g with {left} = {right}.",
            {"extreme": Word("min", ("max",)), "objective": I(g, x), "left": I(g, y), "right": I(x, y)},
        ),
        prove=is_extreme,
        harmless={
            f"printed: {change}": "Twice the information is least at the same representation."
            for change in ("objective: I(rep_g, input) twice",)
        },
    ),
    entry(
        "(1.2)",
        "1.1",
        "The bottleneck objective with and without the constant I(x; y).",
        Finding.CONFIRMED,
        "The minimisers of both sides over all functions of four inputs, for 25 weights.",
        printed=equal(
            argmin(I(h, x) + beta * (I(x, y) - I(h, y))),
            argmin(I(h, x) - beta * I(h, y)),
        ),
        prove=have_one_minimiser,
        harmless={
            f"printed: {change}": "I(x; y) is one number for all h."
            for change in ("sign of I(input, label)", "I(input, label) twice")
        },
    ),
)
