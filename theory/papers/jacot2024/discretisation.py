"""Section 3: layers of finite steps, and the three ways of choosing them."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Given, equal, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import meshes

layers, l = sp.symbols("layers l", integer=True, positive=True)
a, rho_l, longest = sp.symbols("a rho_l longest", real=True)
irregular = 1 / layers + a / layers * (sp.Rational(1, 4) - sp.Abs(l / layers - sp.Rational(1, 2)))
ODD = {"layers": 5, "a": 0.8}


def printed_steps(formula: sp.Eq, count: int, stretch: float) -> np.ndarray:
    """The steps that the printed formula gives."""
    values = {"layers": count, "a": stretch}
    return np.array([evaluate(solved(formula, rho_l), {**values, "l": index}) for index in range(1, count + 1)])


def are_steps(statement: Any) -> tuple[Check, ...]:
    """The printed steps sum to one, are longer in the middle the larger a is, and equal for a = 0."""
    formula, condition = (
        (statement.statement, statement.condition) if isinstance(statement, Given) else (statement, sp.true)
    )
    counts = [count for count in range(3, 14) if bool(evaluate(condition, {"layers": count}))]
    stretches = (0.0, 0.3, 0.9)

    def sums_to_one(count: int) -> bool:
        return all(abs(printed_steps(formula, count, stretch).sum() - 1) < 1e-12 for stretch in stretches)

    def has_the_shape(count: int) -> bool:
        found = [count * printed_steps(formula, count, stretch).max() for stretch in stretches]
        return bool(np.allclose(found, [1 + stretch / 4 for stretch in stretches]))

    return (
        Check("their sum", lambda: for_all(counts, sums_to_one), "sums"),
        Check("the longest", lambda: for_all(counts, has_the_shape), "the bound of the sentence after"),
        Check("small, large, small", lambda: for_all(counts, lambda n: meshes.rises_and_falls(
            printed_steps(formula, n, 0.7))), "differences"),
    )  # fmt: skip


def is_rising_and_falling(claim: Claim) -> tuple[Check, ...]:
    """The order of sizes for up to forty layers."""
    formula = equal(rho_l, irregular)

    def agrees(count: int) -> bool:
        return meshes.rises_and_falls(printed_steps(formula, count, 0.7))

    holds = claim["ends"] == "small" and claim["middle"] == "large"
    return (Check("3 to 40 layers", lambda: for_all(range(3, 41), agrees) is holds, "differences"),)


def crowds_the_ends(claim: Claim) -> tuple[Check, ...]:
    """How many of 40 points lie within a tenth of the ends."""
    formula = equal(rho_l, irregular)

    def count(stretch: float) -> int:
        places = np.cumsum(printed_steps(formula, 40, stretch))
        return int(((places < 0.1) | (places > 0.9)).sum())

    return (Check("40 layers", lambda: (count(0.95) > count(0.0)) is (claim["where"] == "close to"), "sums"),)


PROGRAMS: Programs = {
    "3 prefactor": meshes.keeps_its_sign,
    "3 equidistant": numerically(meshes.equal_steps, "numbers"),
    "3 irregular": Program(are_steps, lambda: 1.0, value=lambda formula: printed_steps(formula, 5, 0.8).sum()),
    "3 irregular shape": is_rising_and_falling,
    "3 irregular points": crowds_the_ends,
    "3 irregular condition": Program(
        numerically(meshes.longest_steps(irregular), "the longest of the steps"),
        lambda: 1 / meshes.longest(irregular, 5, 0.8),
        value=lambda statement: 5 / evaluate((1 + a / 4), ODD),
    ),
}
