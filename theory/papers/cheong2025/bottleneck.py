r"""Section 1.1: mutual information, sufficiency and the information bottleneck, Eqs. (1.1) and (1.2)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, equal, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Given
from theory.core.ledger.proving import chosen
from theory.core.numbers.evaluation import evaluate
from theory.papers.cheong2025.conditions import allowed_words, apart
from theory.papers.cheong2025.finite_alphabets import (
    ALIKE,
    CERTAIN,
    CHANCES,
    INPUTS,
    LABELS,
    Joint,
    at_outcomes,
    conditional_entropy,
    every_function,
    information_between,
)
from theory.papers.cheong2025.notation import letters

x, y, g, h, beta, I, argmin = letters("input label rep_g rep_h beta I argmin")
BETWEEN = information_between(CHANCES)
CLOSE = 1e-9  # bits
CAN = {"can": True, "cannot": False}


def outcomes(**representations: tuple[int, ...]) -> dict[str, Any]:
    """Values of input, label and representations at the outcomes of the experiment, and their information."""
    values = {name: at_outcomes(function) for name, function in representations.items()}
    return {"I": BETWEEN, "input": INPUTS, "label": LABELS, **values}


def is_sufficient(function: tuple[int, ...]) -> bool:
    """Whether a representation knows as much about the label as the input does."""
    return BETWEEN(at_outcomes(function), LABELS) == BETWEEN(INPUTS, LABELS)


SUFFICIENT = [function for function in every_function(4) if is_sufficient(function)]


def sufficient_and_minimal() -> Iterator[dict[str, Any]]:
    """Every sufficient representation of four inputs, with the minimal one, for noisy and for certain labels."""
    for between in (BETWEEN, information_between(CERTAIN)):
        yield from (outcomes(rep_g=function, rep_h=ALIKE) | {"I": between} for function in SUFFICIENT)


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
        return chain is (function is chosen(claim, "can", CAN))

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
        best = chosen(claim, "extreme", {"min": min, "max": max})(objectives)
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

PROGRAMS: Programs = {
    "1.1 Markov chain": Program(
        as_markov_chain,
        lambda: float(len(set(noisy(ALIKE, True)[0]))),
        value=lambda claim: 1.0 if chosen(claim, "can", CAN) else 2.0,
    ),
    "1.1 data processing": numerically(every_step, "sums over eight outcomes"),
    "1.1 chain of inequalities": Program(
        numerically(sufficient_and_minimal, "sums over eight outcomes"), lambda: math.log2(4), value=largest_information
    ),
    "1.1 minimal sufficient": is_extreme,
    "(1.2)": have_one_minimiser,
}
