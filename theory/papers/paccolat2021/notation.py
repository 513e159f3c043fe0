"""The letters of the paper, which are declared in the text of its ledger; what its sentences conclude."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from theory.core import Check, letters_of
from theory.core.ledger.printed import Given
from theory.core.ledger.proving import unconditional

letters = letters_of(__package__)


def concludes(slot: str, truth: Callable[..., Any], because: str) -> Callable[[Any], tuple[Check, ...]]:
    """Return a ``prove`` by which a slot of a sentence has the word that ``truth`` computes.

    Args:
        slot: name of the slot.
        truth: function of the words in the other slots and in those of the condition, by name; without a condition it
            takes its defaults.
        because: how it knows.
    """

    def prove(statement: Any) -> tuple[Check, ...]:
        claim = unconditional(statement)
        premises = [claim, statement.condition] if isinstance(statement, Given) else [claim]
        known = {name: each[name] for each in premises for name in each.values if (each, name) != (claim, slot)}
        return (Check(slot, lambda: claim[slot] == truth(**known), because),)

    return prove
