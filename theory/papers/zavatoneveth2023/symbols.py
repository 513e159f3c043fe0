"""The letters of the ledger's text, and the statements that it shows, for its programs."""

from __future__ import annotations

from functools import cache
from typing import Any

from theory.core.ledger.formulas import formula
from theory.core.ledger.ledger import letters_of
from theory.core.ledger.source import read

letters = letters_of(__package__)


@cache
def shown(label: str, field: str = "corrected") -> Any:
    """The formula that an entry shows in a field."""
    (block,) = (block for block in read(__package__).blocks if block.label == label)
    return formula(block.fields[field][0].text, letters)
