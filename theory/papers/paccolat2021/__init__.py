"""The ledger of Paccolat et al. (2021), "Compressing invariant manifolds in neural nets"."""

from __future__ import annotations

from theory.papers.paccolat2021 import (
    asymptotics,
    averages,
    compressed_kernel,
    estimator,
    exponents,
    finite_training_sets,
    fixed_points,
    global_factor,
    information,
    mercer,
    model,
    neuron,
    regimes,
    rotation,
    settings,
    thresholds,
    timescales,
)
from theory.papers.paccolat2021.paper import PAPER

__all__ = ["EQUATIONS", "PAPER"]

EQUATIONS = (
    *settings.EQUATIONS_1,
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
    *mercer.EQUATIONS,
    *compressed_kernel.EQUATIONS,
    *rotation.EQUATIONS,
    *asymptotics.EQUATIONS,
    *information.EQUATIONS,
    *estimator.EQUATIONS,
    *settings.EQUATIONS,
)
