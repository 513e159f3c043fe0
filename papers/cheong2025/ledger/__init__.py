"""The ledger of Cheong (2025), in the order of the thesis."""

from theory.core.ledger.ledger import deferred_ledger

__getattr__ = deferred_ledger(__name__, "cheong2025")
