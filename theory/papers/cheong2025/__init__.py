"""The ledger of Cheong (2025), in the order of the thesis."""

from theory.core.ledger.ledger import read_ledger

EQUATIONS = read_ledger(__name__)
