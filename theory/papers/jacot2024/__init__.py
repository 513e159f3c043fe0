"""The ledger of "Hamiltonian Mechanics of Feature Learning: Bottleneck Structure in Leaky ResNets" (2024).

Displayed equations, propositions, theorems, the steps of their proofs, and the sentences that can be checked, in the
order of the paper.
"""

from __future__ import annotations

from theory.papers.jacot2024 import (
    balancedness,
    construction,
    dimension,
    discretisation,
    energies,
    hamiltonian,
    lagrangian,
    linear_nets,
    local_minima,
    model,
    saddles,
    settings,
    symmetries,
    theorem_4,
    timescales,
)
from theory.papers.jacot2024.paper import PAPER

__all__ = ["EQUATIONS", "PAPER"]

EQUATIONS = (
    *model.EQUATIONS,
    *symmetries.EQUATIONS,
    *lagrangian.EQUATIONS,
    *linear_nets.EQUATIONS,
    *energies.EQUATIONS,
    *dimension.EQUATIONS,
    *local_minima.EQUATIONS,
    *saddles.EQUATIONS_1,
    *settings.EQUATIONS_1,
    *hamiltonian.EQUATIONS,
    *timescales.EQUATIONS,
    *theorem_4.EQUATIONS_2,
    *settings.EQUATIONS_2,
    *discretisation.EQUATIONS,
    *saddles.EQUATIONS_A1,
    *theorem_4.EQUATIONS_A2,
    *construction.EQUATIONS,
    *balancedness.EQUATIONS,
    *settings.EQUATIONS_B,
)
