"""The letters of the paper, for the programs of its entries."""

from __future__ import annotations

from theory.core import letters_of

letters = letters_of(__package__)
