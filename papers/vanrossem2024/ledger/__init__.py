"""The ledger of van Rossem and Saxe (2024), "When Representations Align"."""

from theory.core.ledger.ledger import deferred_ledger

__getattr__ = deferred_ledger(__name__, "vanrossem2024")
