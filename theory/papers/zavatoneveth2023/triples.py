"""Which triples of units contribute to the curvature of a network on two inputs."""

from __future__ import annotations

import itertools

import sympy as sp

from theory.core import Check
from theory.papers.zavatoneveth2023.christoffel import curvature
from theory.papers.zavatoneveth2023.index_notation import i, j, k, summed
from theory.papers.zavatoneveth2023.network import random_network
from theory.papers.zavatoneveth2023.network_values import metric_of, values

FLAT = 1e-12  # rounding of a curvature of order one


def contributes(kind: str, summand: sp.Expr) -> tuple[Check, ...]:
    """Whether the summand over i, j, k vanishes for all triples but those of ``kind``, "distinct" or "coinciding"."""

    def run() -> bool:
        array = summed(summand, values(5, 2, 3), (i, j, k))
        return all(
            bool(abs(array[triple]) > FLAT) is ((len(set(triple)) == 3) is (kind == "distinct"))
            for triple in itertools.product(range(5), repeat=3)
        )

    return (Check("which triples contribute", run, "minors of five units"),)


def is_flat_below(inputs: int, units: int) -> tuple[Check, ...]:
    """Whether networks of so many units are flat, and those with one unit more are not."""

    def is_flat(width: int) -> bool:
        found = curvature(metric_of(random_network(4, width, inputs)), [0] * inputs)
        return bool(abs(found.scalar) < FLAT)

    return (Check("flat", lambda: is_flat(units) and not is_flat(units + 1), "definition of curvature"),)
