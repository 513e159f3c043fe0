"""The ledger of Zavatone-Veth et al. (2023), "Neural networks learn to magnify areas near decision boundaries".

Eqs. (1) to (7), (A.1) to (G.3), and the sentences that can be checked. One module for each display or group of
displays, entries in the order of the paper.
"""

from __future__ import annotations

from theory.core.ledger.ledger import read_ledger

EQUATIONS = read_ledger(__name__)
