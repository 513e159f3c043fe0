r"""Section 1.1: mutual information, sufficiency and the bottleneck, Eqs. (1.1) and (1.2), by sums over four inputs."""

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import sympy as sp

from papers.cheong2025.ledger.notation import agreed, letters
from theory.core import Program, Programs, evaluate, numerically, of_each_relation, stating

INPUTS = (0, 0, 1, 1, 2, 2, 3, 3)
"""Value of the input at each of eight outcomes of an experiment: four inputs, each with two labels."""
LABELS = (0, 1, 0, 1, 0, 1, 0, 1)
CHANCES = (0.36, 0.04, 0.27, 0.03, 0.04, 0.16, 0.02, 0.08)
"""Probabilities of the outcomes: two inputs have the label 0 in nine cases of ten, two the label 1 in eight of ten."""
CERTAIN = (0.4, 0, 0.3, 0, 0, 0.2, 0, 0.1)
"""The same without noise of the labels."""
ALIKE = (0, 0, 1, 1)
"""The minimal sufficient representation: which inputs have one distribution of labels."""
CLOSE = 1e-9  # bits


def bits(probabilities: Iterable[float]) -> float:
    """Entropy in bits."""
    return math.fsum(-p * math.log2(p) for p in probabilities if p > 0)


def information_between(chances: Sequence[float]) -> Callable[[Any, Any], float]:
    """The information in bits, to 12 digits, of variables given by their values at outcomes of these probabilities."""

    def entropy(outcomes: Sequence[Any]) -> float:
        summands = defaultdict(list)
        for outcome, chance in zip(outcomes, chances, strict=True):
            summands[outcome].append(chance)
        return bits(math.fsum(summands[outcome]) for outcome in set(outcomes))

    def between(one: Sequence[float], other: Sequence[float]) -> float:
        first, second = list(map(int, one)), list(map(int, other))
        return round(
            entropy(first) + entropy(second) - entropy(list(zip(first, second, strict=True))), 12
        )

    return between


BETWEEN = information_between(CHANCES)


def at_outcomes(function: Sequence[int]) -> tuple[int, ...]:
    """The values of a function of the input at the eight outcomes."""
    return tuple(function[value] for value in INPUTS)


def is_in_order(function: tuple[int, ...]) -> bool:
    """Whether the values are named in the order in which they occur: information knows no names."""
    return all(value <= max(function[:i], default=-1) + 1 for i, value in enumerate(function))


FUNCTIONS = list(filter(is_in_order, itertools.product(range(4), repeat=4)))
"""All functions of four inputs, up to the names of their values."""


def outcomes(
    between: Callable[[Any, Any], float] = BETWEEN, **representations: tuple[int, ...]
) -> dict[str, Any]:
    """Values of input, label and representations at the outcomes of the experiment, and their information."""
    values = {name: at_outcomes(function) for name, function in representations.items()}
    return {"I": between, "input": INPUTS, "label": LABELS, **values}


def sufficient() -> list[tuple[int, ...]]:
    """The representations that know as much about the label as the input does."""
    return [f for f in FUNCTIONS if BETWEEN(at_outcomes(f), LABELS) == BETWEEN(INPUTS, LABELS)]


def sufficient_and_minimal() -> Iterator[dict[str, Any]]:
    """Every sufficient representation of four inputs, with the minimal one, for noisy and for certain labels."""
    for between in (BETWEEN, information_between(CERTAIN)):
        yield from (outcomes(between, rep_g=function, rep_h=ALIKE) for function in sufficient())


def every_step() -> Iterator[dict[str, Any]]:
    """Every representation g of four inputs and every function h of it."""
    for function, further in itertools.product(FUNCTIONS, repeat=2):
        yield outcomes(rep_g=function, rep_h=tuple(further[value] for value in function))


def renamed() -> Iterator[dict[str, Any]]:
    """Three values of a representation, and the same under every invertible map of them."""
    for names in itertools.permutations(range(3)):
        yield {
            **outcomes(rep_h=(0, 1, 2, 1)),
            "T": lambda values, names=names: [names[int(v)] for v in values],
        }


def formulation() -> str:
    """All sufficient h of four inputs: one is a function of every other g exactly where y -> x -> g -> h for every g.

    The chain says that g knows as much about h as the input does.
    """

    def is_chain(h: tuple[int, ...], g: tuple[int, ...]) -> bool:
        return BETWEEN(at_outcomes(h), at_outcomes(g)) == BETWEEN(at_outcomes(h), INPUTS)

    def is_function(h: tuple[int, ...], g: tuple[int, ...]) -> bool:
        return len(set(zip(g, h, strict=True))) == len(set(g))

    every = sufficient()
    agree = []
    for h in every:
        chains = all(is_chain(h, g) for g in every)
        agree.append(chains is all(is_function(h, g) for g in every))
    return agreed(agree, "can", "cannot")


def of_equal_inputs(chain: sp.Tuple, h: tuple[int, ...]) -> list[float]:
    """The largest I(g; x) that a chain allows for four equally likely inputs x with the label y = h(x).

    After it the share of all 15 representations g that each relation of the chain allows by itself.
    """
    fair = information_between([0.25] * 4)
    case = {"I": fair, "input": tuple(range(4)), "label": h, "rep_h": h}
    held = np.empty((len(FUNCTIONS), len(chain)), dtype=bool)
    for row, column in np.ndindex(held.shape):
        held[row, column] = bool(evaluate(chain[column], {**case, "rep_g": FUNCTIONS[row]}))
    largest = max(
        fair(f, range(4)) for f, holds in zip(FUNCTIONS, held, strict=True) if holds.all()
    )
    return [largest, *held.mean(axis=0)]


def is_least(statement: sp.Eq) -> bool:
    """All functions of four inputs with noisy labels; the minimiser is the minimal sufficient one, and no other."""
    objective, constraint = statement.rhs.args
    cases = [outcomes(rep_g=function) for function in FUNCTIONS]
    values = [
        (evaluate(objective, case), case["rep_g"])
        for case in cases
        if abs(evaluate(constraint.lhs, case) - evaluate(constraint.rhs, case)) < CLOSE
    ]
    winners = [g for value, g in values if value < min(values)[0] + CLOSE]
    shown = evaluate(statement.lhs, outcomes(rep_h=ALIKE))
    return statement.rhs.func == letters("argmin_g") and np.array_equal(winners, [shown])


def have_one_minimiser(statement: sp.Eq) -> bool:
    """The minimisers of both sides over all functions of four inputs, for 25 weights."""

    def minimisers(side: Any, weight: float) -> set[tuple[int, ...]]:
        if side.func != letters("argmin_h"):
            raise ValueError(f"side: got {side}, needs an arg min")
        values = {
            f: evaluate(side.args[0], outcomes(rep_h=f) | {"beta": weight}) for f in FUNCTIONS
        }
        return {f for f, value in values.items() if value < min(values.values()) + CLOSE}

    weights = np.geomspace(0.3, 30, 25).tolist()
    return all(
        minimisers(statement.lhs, weight) == minimisers(statement.rhs, weight)
        for weight in weights
    )


PROGRAMS: Programs = {
    "1.1 Markov chain": stating(can=formulation),
    "1.1 data processing": numerically(every_step),
    "1.1 chain of inequalities": Program(
        # Of 15 partitions four tell y, and ten have an entropy of at least one bit, as h has.
        numerically(sufficient_and_minimal),
        lambda: [math.log2(4), 4 / 15, 1, 10 / 15, 1],
        value=of_equal_inputs,
        at={"h": (0, 1, 0, 1)},
        quantity="largest I(g; x) in bits, where x is uniform on 0, 1, 2, 3 and y = h, and shares of all g",
    ),
    "1.1 minimal sufficient": of_each_relation(is_least),
    "(1.2)": of_each_relation(have_one_minimiser),
    "1.3 invariance": numerically(renamed),
}
