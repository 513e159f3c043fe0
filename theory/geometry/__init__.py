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
    f"geometry.{name}": f"theory.geometry.families:{name}"
    for name in (
        *("nngp_kernel", "slope_kernel", "volume_element"),
        *("log_volume_element", "scalar_curvature", "radial_curvature", "tangential_curvature"),
        *("ntk_volume_element", "ntk_log_volume_element", "ntk_scalar_curvature"),
        *("deep_volume_element", "deep_scalar_curvature"),
        *(
            "bayesian_factor",
            "bayesian_fluctuation",
            "bayesian_mean_metric_volume",
            "bayesian_volume_correction",
        ),
    )
}
