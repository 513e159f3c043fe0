"""The ledger of Zavatone-Veth et al. (2023), "Neural networks learn to magnify areas near decision boundaries".

Eqs. (1) to (7), (A.1) to (G.3), and the sentences that can be checked. One module for each display or group of
displays, entries in the order of the paper.
"""

from __future__ import annotations

from theory.papers.zavatoneveth2023 import (
    bayesian,
    bayesian_monomials,
    bump_centers,
    bumps,
    erf_kernel,
    general_curvature,
    general_scalar,
    image_settings,
    infinite_width,
    kernel_learning,
    main_text,
    mehler_kernel,
    minors,
    monomial_correction,
    monomial_geometry,
    plane_curvature,
    posterior_mean,
    preliminaries,
    projection_metric,
    riemann_tensor,
    settings,
    stein,
    tangent_kernel,
    three_units,
    turning_point,
    two_inputs,
)
from theory.papers.zavatoneveth2023.paper import PAPER

__all__ = ["EQUATIONS", "PAPER"]

EQUATIONS = (
    *preliminaries.EQUATIONS,
    *minors.EQUATIONS_II_C,
    *minors.EQUATIONS_IV_A,
    *plane_curvature.EQUATIONS_IV_A,
    *main_text.EQUATIONS_KERNEL,
    *infinite_width.EQUATIONS,
    *erf_kernel.EQUATIONS_IV_B,
    *monomial_geometry.EQUATIONS_IV_B,
    *main_text.EQUATIONS_FIGURES,
    *preliminaries.EQUATIONS_V_B,
    *main_text.EQUATIONS_V,
    *riemann_tensor.EQUATIONS,
    *two_inputs.EQUATIONS,
    *plane_curvature.EQUATIONS,
    *minors.EQUATIONS_B,
    *general_curvature.EQUATIONS,
    *general_scalar.EQUATIONS,
    *bumps.EQUATIONS,
    *bump_centers.EQUATIONS,
    *three_units.EQUATIONS,
    *stein.EQUATIONS,
    *projection_metric.EQUATIONS,
    *erf_kernel.EQUATIONS,
    *mehler_kernel.EQUATIONS,
    *monomial_geometry.EQUATIONS,
    *turning_point.EQUATIONS,
    *tangent_kernel.EQUATIONS,
    *bayesian.EQUATIONS,
    *posterior_mean.EQUATIONS,
    *bayesian_monomials.EQUATIONS,
    *monomial_correction.EQUATIONS,
    *kernel_learning.EQUATIONS,
    *settings.EQUATIONS,
    *image_settings.EQUATIONS,
)
