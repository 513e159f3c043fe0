r"""Appendix E.1: the posterior mean of the volume element, Eqs. (E.15) to (E.17)."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Witness, equal
from theory.core.ledger.ledger import Programs
from theory.core.ledger.printed import solved
from theory.core.ledger.transition import programs_of
from theory.core.numbers.evaluation import evaluate
from theory.papers.zavatoneveth2023.appendix_letters import E, chi, d, entry, n, phi0, y_a, z_a
from theory.papers.zavatoneveth2023.finite_posterior import (
    BACKGROUND,
    KERNELS,
    METRICS,
    PROBABILITIES,
    TARGETS,
    TRAINING,
    UNITS,
    agrees_to_first_order,
    drawn_units,
    expanded,
    fluctuations,
    remainder,
    solved_case,
)
from theory.papers.zavatoneveth2023.linear_posterior import posterior_moment
from theory.papers.zavatoneveth2023.unit_averages import ACTIVATION

volume, background, untrained, root_of_mean = sp.symbols("volume background untrained root_of_mean", positive=True)
beyond = sp.Order(n**-2, (n, sp.oo))
LARGE = 10_000  # units; what is left of order 1/n^2 is then 1e-8
CONSEQUENCE = (
    "Fluctuations of the metric over untrained networks lower the mean volume element at the same order in 1/n, by a "
    "term that does not depend on the training data: relative to infinite width it is -(E[tau^2] + d^2 - 2d)/(8n) with "
    "tau = phi'(z)^2 w gbar^-1 w, which is -1/(4n) for linear units of one input. The printed expansion and "
    "contraction are relative to untrained networks of the same width."
)


def number_at(relation: sp.Eq) -> float:
    """The mean volume element that the statement gives for the case solved exactly."""
    without = dict.fromkeys(relation.rhs.atoms(sp.Order), 0)
    stated = equal(relation.lhs, relation.rhs.xreplace(without))
    return float(np.real(evaluate(solved(stated, volume), solved_case(LARGE))))


@cache
def exactly() -> float:
    """The same from Bessel functions."""
    return BACKGROUND * float(posterior_moment(0.5, LARGE, 2.5))


SOLVED = Witness(
    {
        "network": "linear, one input",
        "unit": "1/1.7 of the volume element at infinite width",
        "n": LARGE,
        "x_a": 1.3,
        "y_a": "1.3 sqrt(2.5)",
    },
    exactly,
    number_at,
    1e-6,
)


def case_of_drawn_units() -> dict[str, Any]:
    """Three units on two inputs: orders by exact sums, chi from (E.17)."""
    kernels = KERNELS[:, 0, 0]
    letters = fluctuations(METRICS, kernels, PROBABILITIES, TARGETS[0, 0] ** 2)
    return expanded(
        drawn_units(), **ACTIVATION, y_a=TARGETS[0, 0], chi=letters["chi"], d=2, z_a=UNITS @ TRAINING[0],
        E=lambda values: PROBABILITIES @ values,
    )  # fmt: skip


def is_the_expansion(relation: sp.Eq) -> tuple[Check, ...]:
    """Both sides to first order for a network of any activation function, and for one solved at any width."""
    return (
        Check("three units", lambda: agrees_to_first_order(relation, case_of_drawn_units()), "exact sums"),
        Check("linear network", lambda: agrees_to_first_order(relation, solved_case()), "Bessel and Gamma functions"),
        remainder(relation),
    )


EVIDENCE = (
    "(E.2) inserted in the mean keeps terms linear in the fluctuation, but squares of it are of order 1/n as well. All "
    "networks whose units are drawn from three, summed exactly; a linear network solved at any width."
)

PROGRAMS: Programs = {
    **programs_of(
        (
            entry(
                "(E.15)",
                "E.1",
                "The posterior mean of the volume element and the volume element of the posterior mean of the metric.",
                Finding.MISPRINT,
                EVIDENCE
                + " The text that was read has the fractions in pieces; (E.16), which is legible, has the same fault.",
                printed=equal(volume / background, root_of_mean / background + beyond),
                corrected=equal(volume / untrained, root_of_mean / background + beyond),
                prove=is_the_expansion,
                witness=SOLVED,
                consequence=CONSEQUENCE,
                heirs=("(E.16)", "(E.38)", "E.2 expansion and contraction"),
            ),
        )
    ),
    **programs_of(
        (
            entry(
                "(E.16)",
                "E.1",
                "The posterior mean of the volume element to first order in 1/n.",
                Finding.MISPRINT,
                EVIDENCE,
                printed=equal(volume / background, 1 + (y_a**2 / E(phi0(z_a) ** 2) - 1) * (chi - d) / (4 * n) + beyond),
                corrected=equal(
                    volume / untrained, 1 + (y_a**2 / E(phi0(z_a) ** 2) - 1) * (chi - d) / (4 * n) + beyond
                ),
                prove=is_the_expansion,
                witness=SOLVED,
                consequence=CONSEQUENCE,
                heirs=("(E.38)", "E.2 expansion and contraction"),
            ),
        )
    ),
}
