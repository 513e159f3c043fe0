"""Identities proved with matrices of symbols, for any slopes of the activation, beside what numbers decide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from theory.core import Check, Step


def with_lemmas(prove: Callable[[Any], tuple[Step | Check, ...]], *lemmas: Step) -> Callable[[Any], tuple[Any, ...]]:
    """The program of an entry, after steps of the theory that hold in general.

    Args:
        prove: decides the statement as printed.
        lemmas: what makes it hold beyond the cases that ``prove`` computes.
    """

    def proved(statement: Any) -> tuple[Step | Check, ...]:
        return (*lemmas, *prove(statement))

    return proved
