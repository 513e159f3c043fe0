"""The thesis of Cheong (2025) and its letters."""

from __future__ import annotations

from theory.core import Paper

PAPER = Paper(
    "cheong2025",
    letters={
        "classes": "C",
        "samples": "N",
        "dimension": "D",
    },
)
entry = PAPER.unlinked_entry
