"""The ledger of "Hamiltonian Mechanics of Feature Learning: Bottleneck Structure in Leaky ResNets" (2024)."""

from theory.core.ledger.ledger import read_ledger

EQUATIONS = read_ledger(__name__)
