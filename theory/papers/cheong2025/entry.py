"""Entries of this ledger: one paper, one edition, the paper's letters for our symbols."""

from __future__ import annotations

from theory.collapse import symbols as s
from theory.collapse.paper import EDITION
from theory.papers.ledger import Ledger

PAPER = "cheong2025"
LETTERS = {
    s.classes: "C",
    s.samples: "N",
    s.dimension: "D",
}

entry = Ledger(PAPER, EDITION, LETTERS).entry
