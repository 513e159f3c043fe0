r"""Section 5.1: the tangent kernel after compression; Eq. (10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import Given
from theory.papers.paccolat2021.notation import letters
from theory.papers.paccolat2021.small_network import ROUNDING, outputs, slopes

Theta_1, Theta_2, inner = letters("Theta_1 Theta_2 inner")
LARGE = 1e4
"""Of the aligned weights in a network whose Lambda is large though one neuron is not aligned."""


def network(across: float) -> np.ndarray:
    """Three neurons along the first of three coordinates; the last has perpendicular weights and a large output."""
    return np.array(
        [[LARGE, 0, 0, 0.3, 0.2], [-LARGE, 0, 0, 0.5, -0.4], [1.0, across, -across, 0.2, LARGE]], dtype=float
    )


def kernel(weights: np.ndarray, pair: Any, columns: slice = slice(None)) -> float:
    """Tangent kernel of a network by differences; of some of its weights only, by their columns."""
    one, other = (slopes(lambda w, at=at: outputs(w, at[None])[0], weights)[:, columns] for at in pair)  # type: ignore[misc]
    return float((one * other).sum())


def split_kernels() -> Iterator[dict[str, Any]]:
    """Letters of Eq. (10): the two parts from points without and with perpendicular coordinates."""
    rng = np.random.default_rng(0)
    for across in (0.0, 0.7):
        weights = network(across) / LARGE**0.5
        for _ in range(3):
            along, apart = rng.normal(size=2), rng.normal(size=(2, 2))
            bare = [np.array([at, 0, 0]) for at in along]
            lifted = [np.array([at, 1, 0]) for at in along]
            first = kernel(weights, bare)
            yield {
                "omega_perp": across,
                "Theta_xz": kernel(weights, [np.append(a, b) for a, b in zip(along, apart, strict=True)]),
                "Theta_1": first,
                "Theta_2": kernel(weights, lifted) - first,
                "x_perp": apart[0],
                "z_perp": apart[1],
                "inner": np.dot,
            }


def dependence(across: float) -> float:
    """Relative change of the output of the network by one step in a perpendicular coordinate."""
    here, there = outputs(network(across), np.array([[0.5, 0.0, 0.0], [0.5, 1.0, 0.0]]))
    return float(abs(there / here - 1))


def loses_dependence(statement: Claim | Given) -> tuple[Check, ...]:
    """The output of networks whose neurons are all aligned, as the condition says, or of which one is not."""
    claim = statement.statement if isinstance(statement, Given) else statement
    aligned = isinstance(statement, Given) and statement.condition["which"] == "all"
    lost = dependence(0.0) < ROUNDING if aligned else dependence(0.7) < ROUNDING
    return (Check("a step across", lambda: lost is (claim["output"] == "loses"), "a network of three neurons"),)


def comes_from(claim: Claim) -> tuple[Check, ...]:
    """Which weights see the perpendicular coordinates: those of the first layer, or all others."""
    columns = {"first": slice(0, 3), "second": slice(3, 5)}[claim["layer"]]
    weights, x, z = network(0.0) / LARGE**0.5, np.array([0.4, 0, 0]), np.array([0.9, 0, 0])
    lift = np.array([0, 1.0, 0])
    part = kernel(weights, (x + lift, z + lift), columns) - kernel(weights, (x, z), columns)
    whole = kernel(weights, (x + lift, z + lift)) - kernel(weights, (x, z))
    return (Check("one step across", lambda: whole != 0 and abs(part / whole - 1) < ROUNDING, "by differences"),)


PROGRAMS: Programs = {
    "5.1 lost dependence": Program(
        loses_dependence, lambda: dependence(0.7), value=lambda claim: 0.0 if claim["output"] == "loses" else 1.0
    ),
    "(10)": Program(
        numerically(split_kernels, "differences", tolerance=1e-6, scale=1.0),
        lambda: [case["Theta_xz"] for case in list(split_kernels())[3:]],
        value=lambda split: [
            float(
                split.rhs.subs({Theta_1: c["Theta_1"], Theta_2: c["Theta_2"]}).replace(
                    inner, lambda *_, c=c: sp.Float(np.dot(c["x_perp"], c["z_perp"]))
                )
            )
            for c in list(split_kernels())[3:]
        ],
        tolerance=1e-6,
    ),
    "5.1 second term": comes_from,
}
