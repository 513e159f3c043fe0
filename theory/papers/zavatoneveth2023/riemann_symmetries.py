"""Tensors with the symmetries of Riemann's: how many components are independent."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import numpy as np

from theory.core import Check


@cache
def independent_components(inputs: int) -> int:
    """Dimension of the space of tensors with the symmetries (A.13) to (A.16): unknowns less independent equations."""
    indices = list(itertools.product(range(inputs), repeat=4))
    place = {index: k for k, index in enumerate(indices)}
    rows = []

    def equation(*terms: tuple[tuple[int, ...], int]) -> None:
        row = np.zeros(len(indices))
        for index, sign in terms:
            row[place[index]] += sign
        rows.append(row)

    for m, k, a, b in indices:
        equation(((m, k, a, b), 1), ((m, k, b, a), 1))
        equation(((m, k, a, b), 1), ((k, m, a, b), 1))
        equation(((m, k, a, b), 1), ((a, b, m, k), -1))
        equation(((m, k, a, b), 1), ((m, a, b, k), 1), ((m, b, k, a), 1))
    return len(indices) - int(np.linalg.matrix_rank(np.array(rows)))


def has_components(counts: Callable[[Any], Iterable[tuple[Any, Any]]]) -> Callable[[Any], tuple[Check, ...]]:
    """Whether a statement counts the independent components; ``counts`` takes pairs of inputs and number from it."""
    return lambda statement: (
        Check(
            "counted",
            lambda: all(independent_components(int(inputs)) == number for inputs, number in counts(statement)),
            "rank of (A.13) to (A.16)",
        ),
    )
