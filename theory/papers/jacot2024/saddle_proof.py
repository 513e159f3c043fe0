"""Appendix A.1: the lines of the proof of Proposition 6."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, for_all, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import constant_cost as paths

i = sp.Symbol("i", integer=True)
ones, row_t = sp.symbols("ones row_t")
outer = sp.Function("outer")


def covariances_stay(statement: sp.Eq) -> tuple[Check, ...]:
    """Both covariances along the path that the printed rows make; its first point, and a zero row at its last."""
    path = paths.inside()

    def at(place: float) -> Any:
        values = {"t": place, "a": lambda i: path.coefficients[i - 1], "row_hat": lambda i: path.start[i - 1]}
        printed = solved(statement, row_t)
        return np.array([evaluate(printed.subs(i, n), values) for n in range(1, len(path.start) + 1)])

    def keeps(place: float) -> bool:
        pairs = [(M.T @ M, np.maximum(M, 0).T @ np.maximum(M, 0)) for M in (at(place), path.start)]
        return bool(np.allclose(pairs[0], pairs[1]))

    return (
        Check("covariances", lambda: for_all((0.2, 0.7, 1.0), keeps, ), "matrix products"),
        Check("first point", lambda: bool(np.allclose(at(0.0), path.start)), "entries"),
        Check("last point", lambda: bool((np.abs(at(1.0)).max(axis=1) < 1e-9).any()), "entries"),
    )  # fmt: skip


def is_what_is_used(claim: Claim) -> tuple[Check, ...]:
    """Not non-negative implies not stable, from: stable implies non-negative."""
    return (Check("truth table", lambda: truth(claim) == [1.0, 1.0, 0.0, 1.0], "logic"),)


def truth(claim: Claim) -> list[float]:
    """Of the named form of "stable implies non-negative", for the four cases of (stable, non-negative)."""
    cases = ((False, False), (False, True), (True, False), (True, True))
    if claim["form"] == "converse":
        return [float(not is_nonnegative or is_stable) for is_stable, is_nonnegative in cases]
    return [float(is_nonnegative or not is_stable) for is_stable, is_nonnegative in cases]


PROGRAMS: Programs = {
    "Proposition 6, cone": Program(
        numerically(paths.covariances, "matrix products"),
        lambda: paths.covariances()[1]["K_sigma"],
        value=lambda pair: evaluate(pair[1].rhs, paths.covariances()[1]),
    ),
    "Proposition 6, dimension": numerically(
        lambda: [{"N": size, "dimension": paths.dimension_of_pairs(size)} for size in (1, 2, 3, 4)], "rank"
    ),
    "Proposition 6, combination": numerically(paths.covariances, "linear programme", tolerance=1e-8),
    "Proposition 6, path": covariances_stay,
    "Proposition 6, covariances": numerically(paths.covariances, "matrix products", tolerance=1e-8),
    "Proposition 6, cost": numerically(paths.costs, "pseudo-inverses", tolerance=1e-8),
    "Proposition 6, non-negative": Program(
        numerically(paths.signs, "matrix products"),
        lambda: -0.6,
        value=lambda statement: float(max(0.0, evaluate(statement.args[1].lhs, paths.signs()[0]))),
    ),
    "Proposition 6, converse": Program(is_what_is_used, lambda: np.array([1.0, 1.0, 0.0, 1.0]), value=truth),
}
