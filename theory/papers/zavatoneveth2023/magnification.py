r"""Appendix E.2: how one training point changes areas, Eqs. (E.38) to (E.41), and one point of XOR."""

from __future__ import annotations

import itertools
from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Given, Word, equal, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.transition import programs_of
from theory.papers.zavatoneveth2023.appendix_letters import d, entry, n, norm_a, q, y_a
from theory.papers.zavatoneveth2023.deep_linear_error import is_when_width_helps
from theory.papers.zavatoneveth2023.finite_posterior import (
    agrees_to_first_order,
    expanded,
    fluctuations_are_those_of_exact_sums,
    remainder,
    solved_case,
)
from theory.papers.zavatoneveth2023.linear_posterior import posterior_moment
from theory.papers.zavatoneveth2023.overlap import NORM_A, OVERLAP, monomials, orders
from theory.papers.zavatoneveth2023.posterior_volume import (
    CONSEQUENCE,
    SOLVED,
    background,
    beyond,
    untrained,
    volume,
)
from theory.papers.zavatoneveth2023.unit_averages import ACTIVATION, gaussian_nodes

chi_rho, output_square = sp.symbols("chi_rho output_square", positive=True)
SETTINGS = ((1, 2), (2, 2), (3, 2), (2, 3))
ROUNDING = 1e-8


@cache
def monomial_cases() -> list[dict[str, Any]]:
    """Expansions for degrees 1 to 3, targets below and above the standard deviation of the output."""
    cases = []
    for (degree, inputs), ratio in itertools.product(SETTINGS, (0.3, 2.5)):
        found = orders(degree, inputs, OVERLAP, ratio)
        target = np.sqrt(ratio) * NORM_A**degree
        cases.append(expanded(found, q=degree, d=inputs, norm_a=NORM_A, y_a=target, chi_rho=found["chi"]))
    return cases


def is_the_expansion(relation: sp.Eq) -> tuple[Check, ...]:
    """Both sides to first order, from the fluctuations of one unit, and for a network solved at any width."""

    def agrees() -> bool:
        return all(agrees_to_first_order(relation, case, ROUNDING) for case in monomial_cases())

    return (
        Check("fluctuations", fluctuations_are_those_of_exact_sums, "exact sums over networks of three kinds of units"),
        Check("degrees 1 to 3", agrees, "fluctuations of one unit, by quadrature"),
        Check("linear network", lambda: agrees_to_first_order(relation, solved_case()), "Bessel and Gamma functions"),
        remainder(relation),
    )


def change(degree: int, overlap: float, ratio: float, reference: str) -> float:
    """Coefficient of 1/n by which the volume element differs from that of the reference, two inputs."""
    found = orders(degree, 2, overlap, ratio)
    return found["volume"] - (found["untrained"] if reference.startswith("untrained") else 0.0)


SIGNS = {"compresses": -1, "expands": 1}
PLACES = {"orthogonal": 0.0, "parallel": 1.0}
INFINITE = "infinitely wide networks"


def changes_areas(statement: Any) -> tuple[Check, ...]:
    """Degrees 2 and 3, overlaps from 0 to 1, squared targets just below and just above the prior variance."""
    claim = statement.statement if isinstance(statement, Given) else statement
    reference = statement.condition["reference"] if isinstance(statement, Given) else INFINITE
    overlaps = np.linspace(0, 1, 6)

    def values(ratio: float) -> list[list[float]]:
        return [[change(degree, float(overlap), ratio, reference) for overlap in overlaps] for degree in (2, 3)]

    def has(sign: int, ratio: float) -> bool:
        return all(np.sign(value) == sign for row in values(ratio) for value in row)

    def is_at(place: str, index: int) -> bool:
        sizes = np.abs(np.array(values(0.9) + values(1.1)))
        order = np.argsort(sizes, axis=1)[:, index]
        return bool(np.all(overlaps[order] == PLACES[place]))

    return (
        Check("below", lambda: has(SIGNS[claim["below"]], 0.9), "quadrature"),
        Check("above", lambda: has(SIGNS[claim["above"]], 1.1), "quadrature"),
        Check("least", lambda: is_at(claim["least"], 0), "quadrature"),
        Check("most", lambda: is_at(claim["most"], -1), "quadrature"),
    )


def changes_one_point_of_xor(claim: Claim) -> tuple[Check, ...]:
    """Training input (1, 1), target 0: all directions of the plane, degrees 2 and 3, against both references."""
    angles = np.linspace(0, np.pi, 9)[:-1]
    directions = np.stack([np.cos(angles), np.sin(angles)])
    overlaps = np.abs(directions.T @ np.array([1, 1])) / np.sqrt(2)
    lines = {"along x_1 = x_2": 1.0, "orthogonal to it": 0.0}

    def sizes(reference: str) -> list[list[float]]:
        return [[change(degree, min(float(o), 1.0), 0.0, reference) for o in overlaps] for degree in (2, 3)]

    def holds(reference: str) -> bool:
        found = np.array(sizes(reference)) * {"contracted": -1, "expanded": 1}[claim["change"]]
        most, least = overlaps[np.argmax(found, 1)], overlaps[np.argmin(found, 1)]
        return bool(
            np.all(found > 0)
            and np.allclose(most, lines[claim["most"]], atol=1e-6)
            and np.allclose(least, lines[claim["least"]], atol=1e-6)
        )

    return tuple(Check(name, partial(holds, name), "quadrature") for name in ("untrained networks", INFINITE))


@cache
def outputs() -> list[dict[str, Any]]:
    """Mean squared output of networks of two units over weights and read-outs, which take the values +1 and -1."""
    (one, other), weights = gaussian_nodes(2, 12)
    cases = []
    for degree in (0, 1, 2, 3):  # 0: an activation function without a symmetry
        phi = (monomials(degree) if degree else ACTIVATION)["phi0"]
        networks = [(v * phi(NORM_A * one) + phi(NORM_A * other)) / np.sqrt(2) for v in (1, -1)]
        mean = sum(weights @ network**2 for network in networks) / 2
        cases.append({"q": degree, "norm_a": NORM_A, "output_square": mean, "z_a": NORM_A * one, "phi0": phi,
                      "E": lambda values: weights @ values})  # fmt: skip
    return cases


contraction = Claim(
    "If the squared target is below the variance of the output under the prior, the leading correction {below} areas, "
    "if above, it {above} them, least for points {least} to the training example and most for points {most} to it.",
    {
        "below": Word("compresses", ("expands",)),
        "above": Word("expands", ("compresses",)),
        "least": Word("orthogonal", ("parallel",)),
        "most": Word("parallel", ("orthogonal",)),
    },
)
right_side = 1 + (y_a**2 / norm_a ** (2 * q) - 1) * (chi_rho - d) / (4 * n) + beyond

PROGRAMS: Programs = {
    **programs_of(
        (
            entry(
                "(E.38)",
                "E.2",
                "The volume element for monomials to first order in 1/n.",
                Finding.MISPRINT,
                "It is (E.16) with (E.41). Degrees 1 to 3 with two and three inputs from the fluctuations of one unit; a "
                "linear network solved at any width.",
                printed=equal(volume / background, right_side),
                corrected=equal(volume / untrained, right_side),
                prove=is_the_expansion,
                witness=SOLVED,
                consequence=CONSEQUENCE,
                heirs=("E.2 expansion and contraction",),
                closed_form="geometry.bayesian_volume_correction.monomial_2",
            ),
        )
    ),
    "E.2 expansion and contraction": Program(
        changes_areas,
        lambda: float(np.sign(float(posterior_moment(0.5, 1000, 1.1)) - 1)),
        value=lambda claim: float(SIGNS[claim["above"]]),
    ),
    "(E.39)": is_when_width_helps,
    "(E.40)": numerically(outputs, "quadrature"),
    "(E.41)": numerically(lambda: outputs()[1:], "quadrature"),
    "E.2 one point of XOR": changes_one_point_of_xor,
}
