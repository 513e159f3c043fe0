"""Section 3: layers of finite steps, three ways of choosing them, and ranks of teachers, also of Figure 1."""

from functools import cache, partial
from itertools import pairwise, product
from typing import Any

import numpy as np

from papers.jacot2024.ledger import nets
from papers.jacot2024.ledger.model import skip_connection
from papers.jacot2024.ledger.nets import Array, Case
from theory.core import Program, Programs, evaluate, letters_of, numerically, solved
from theory.core.ledger.proving import chosen, deciding, declaring, in_words, is_close, stating

L, rho = letters_of(__package__)("L rho")


def steps_and_depths() -> list[Case]:
    """Products of both below, at and above one."""
    return [
        {"rho": step, "L": depth}
        for step, depth in product((0.1, 0.5, 0.9), (0.5, 1.05, 1.2, 2.0, 2.4, 9.0, 12.0))
    ]


def keeps_its_sign(statement: Any, case: Case) -> bool:
    """Each side holds at exactly those steps at which a layer without weights keeps the sign of its input."""
    is_positive = skip_connection(case["rho"], case["L"]) > 0
    return all(bool(evaluate(side, case)) is is_positive for side in statement.args)


def equal_steps() -> list[Case]:
    """Depths and numbers of layers on both sides, and equal."""
    depths = (1.5, 2.0, 2.5, 4.0, 4.8, 5.2, 8.9, 9.5)
    return [
        {"rho": 1 / count, "layers": count, "L": depth}
        for count, depth in product((2, 4, 5, 9), depths)
    ]


def hat(count: int, stretch: float) -> Array:
    """Steps that grow linearly up to the middle and shrink after it, as an interpolation, without a formula."""
    places = np.arange(1, count + 1) / count
    return (1 + stretch * np.interp(places, (0.0, 0.5, 1.0), (-0.25, 0.25, -0.25))) / count


def printed_steps(formula: Any, count: int, stretch: float) -> Array:
    """The steps that the printed formula gives."""
    values = {"layers": count, "a": stretch}
    return np.array(
        [evaluate(solved(formula, rho), {**values, "l": index}) for index in range(1, count + 1)]
    )


def are_steps(formula: Any, case: Case) -> bool:
    """The printed steps sum to one, and are those of the interpolation."""
    for stretch in (0.0, 0.3, 0.9):
        steps = printed_steps(formula, case["layers"], stretch)
        if not (is_close(steps.sum(), 1.0) and is_close(steps, hat(case["layers"], stretch))):
            return False
    return True


def size_at(half: int) -> str:
    """The end of each half at which the steps of 3 to 40 layers are small; both middle ones of an odd number agree."""
    for count in range(3, 41):
        change = np.diff(hat(count, 0.7))[: (count - 2) // 2]
        if not (change > 0).all():
            return ("large", "small")[half]
    return ("small", "large")[half]


def place_of_points() -> str:
    """Points of 40 layers within a tenth of the ends."""
    places = [np.cumsum(hat(40, stretch)) for stretch in (0.0, 0.95)]
    counts = [((positions < 0.1) | (positions > 0.9)).sum() for positions in places]
    return "close to" if counts[1] > counts[0] else "far from"


@cache
def longest_steps() -> list[Case]:
    """Numbers of layers, even and odd, with depths just below, at and just above the greatest."""
    cases = []
    for count, stretch in ((n, a) for n, a in product((2, 3, 4, 5, 6, 12), (0.0, 0.1, 0.8, 3.0))):
        steps = hat(count, stretch)
        factors = (
            (0.3, 0.999, 1.0, 1.001, 3.0)
            if stretch == 0 and count in (2, 4)
            else (0.3, 0.999, 1.001, 3.0)
        )
        cases += [
            {**nets.MARKS, "rho": steps, "layers": count, "a": stretch, "L": f / steps.max()}
            for f in factors
        ]
    return cases


def adaptive_steps() -> list[Case]:
    """Steps with the sum one and equal distances at random speeds, from a linear system."""
    speeds = np.array([0.7, 2.0, 1.1, 3.2])
    system = np.vstack([np.diag(speeds)[:-1] - np.diag(speeds)[1:], np.ones(4)])
    steps = np.linalg.solve(system, [0.0, 0.0, 0.0, 1.0])
    shared = {
        "layers": 4,
        "i": 3,
        "rho_at": lambda k: steps[int(k) - 1],
        "c_at": lambda k: speeds[int(k) - 1],
    }
    return [{**shared, "l": index} for index in (1, 2, 3, 4)]


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


def is_the_distance(relation: Any, seed: int) -> bool:
    """Random layers: the distance of a layer over its step is the norm of the difference of both sides."""
    A, weights = np.random.default_rng(seed).normal(size=(2, 3, 4))
    depth, step = 1.7, 0.2
    after = A + step * nets.leaky(lambda p: weights, depth, True)(0.0, A)
    values = {"A_before": A, "S_before": nets.activation(A, True), "W": weights, "L": depth}
    difference = evaluate(relation.lhs, values) - evaluate(relation.rhs, values)
    return is_close(np.linalg.norm(difference), np.linalg.norm(after - A) / step)


equal_distances = numerically(adaptive_steps)
DISTANCES = {"same": 1.0, "different": np.inf}


@cache
def rank_of_a_composition(dimensions: tuple[int, ...]) -> int:
    """Rank of the derivative of a composition of random networks between these dimensions, at a random point."""
    draw = np.random.default_rng(1)
    x, slope = draw.normal(size=dimensions[0]), np.eye(dimensions[0])
    for n, m in pairwise(dimensions):
        first, second = draw.normal(size=(100, n)), draw.normal(size=(m, 100)) / 10
        x, slope = (
            second @ np.maximum(first @ x, 0),
            second @ ((first @ x > 0)[:, None] * first) @ slope,
        )
    return int(np.linalg.matrix_rank(slope))


def has_the_rank(claim: Any, *inner: int) -> bool:
    """The rank of the derivative is a lower bound, the smallest inner dimension an upper one."""
    return bool(rank_of_a_composition((30, *inner, 30)) == min(inner) == claim["k"])


PROGRAMS: Programs = {
    "Figure 1": deciding(lambda claim: has_the_rank(claim, 3), in_words("", has_the_rank)),
    "3 rank": deciding(
        lambda claim: has_the_rank(claim, 6, int(claim["second"])), in_words("", has_the_rank)
    ),
    "3 prefactor": declaring(deciding(keeps_its_sign, cases=steps_and_depths), "< or >"),
    "3 equidistant": numerically(equal_steps),
    "3 irregular": Program(
        deciding(are_steps, cases=lambda: [{"layers": count} for count in range(3, 14)]),
        lambda: 1.0,
        value=lambda formula, layers, a: printed_steps(formula, layers, a).sum(),
        at={"layers": 5, "a": 0.8},
        quantity="sum of the steps, which should be one",
    ),
    "3 irregular shape": stating(ends=partial(size_at, 0), middle=partial(size_at, 1)),
    "3 irregular points": stating(where=place_of_points),
    "3 irregular condition": numerically(longest_steps),
    "3 adaptive | 3 adaptive index": equal_distances,
    "3 adaptive update": Program(
        deciding(
            lambda claim, case: (
                (ratio_after(case["c"]) - 1 < 1e-3)
                is (chosen(claim, "distances", DISTANCES) == 1.0)
            ),
            cases=lambda: [{"c": speed} for speed in (0.3, 1.5, 1.9, 2.0, 2.2, 3.0)],
        ),
        ratio_after,
        lambda claim: chosen(claim, "distances", DISTANCES),
        at={"speed": 3.0},
        quantity="ratio of both distances after 30 updates",
    ),
    "3 large steps": declaring(deciding(is_the_distance, cases=lambda: (0, 1, 2)), "≈"),
}
