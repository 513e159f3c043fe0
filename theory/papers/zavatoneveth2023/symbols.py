"""The letters of the ledger's text, and the statements that it shows, for its programs."""

from __future__ import annotations

from functools import cache, partial

from theory.core.ledger.ledger import letters_of, shown_statement

letters = letters_of(__package__)
shown = cache(partial(shown_statement, __package__))
"""Takes the label of an entry and the name of a field."""
