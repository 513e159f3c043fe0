"""The ledger of van Rossem and Saxe (2024), "When Representations Align"."""

from theory.core.ledger.ledger import read_ledger

EQUATIONS = read_ledger(__name__)
