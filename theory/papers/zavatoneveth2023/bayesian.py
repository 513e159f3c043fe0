r"""Appendix E: perturbed metrics, and the setting of a wide Bayesian network, Eqs. (E.1) to (E.11)."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check
from theory.core.ledger.ledger import Programs
from theory.core.numbers.evaluation import evaluate
from theory.papers.zavatoneveth2023.finite_posterior import INPUT, METRICS, PROBABILITIES, UNITS
from theory.papers.zavatoneveth2023.unit_averages import ACTIVATION

det_g, det_background, contraction, h = sp.symbols("det_g det_background contraction h", positive=True)
ROUNDING = 1e-9


def first_difference(relation: sp.Eq, size: int) -> int:
    """The power of h in which the two sides first differ, for a metric of this size; a Taylor series on a circle."""
    draw = np.random.default_rng(size)
    root, change = draw.normal(size=(2, size, size))
    background, change = root @ root.T + np.eye(size), change + change.T
    steps = 0.02 * np.exp(2j * np.pi * np.arange(16) / 16)
    values = {
        "det_background": np.linalg.det(background),
        "det_g": np.linalg.det(background + steps[:, None, None] * change),
        "contraction": steps * np.trace(np.linalg.solve(background, change)),
    }
    without = dict.fromkeys(relation.rhs.atoms(sp.Order), 0)
    difference = evaluate(relation.lhs - relation.rhs.xreplace(without), values) / values["det_background"]
    powers = np.abs(np.fft.fft(difference)) / 16 / 0.02 ** np.arange(16)
    return int(np.flatnonzero(powers > ROUNDING / 0.02 ** np.arange(16) * 1e-3)[0])


def is_first_order(relation: sp.Eq) -> tuple[Check, ...]:
    """The sides differ from the printed order on, and not before."""
    (remainder,) = relation.rhs.atoms(sp.Order)
    order = remainder.expr.as_base_exp()[1]

    def holds(size: int) -> bool:
        return bool(first_difference(relation, size) == order)

    return tuple(Check(f"{size} inputs", partial(holds, size), "series in h") for size in (2, 3))


def averages_over_units(relation: sp.Eq) -> tuple[Check, ...]:
    """The metric of networks of two units, averaged over the prior, against the average over one unit."""
    pairs = np.multiply.outer(PROBABILITIES, PROBABILITIES)
    networks = (METRICS[:, None] + METRICS[None]) / 2
    untrained = np.einsum("ik,ikmn->mn", pairs, networks)
    values: dict[str, Any] = {**ACTIVATION, "z": UNITS @ INPUT, "E": lambda one: PROBABILITIES @ one}
    values["w"] = lambda index: UNITS[:, index - 1]

    def agrees(index: tuple[int, int]) -> bool:
        case = {**values, "mu": index[0] + 1, "nu": index[1] + 1, "g_bar": untrained[index]}
        return bool(abs(evaluate(relation.lhs, case) - evaluate(relation.rhs, case)) < ROUNDING)

    return (Check("networks of two units", lambda: all(agrees(index) for index in ((0, 0), (0, 1), (1, 1))), "sums"),)


g_bar = sp.Symbol("g_bar", real=True)

PROGRAMS: Programs = {
    "(E.1)": is_first_order,
    "(E.2)": is_first_order,
    "(E.6)": averages_over_units,
}
