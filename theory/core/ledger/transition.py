"""Programs of entries that are still written in Python; this module goes with the last of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from theory.core.ledger.ledger import Program


def programs_of(entries: Iterable[Any]) -> dict[str, Any]:
    """Return the programs of entries by label."""
    found: dict[str, Any] = {}
    for entry in entries:
        if entry.prove is None:
            continue
        one = entry.witness
        found[entry.label] = (
            entry.prove if one is None else Program(entry.prove, one.independent, one.value, one.tolerance)
        )
    return found
