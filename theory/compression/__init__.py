"""Compression of invariant directions: labels, attractors of the neurons, amplification, exponents, tangent kernel.

Data are standard Gaussian in *d* dimensions, labels depend on ``d_parallel`` of them. A one-hidden-layer ReLU network
started from infinitesimal weights aligns its neurons with the informative directions, up to a factor that grows as the
root of the number of training points. Source: Paccolat et al. (2021).
"""

from __future__ import annotations

import importlib
from typing import Any

_HOME = {
    "Stripes": "labels",
    "Shells": "shells",
    "equiprobable_stripe": "equiprobable",
    "equiprobable_radius": "equiprobable",
    "Attractor": "fixed_points",
    "attractors": "fixed_points",
    "NeuronFlow": "flow",
    "neuron_flow": "flow",
    "amplification": "linear_response",
    "mean_log_amplification": "linear_response",
    "median_amplification": "linear_response",
    "growth_time": "linear_response",
    "perpendicular_share": "linear_response",
    "characteristic_time": "population",
    "learning_curve_exponent": "scaling",
    "compression_gain": "scaling",
    "tangent_kernel": "ntk",
    "label_information": "information",
    "label_information_floor": "information",
}
__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
