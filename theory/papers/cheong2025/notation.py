"""The letters of the paper, which are declared in the text of its ledger."""

from __future__ import annotations

from theory.core import letters_of

letters = letters_of(__package__)
