"""The ledger of Paccolat et al. (2021), "Compressing invariant manifolds in neural nets"."""

from __future__ import annotations

from theory.papers.paccolat2021 import (
    asymptotics,
    averages,
    compressed_eigenfunctions,
    compressed_kernel,
    estimator,
    exponents,
    fixed_points,
    fluctuations,
    global_factor,
    infinite_amplification,
    information,
    initial_kernel,
    mercer,
    model,
    neuron,
    regimes,
    rotation,
    saturation,
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
    *fluctuations.EQUATIONS,
    *saturation.EQUATIONS,
    *global_factor.EQUATIONS,
    *mercer.EQUATIONS,
    *initial_kernel.EQUATIONS,
    *compressed_kernel.EQUATIONS,
    *compressed_eigenfunctions.EQUATIONS,
    *rotation.EQUATIONS,
    *infinite_amplification.EQUATIONS,
    *asymptotics.EQUATIONS,
    *information.EQUATIONS,
    *estimator.EQUATIONS,
    *settings.EQUATIONS,
)
