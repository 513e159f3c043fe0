"""The ledger of "Hamiltonian Mechanics of Feature Learning: Bottleneck Structure in Leaky ResNets" (2024)."""

from theory.core.ledger.ledger import deferred_ledger

__getattr__ = deferred_ledger(__name__, "jacot2024")
