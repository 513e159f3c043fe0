"""Section 3: layers of finite steps, and the three ways of choosing them."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from theory.core import Check, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.ledger.proving import allowed, chosen, is_close, stating, unconditional
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import nets
from theory.papers.jacot2024.model import skip_connection
from theory.papers.jacot2024.nets import Array, Case
from theory.papers.jacot2024.symbols import letters

L, rho, rho_at, l = letters("L rho rho_at l")
SPEEDS = (0.7, 2.0, 1.1, 3.2)


def keeps_its_sign(statement: Any) -> tuple[Check, ...]:
    """Each side holds at exactly those steps at which a layer without weights keeps the sign of its input."""
    cases = [(step, depth) for step in (0.1, 0.5, 0.9) for depth in (0.5, 1.05, 1.2, 2.0, 2.4, 2.6, 9.0, 12.0)]

    def agrees(case: tuple[float, float]) -> bool:
        positive = skip_connection(*case) > 0
        return all(bool(evaluate(side, {"rho": case[0], "L": case[1]})) is positive for side in statement.args)

    return (Check("24 steps and depths", lambda: for_all(cases, agrees), "layers without weights"),)


def equal_steps() -> list[Case]:
    """Numbers of layers around the depth, and equal to it."""
    depths = (1.5, 2.0, 2.5, 4.0, 4.8, 5.2, 8.9, 9.5)
    return [{"rho": 1 / count, "layers": count, "L": depth} for count in (2, 4, 5, 9) for depth in depths]


def hat(count: int, stretch: float) -> Array:
    """Steps that grow linearly up to the middle and shrink after it, as an interpolation, without a formula."""
    places = np.arange(1, count + 1) / count
    return (1 + stretch * np.interp(places, (0.0, 0.5, 1.0), (-0.25, 0.25, -0.25))) / count


def printed_steps(formula: Any, count: int, stretch: float) -> Array:
    """The steps that the printed formula gives."""
    values = {"layers": count, "a": stretch}
    return np.array([evaluate(solved(formula, rho), {**values, "l": index}) for index in range(1, count + 1)])


def are_steps(statement: Any) -> tuple[Check, ...]:
    """The printed steps sum to one, and are the hat."""
    formula = unconditional(statement)
    counts = [case["layers"] for case in allowed(statement, [{"layers": count} for count in range(3, 14)])]
    stretches = (0.0, 0.3, 0.9)

    def sums_to_one(count: int) -> bool:
        return all(abs(printed_steps(formula, count, stretch).sum() - 1) < 1e-12 for stretch in stretches)

    def is_a_hat(count: int) -> bool:
        return all(is_close(printed_steps(formula, count, stretch), hat(count, stretch)) for stretch in stretches)

    return (
        Check("their sum", lambda: for_all(counts, sums_to_one), "sums"),
        Check("small, large, small", lambda: for_all(counts, is_a_hat), "interpolation"),
    )


def size_at(half: int) -> str:
    """The end of each half at which the steps of 3 to 40 layers are small; both middle ones of an odd number agree."""
    for count in range(3, 41):
        change = np.diff(hat(count, 0.7))[: (count - 2) // 2]
        if not (change > 0).all():
            return ("large", "small")[half]
    return ("small", "large")[half]


def place_of_points() -> str:
    """Where of 40 points there are more at a large a."""
    places = [np.cumsum(hat(40, stretch)) for stretch in (0.0, 0.95)]
    counts = [((place < 0.1) | (place > 0.9)).sum() for place in places]
    return "close to" if counts[1] > counts[0] else "far from"


@cache
def longest_steps() -> list[Case]:
    """Numbers of layers, even and odd, with depths just below, at and just above the greatest."""
    found = []
    for count, stretch in ((n, a) for n in (2, 3, 4, 5, 6, 12) for a in (0.0, 0.1, 0.8)):
        steps = hat(count, stretch)
        factors = (0.3, 0.999, 1.0, 1.001, 3.0) if stretch == 0 and count in (2, 4) else (0.3, 0.999, 1.001, 3.0)
        found += [{**nets.MARKS, "rho": steps, "layers": count, "a": stretch, "L": f / steps.max()} for f in factors]
    return found


def greatest_depth(statement: Any) -> float:
    """The depth that the printed bound allows five layers at a = 0.8."""
    bound = next(side for side in statement.args if "layers" in map(str, side.free_symbols))
    return float(5 / evaluate(bound.gts / L if bound.gts.has(L) else bound.lts / L, {"a": 0.8, "layers": 5}))


def equalises(formula: Any) -> tuple[Check, ...]:
    """The printed steps sum to one, and a path with these speeds goes equally far in each."""

    def steps() -> Array:
        expression = solved(formula, rho_at(l))
        values = {"layers": 4, "c_at": lambda i: SPEEDS[int(i) - 1], "i": 3}
        return np.array([evaluate(expression, {**values, "l": index}) for index in (1, 2, 3, 4)])

    return (
        Check("their sum", lambda: bool(abs(steps().sum() - 1) < 1e-12), "sum"),
        Check("distances", lambda: bool(np.ptp(steps() * np.array(SPEEDS)) < 1e-12), "speed times step"),
    )


def _travelled(x: Array, speed: float) -> Array:
    """Distance up to x on a path with the given speed in the middle fifth, over its length."""
    outside = (1 - 0.2 * speed) / 0.8
    return np.interp(x, [0, 0.4, 0.6, 1.0], [0, 0.4 * outside, 0.4 * outside + 0.2 * speed, 1.0])


@cache
def ratio_after(speed: float) -> float:
    """Ratio of the distances of two layers after thirty updates from a mesh near the fixed point."""
    steps = np.array([0.501, 0.499])
    for _ in range(30):
        rates = np.diff(_travelled(np.array([0, steps[0], 1]), speed)) / steps
        steps = (1 / rates) / (1 / rates).sum()
    moved = np.diff(_travelled(np.array([0, steps[0], 1]), speed))
    return float(moved.max() / moved.min())


def settles(statement: Any) -> tuple[Check, ...]:
    """Whether updates make the distances equal, on paths that are slow and fast where the first layer ends."""
    become_equal = chosen(unconditional(statement), "distances", {"same": True, "different": False})
    paths = allowed(statement, [{"c": speed} for speed in (0.3, 1.5, 1.9, 2.0, 2.2, 3.0)])

    def agrees(case: Case) -> bool:
        return (ratio_after(case["c"]) - 1 < 1e-3) is become_equal

    return (Check("six paths", lambda: for_all(paths, agrees), "thirty updates of two layers"),)


def is_the_distance(relation: Any) -> tuple[Check, ...]:
    """The norm of the difference of both sides is the distance of a layer over its step."""

    def agrees(seed: int) -> bool:
        A, weights = np.random.default_rng(seed).normal(size=(2, 3, 4))
        depth, step = 1.7, 0.2
        after = A + step * nets.leaky(lambda p: weights, depth, True)(0.0, A)
        values = {"A_before": A, "S_before": nets.activation(A, True), "W": weights, "L": depth}
        difference = evaluate(relation.lhs, values) - evaluate(relation.rhs, values)
        return is_close(np.linalg.norm(difference), np.linalg.norm(after - A) / step)

    return (Check("three layers", lambda: for_all((0, 1, 2), agrees), "layers of Section 3"),)


PROGRAMS: Programs = {
    "3 prefactor": keeps_its_sign,
    "3 equidistant": numerically(equal_steps, "numbers"),
    "3 irregular": Program(are_steps, lambda: 1.0, value=lambda formula: printed_steps(formula, 5, 0.8).sum()),
    "3 irregular shape": stating({"ends": partial(size_at, 0), "middle": partial(size_at, 1)}, "differences"),
    "3 irregular points": stating({"where": place_of_points}, "sums"),
    "3 irregular condition": Program(
        numerically(longest_steps, "the longest of the steps"),
        lambda: 1 / hat(5, 0.8).max(),
        value=lambda statement: greatest_depth(statement),
    ),
    "3 adaptive": equalises,
    "3 adaptive index": Program(
        equalises,
        lambda: float(1 / SPEEDS[0] / (1 / np.array(SPEEDS)).sum()),
        value=lambda formula: evaluate(
            solved(formula, rho_at(l)), {"layers": 4, "c_at": lambda i: SPEEDS[int(i) - 1], "l": 1, "i": 3}
        ),
    ),
    "3 adaptive update": Program(
        settles,
        lambda: ratio_after(3.0),
        value=lambda claim: chosen(claim, "distances", {"same": 1.0, "different": np.inf}),
    ),
    "3 large steps": is_the_distance,
}
