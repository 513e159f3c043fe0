"""Section 3: layers of finite steps, and the three ways of choosing them."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Given, Witness, Word, equal, for_all, numerically
from theory.core.ledger.printed import solved
from theory.core.numbers.evaluation import evaluate
from theory.papers.jacot2024 import meshes
from theory.papers.jacot2024.paper import PAPER
from theory.papers.jacot2024.symbols import L

layers, l, i = sp.symbols("layers l i", integer=True, positive=True)
a, rho, rho_l, longest, distance, multiplier = sp.symbols("a rho rho_l longest distance multiplier", real=True)
rho_at, c_at = sp.Function("rho_at", positive=True), sp.Function("c_at", positive=True)
irregular = 1 / layers + a / layers * (sp.Rational(1, 4) - sp.Abs(l / layers - sp.Rational(1, 2)))
is_even = equal(sp.Mod(layers, 2), 0)
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


EQUATIONS = (
    PAPER.entry(
        "3 layers",
        "3",
        "Activations at the positions rho_1 + ... + rho_l, the steps summing to one, and the regularised cost.",
        Finding.DEFINITION,
        "Euler steps forward; at a critical point forward and backward pass together are the symplectic Euler method "
        "that is implicit in the momenta, of first order.",
        printed=r"\alpha_{p_\ell}(x) = (1 - \rho_\ell \tilde{L}) \alpha_{p_{\ell-1}}(x) + \rho_\ell W_{p_\ell} "
        r"\sigma(\alpha_{p_{\ell-1}}(x)), \quad \mathcal{L}(\theta) = C(\alpha_1(X)) + \frac{\lambda}{2\tilde{L}} "
        r"\sum_{\ell=1}^L \rho_\ell \|W_{p_\ell}\|^2",
    ),
    PAPER.entry(
        "3 prefactor",
        "3",
        "The prefactor does not become negative if a step times the depth is below 1.",
        Finding.CONFIRMED,
        "The factor of the input of a layer without weights, on both sides of the bound.",
        printed=sp.Equivalent(sp.Lt(rho * L, 1), sp.Gt(1 - rho * L, 0)),
        prove=meshes.keeps_its_sign,
    ),
    PAPER.entry(
        "3 equidistant",
        "3",
        "For equal steps that condition is that there are more layers than the depth.",
        Finding.CONFIRMED,
        "Depths and numbers of layers on both sides.",
        printed=sp.Equivalent(sp.Lt(rho * L, 1), sp.Gt(layers, L)),
        prove=numerically(meshes.equal_steps, "numbers"),
    ),
    PAPER.entry(
        "3 irregular",
        "3",
        "Irregular steps that sum to one.",
        Finding.CONDITIONAL,
        "Summed for 3 to 13 layers; for odd numbers of layers the sum is 1 less a/4 over the square of L.",
        printed=equal(rho_l, irregular),
        condition=is_even,
        harmless={"condition: 2 -> -2": "What is even leaves no remainder modulo -2 either."},
        prove=are_steps,
        witness=Witness(
            {**ODD, "number": "sum of the steps, which should be one"},
            lambda: 1.0,
            value=lambda formula: printed_steps(formula, 5, 0.8).sum(),
        ),
        consequence="With an odd number of layers the last layer is not at p = 1, by at most a/(4 L^2). "
        "theory.leaky_resnet.mesh divides by the sum, which changes nothing if L is even.",
    ),
    PAPER.entry(
        "3 irregular shape",
        "3",
        "",
        Finding.CONFIRMED,
        "For every number of layers from 3 to 40. Not symmetric: the last step is shorter than the first.",
        printed=Claim(
            "The steps go from {ends} to {middle} and back.",
            {"ends": Word("small", ("large",)), "middle": Word("large", ("small",))},
        ),
        prove=is_rising_and_falling,
    ),
    PAPER.entry(
        "3 irregular points",
        "3",
        "",
        Finding.CONFIRMED,
        "Points of 40 layers within a tenth of the ends.",
        printed=Claim(
            "Increasing a will lead to more points {where} the inputs and outputs.",
            {"where": Word("close to", ("far from",))},
        ),
        prove=crowds_the_ends,
    ),
    PAPER.entry(
        "3 irregular condition",
        "3",
        "To guarantee that steps times the depth stay below 1, L > (1 + a/4) depth is needed.",
        Finding.CONDITIONAL,
        "The longest of the printed steps, for even and odd numbers of layers. The condition always suffices; for odd "
        "L the longest step is shorter by a/(2 L^2), and less is needed.",
        printed=sp.Equivalent(sp.Lt(longest * L, 1), sp.Gt(layers, (1 + a / 4) * L)),
        condition=is_even,
        harmless={"condition: 2 -> -2": "What is even leaves no remainder modulo -2 either."},
        prove=numerically(meshes.longest_steps(irregular), "the longest of the steps"),
        witness=Witness(
            {**ODD, "number": "greatest depth"},
            lambda: 1 / meshes.longest(irregular, 5, 0.8),
            value=lambda statement: 5 / evaluate((1 + a / 4), ODD),
        ),
        consequence="None in practice: the condition is safe.",
    ),
)
