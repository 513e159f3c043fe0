"""The ledger of Paccolat et al. (2021), "Compressing invariant manifolds in neural nets"."""

from __future__ import annotations

from theory.papers.paccolat2021 import (
    asymptotics,
    averages,
    estimator,
    exponents,
    finite_training_sets,
    fixed_points,
    global_factor,
    information,
    model,
    neuron,
    regimes,
    rotation,
    thresholds,
    timescales,
)
from theory.papers.paccolat2021.paper import PAPER

__all__ = ["EQUATIONS", "PAPER"]

EQUATIONS = (
    *model.EQUATIONS,
    *timescales.EQUATIONS,
    *regimes.EQUATIONS,
    *thresholds.EQUATIONS,
    *exponents.EQUATIONS,
    *neuron.EQUATIONS,
    *averages.EQUATIONS,
    *fixed_points.EQUATIONS,
    *finite_training_sets.EQUATIONS,
    *global_factor.EQUATIONS,
    *rotation.EQUATIONS,
    *asymptotics.EQUATIONS,
    *information.EQUATIONS,
    *estimator.EQUATIONS,
)
