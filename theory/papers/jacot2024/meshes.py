"""Steps, speeds and layers in numbers; Section 3."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Approximates, Check, Given, for_all
from theory.core.ledger.printed import solved
from theory.core.numbers.evaluation import evaluate
from theory.leaky_resnet.meshes import adaptive_multiplier
from theory.papers.jacot2024 import explicit_nets as nets
from theory.papers.jacot2024.model import skip_connection
from theory.papers.jacot2024.symbols import L, N, W, w

SPEEDS = (0.7, 2.0, 1.1, 3.2)
LETTERS: dict[str, Any] = {"layers": 4, "c_at": lambda i: SPEEDS[int(i) - 1]}
A_before, S_before = sp.MatrixSymbol("A_before", w, N), sp.MatrixSymbol("S_before", w, N)
cancellation = Approximates(W * S_before, L * A_before)


def rises_and_falls(steps: np.ndarray) -> bool:
    """Whether the steps grow up to the middle and shrink after it; both middle ones of an odd number are equal."""
    change, count = np.diff(steps), len(steps)
    before, after = change[: (count - 2) // 2], change[(count - 1) // 2 :]
    between = change[before.size : (count - 1) // 2]
    return bool((before > 0).all() and (after < 0).all() and (abs(between) < 1e-12).all())


def keeps_its_sign(statement: sp.Equivalent) -> tuple[Check, ...]:
    """Each side holds at exactly those steps at which a layer without weights keeps the sign of its input."""
    cases = [(step, depth) for step in (0.1, 0.4, 0.9) for depth in (0.5, 1.05, 1.2, 2.4, 2.6, 9.0, 12.0)]

    def agrees(case: tuple[float, float]) -> bool:
        positive = skip_connection(*case) > 0
        return all(bool(evaluate(side, {"rho": case[0], "L": case[1]})) is positive for side in statement.args)

    return (Check("21 steps and depths", lambda: for_all(cases, agrees), "layers without weights"),)


def equal_steps() -> list[dict[str, Any]]:
    """Numbers of layers around the depth."""
    return [
        {"rho": 1 / count, "layers": count, "L": depth}
        for count in (2, 5, 9)
        for depth in (1.5, 2.5, 4.8, 5.2, 8.9, 9.5)
    ]


def longest(formula: sp.Expr, count: int, stretch: float) -> float:
    """The longest of the printed steps."""
    values = {"layers": count, "a": stretch}
    return max(evaluate(formula, {**values, "l": index}) for index in range(1, count + 1))


def longest_steps(formula: sp.Expr) -> Callable[[], list[dict[str, Any]]]:
    """Numbers of layers, even and odd, with depths just below and just above the greatest."""

    @cache
    def cases() -> list[dict[str, Any]]:
        found = []
        for count in (2, 3, 5, 6, 12):
            for stretch in (0.1, 0.8):
                step = longest(formula, count, stretch)
                found += [
                    {"longest": step, "layers": count, "a": stretch, "L": factor / step}
                    for factor in (0.3, 0.999, 1.001, 3.0)
                ]
        return found

    return cases


def equalises(formula: sp.Eq) -> tuple[Check, ...]:
    """The printed steps sum to one, and a path with these speeds goes equally far in each."""
    rho_at = sp.Function("rho_at", positive=True)
    letter = sp.Symbol("l", integer=True, positive=True)

    def steps() -> np.ndarray:
        expression = solved(formula, rho_at(letter))
        return np.array([evaluate(expression, {**LETTERS, "l": index, "i": 3}) for index in (1, 2, 3, 4)])

    return (
        Check("their sum", lambda: bool(abs(steps().sum() - 1) < 1e-12), "sum"),
        Check("distances", lambda: bool(np.ptp(steps() * np.array(SPEEDS)) < 1e-12), "speed times step"),
    )


def _travelled(x: np.ndarray, speed: float) -> np.ndarray:
    """Distance up to x on a path with the given speed in the middle fifth, over its length."""
    outside = (1 - 0.2 * speed) / 0.8
    return np.interp(x, [0, 0.4, 0.6, 1.0], [0, 0.4 * outside, 0.4 * outside + 0.2 * speed, 1.0])


@cache
def ratio_after(speed: float) -> float:
    """Ratio of the distances of two layers after thirty updates from a mesh near the fixed point."""
    steps, rates = np.array([0.501, 0.499]), np.ones(2)
    for _ in range(30):
        rates = np.diff(_travelled(np.array([0, steps[0], 1]), speed)) / steps
        steps = (1 / rates) / (1 / rates).sum()
    moved = np.diff(_travelled(np.array([0, steps[0], 1]), speed))
    return float(moved.max() / moved.min())


def settles(statement: Any) -> tuple[Check, ...]:
    """Whether updates make the distances equal, on paths that are slow and fast where the first layer ends."""
    claim, condition = (
        (statement.statement, statement.condition) if isinstance(statement, Given) else (statement, sp.true)
    )
    multiplier = adaptive_multiplier()
    allowed = [
        speed
        for speed in (0.3, 1.5, 1.9, 2.2, 3.0)
        if bool(evaluate(condition, {"multiplier": multiplier(speed, 0.5)}))
    ]

    def agrees(speed: float) -> bool:
        are_equal = ratio_after(speed) - 1 < 1e-3
        return are_equal is (claim["distances"] == "equal")

    return (Check("five paths", lambda: for_all(allowed, agrees), "thirty updates of two layers"),)


def is_the_distance(relation: Approximates) -> tuple[Check, ...]:
    """The norm of the difference of both sides is the distance of a layer over its step."""

    def agrees(seed: int) -> bool:
        draw = np.random.default_rng(seed)
        A, weights, depth, step = draw.normal(size=(3, 4)), draw.normal(size=(3, 4)), 1.7, 0.2
        features = nets.activation(A, True)
        after = A + step * nets.leaky(lambda p: weights, depth, True)(0.0, A)
        values = {"A_before": A, "S_before": features, "W": weights, "L": depth}
        difference = evaluate(relation.lhs, values) - evaluate(relation.rhs, values)
        return bool(abs(np.linalg.norm(difference) - np.linalg.norm(after - A) / step) < 1e-9)

    return (Check("three layers", lambda: for_all((0, 1, 2), agrees), "layers of Section 3"),)
