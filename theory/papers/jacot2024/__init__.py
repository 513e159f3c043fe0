"""The ledger of "Hamiltonian Mechanics of Feature Learning: Bottleneck Structure in Leaky ResNets" (2024).

Displayed equations, propositions, theorems, the steps of their proofs, and the sentences that can be checked, in the
order of the paper.
"""

from __future__ import annotations

from theory.papers.jacot2024 import (
    adaptive_mesh,
    balancedness,
    bottleneck,
    conclusion,
    construction,
    dimension,
    discretisation,
    energies,
    hamiltonian,
    lagrangian,
    linear_nets,
    local_minima,
    model,
    new_path,
    proof_of_theorem_7,
    reparametrisation,
    saddle_proof,
    saddles,
    settings,
    slow_layers,
    symmetries,
    teachers,
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
    *teachers.EQUATIONS_1,
    *settings.EQUATIONS_1,
    *hamiltonian.EQUATIONS,
    *timescales.EQUATIONS,
    *theorem_4.EQUATIONS_2,
    *slow_layers.EQUATIONS,
    *bottleneck.EQUATIONS,
    *settings.EQUATIONS_2,
    *discretisation.EQUATIONS,
    *adaptive_mesh.EQUATIONS,
    *teachers.EQUATIONS_3,
    *conclusion.EQUATIONS,
    *saddles.EQUATIONS_A1,
    *saddle_proof.EQUATIONS,
    *theorem_4.EQUATIONS_A2,
    *proof_of_theorem_7.EQUATIONS,
    *construction.EQUATIONS,
    *new_path.EQUATIONS,
    *balancedness.EQUATIONS,
    *reparametrisation.EQUATIONS,
    *settings.EQUATIONS_B,
)
