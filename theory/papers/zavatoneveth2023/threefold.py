r"""Entries for the formulas that inherit the factor 3 of Appendix A.

Each is evaluated as it is printed, with its prefactor free: 3 as printed, 1 as corrected. The steps hold it against
Appendix A as corrected, on networks with random slopes and bends; the oracle against the definition of curvature on
one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from theory.core import Check, Equation, Finding, Reading
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.christoffel import Curvature
from theory.papers.zavatoneveth2023.explicit_metrics import BIASES, POINT, WEIGHTS
from theory.papers.zavatoneveth2023.network import Network, close, erf_network, random_network
from theory.papers.zavatoneveth2023.paper import entry

FACTOR = "@"
"""Stands for the prefactor in the LaTeX of a formula; written twice, for twice the prefactor."""
EVIDENCE = (
    "Summed as printed and held against Appendix A as corrected. The curvature computed by definition, from all "
    "Christoffel symbols, sides with the corrected form."
)
CONSEQUENCE = "Three times too large, as is every curvature that follows from Appendix A; nothing else changes."
# Units, inputs, seed.
RANDOM = ((3, 2, 0), (4, 2, 1), (4, 3, 2))

Formula = Callable[[Network, float], Any]


@lru_cache(maxsize=4)
def witness_curvature(inputs: int) -> Curvature:
    """Curvature of the network of the witness, its first inputs only, by definition: from all Christoffel symbols."""
    weights = [row[:inputs] for row in WEIGHTS]
    return christoffel.curvature(explicit_metrics.erf_network(weights, BIASES), POINT[:inputs])


def witness_network(inputs: int) -> Network:
    """The same network in plain numbers."""
    return erf_network(
        [[float(w) for w in row[:inputs]] for row in WEIGHTS],
        list(map(float, BIASES)),
        list(map(float, POINT[:inputs])),
    )


def threefold(
    label: str,
    section: str,
    statement: str,
    latex: str,
    formula: Formula,
    exact: Callable[[Network], Any],
    independent: Callable[[Curvature], Any],
    *,
    evidence: str = EVIDENCE,
    inputs: int = 3,
    networks: Sequence[tuple[int, int, int]] = RANDOM,
    steps: Sequence[Any] = (),
    consequence: str = CONSEQUENCE,
) -> Equation:
    """A MISPRINT whose only fault is the prefactor 3.

    Args:
        label, section, statement, evidence, consequence: as of any entry.
        latex: the formula, with FACTOR where 3 is printed and 1 is right.
        formula: its value from a network and the prefactor.
        exact: the same quantity from Appendix A as corrected.
        independent: the same from a curvature that was computed by definition.
        inputs: of the witness.
        networks: width, inputs and seed of those on which it is tried.
        steps: further steps, that hold.
    """

    def agrees(factor: float) -> Callable[[], bool]:
        return lambda: all(
            close(formula(net, factor), exact(net))
            for net in (random_network(seed, width, size) for width, size, seed in networks)
        )

    def read() -> Reading:
        net = witness_network(inputs)
        return Reading(
            formula(net, 3), formula(net, 1), explicit_metrics.as_floats(independent(witness_curvature(inputs)))
        )

    return entry(
        label,
        section,
        statement,
        Finding.MISPRINT,
        evidence,
        printed=latex.replace(2 * FACTOR, "6").replace(FACTOR, "3"),
        corrected=latex.replace(2 * FACTOR, "2").replace(FACTOR, "1"),
        steps=(*steps, Check("with prefactor 1", agrees(1), "random networks")),
        printed_steps=(Check("with prefactor 3", agrees(3), "random networks"),),
        witness={"weights": WEIGHTS, "biases": BIASES, "x": POINT[:inputs], "activation": "erf(z/sqrt 2)"},
        oracle=read,
        consequence=consequence,
    )
