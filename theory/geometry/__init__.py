"""Riemannian geometry that neural networks induce on their input space: metrics, volume elements and curvature.

The functions that take an activation return closed forms for infinitely wide networks; ``shallow`` computes the same
quantities for a network with given weights. Each module is imported on first use. All closed forms are in
``theory.catalogue()`` under ``geometry.``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

FORMS = {
    "geometry.curvature_threshold": "theory.geometry.threshold:curvature_threshold",
    "geometry.conformal_volume_factor": "theory.geometry.conformal:conformal_volume_factor",
    "geometry.three_unit_volume_element": "theory.geometry.shallow.three_units:three_unit_volume_element",
    "geometry.three_unit_curvature": "theory.geometry.shallow.three_units:three_unit_curvature",
}

FAMILIES = {
    "geometry.nngp_kernel": "theory.geometry.families:nngp_kernel",
    "geometry.slope_kernel": "theory.geometry.families:slope_kernel",
    "geometry.volume_element": "theory.geometry.families:volume_element",
    "geometry.log_volume_element": "theory.geometry.families:log_volume_element",
    "geometry.scalar_curvature": "theory.geometry.families:scalar_curvature",
    "geometry.radial_curvature": "theory.geometry.families:radial_curvature",
    "geometry.tangential_curvature": "theory.geometry.families:tangential_curvature",
    "geometry.ntk_volume_element": "theory.geometry.families:ntk_volume_element",
    "geometry.ntk_log_volume_element": "theory.geometry.families:ntk_log_volume_element",
    "geometry.ntk_scalar_curvature": "theory.geometry.families:ntk_scalar_curvature",
    "geometry.deep_volume_element": "theory.geometry.families:deep_volume_element",
    "geometry.deep_scalar_curvature": "theory.geometry.families:deep_scalar_curvature",
    "geometry.bayesian_factor": "theory.geometry.families:bayesian_factor",
    "geometry.bayesian_fluctuation": "theory.geometry.families:bayesian_fluctuation",
    "geometry.bayesian_mean_metric_volume": "theory.geometry.families:bayesian_mean_metric_volume",
    "geometry.bayesian_volume_correction": "theory.geometry.families:bayesian_volume_correction",
}
