"""The ledger of "Hamiltonian Mechanics of Feature Learning: Bottleneck Structure in Leaky ResNets" (2024).

Displayed equations, propositions, theorems, the steps of their proofs, and the sentences that can be checked, in the
order of the paper.
"""

from __future__ import annotations

from theory.core.ledger.ledger import read_ledger

EQUATIONS = read_ledger(__name__)
