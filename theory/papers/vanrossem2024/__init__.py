"""The ledger of van Rossem and Saxe (2024), "When Representations Align".

Eqs. (1) to (51), the sentences that can be checked, and the tables. One module for each section, entries in the order
of the paper.
"""

from __future__ import annotations

from theory.core.ledger.ledger import read_ledger

EQUATIONS = read_ledger(__name__)
