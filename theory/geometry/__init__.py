"""Riemannian geometry of what networks do to their inputs: metrics, volume elements and curvature.

Functions of an activation give closed forms; ``shallow`` computes the same for a network with given weights. Modules
are imported when they are first used. All closed forms are in ``theory.catalogue()`` under ``geometry.``.
"""

from __future__ import annotations

import importlib
from typing import Any

# Public name -> module that defines it; a module maps to itself.
_HOME: dict[str, str] = {
    "DeepNngp": "theory.geometry.deep",
    "NngpMetric": "theory.geometry.metric",
    "VolumeCorrection": "theory.geometry.bayesian",
    "bayesian_factor": "theory.geometry.bayesian_quadrature",
    "bayesian_fluctuation": "theory.geometry.bayesian_quadrature",
    "bayesian_volume_correction": "theory.geometry.bayesian",
    "conformal": "theory.geometry.conformal",
    "conformal_volume_factor": "theory.geometry.conformal",
    "curvature_threshold": "theory.geometry.threshold",
    "deep_nngp": "theory.geometry.deep",
    "kernel_learning": "theory.geometry.kernel_learning",
    "log_volume_element": "theory.geometry.volume",
    "nngp_kernel": "theory.geometry.kernel",
    "nngp_metric": "theory.geometry.metric",
    "ntk_log_volume_element": "theory.geometry.ntk_metric",
    "ntk_scalar_curvature": "theory.geometry.ntk_metric",
    "ntk_volume_element": "theory.geometry.ntk_metric",
    "radial_curvature": "theory.geometry.curvature",
    "riemann_tensor": "theory.geometry.riemann",
    "scalar_curvature": "theory.geometry.curvature",
    "shallow": "theory.geometry.shallow",
    "slope_kernel": "theory.geometry.kernel",
    "tangential_curvature": "theory.geometry.curvature",
    "three_unit_curvature": "theory.geometry.shallow.three_units",
    "three_unit_volume_element": "theory.geometry.shallow.three_units",
    "volume_element": "theory.geometry.volume",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'theory.geometry' has no attribute {name!r}")
    module = importlib.import_module(_HOME[name])
    return module if _HOME[name].endswith(f".{name}") and not hasattr(module, name) else getattr(module, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
