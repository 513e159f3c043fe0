"""The ledger of Zavatone-Veth et al. (2023), "Neural networks learn to magnify areas near decision boundaries".

Eqs. (1) to (7), (A.1) to (G.3), and the sentences that can be checked. One module for each display or group of displays, entries
in the order of the paper.
"""

from __future__ import annotations

from theory.papers.zavatoneveth2023 import (
    bayesian,
    bayesian_monomials,
    bumps,
    erf_kernel,
    general_curvature,
    kernel_learning,
    main_text,
    minors,
    monomial_geometry,
    monomial_kernel,
    preliminaries,
    projection_metric,
    riemann_tensor,
    settings,
    stein,
    tangent_kernel,
    three_units,
    two_inputs,
)

EQUATIONS = (
    *preliminaries.EQUATIONS,
    *minors.EQUATIONS_IV_A,
    *main_text.EQUATIONS_IV_A,
    *projection_metric.EQUATIONS_IV_B,
    *erf_kernel.EQUATIONS_IV_B,
    *monomial_geometry.EQUATIONS_IV_B,
    *main_text.EQUATIONS_FIGURES,
    *preliminaries.EQUATIONS_V_B,
    *main_text.EQUATIONS_V,
    *riemann_tensor.EQUATIONS,
    *two_inputs.EQUATIONS,
    *minors.EQUATIONS_B,
    *general_curvature.EQUATIONS,
    *bumps.EQUATIONS,
    *three_units.EQUATIONS,
    *stein.EQUATIONS,
    *projection_metric.EQUATIONS_C,
    *erf_kernel.EQUATIONS,
    *monomial_kernel.EQUATIONS,
    *monomial_geometry.EQUATIONS,
    *tangent_kernel.EQUATIONS,
    *bayesian.EQUATIONS,
    *bayesian_monomials.EQUATIONS,
    *kernel_learning.EQUATIONS,
    *settings.EQUATIONS,
)
