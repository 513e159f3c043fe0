"""The ledger of van Rossem and Saxe (2024), "When Representations Align".

Eqs. (1) to (51), the sentences that can be checked, and the tables. One module for each section, entries in the order
of the paper.
"""

from __future__ import annotations

from theory.papers.vanrossem2024 import (
    alternatives,
    depth,
    final_distance,
    gradient_flow,
    identical_outputs,
    initial_weights,
    jacobians,
    lazy,
    loss,
    model,
    random_features,
    reduction,
    regimes,
    released_settings,
    settings,
    solvable,
    stability,
    structure,
    supplement,
    three_variables,
    toy_tasks,
    weighting,
)
from theory.papers.vanrossem2024.paper import PAPER

__all__ = ["EQUATIONS", "PAPER"]

EQUATIONS = (
    *model.EQUATIONS,
    *three_variables.EQUATIONS,
    *initial_weights.EQUATIONS,
    *loss.EQUATIONS_3,
    *regimes.EQUATIONS,
    *structure.EQUATIONS,
    *toy_tasks.EQUATIONS,
    *depth.EQUATIONS,
    *gradient_flow.EQUATIONS,
    *reduction.EQUATIONS,
    *loss.EQUATIONS_A2,
    *solvable.EQUATIONS,
    *final_distance.EQUATIONS,
    *jacobians.EQUATIONS_LEARNED,
    *stability.EQUATIONS_LEARNED,
    *jacobians.EQUATIONS_MERGED,
    *stability.EQUATIONS_MERGED,
    *identical_outputs.EQUATIONS,
    *lazy.EQUATIONS,
    *random_features.EQUATIONS,
    *released_settings.EQUATIONS,
    *settings.EQUATIONS,
    *weighting.EQUATIONS,
    *alternatives.EQUATIONS,
    *supplement.EQUATIONS,
)
