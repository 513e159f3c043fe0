"""Closed forms of single degrees and depths, as the catalogue finds them, like ``bayesian_factor.monomial_2``.

Any other is one call away: ``geometry.bayesian_volume_correction(q)``, ``geometry.deep_nngp(act, depth)``.
"""

from __future__ import annotations

from theory.core import ClosedForm
from theory.geometry.bayesian import bayesian_volume_correction
from theory.geometry.deep import deep_nngp
from theory.geometry.named import ACTIVATIONS

_BAYESIAN = {
    "bayesian_factor": "factor",
    "bayesian_fluctuation": "fluctuation",
    "bayesian_mean_metric_volume": "at_mean_metric",
    "bayesian_volume_correction": "mean",
}
_DEEP = {"deep_volume_element": "volume_element", "deep_scalar_curvature": "scalar_curvature"}


def __getattr__(name: str) -> ClosedForm:
    quantity, _, order = name.partition(".")
    act, _, count = order.rpartition("_")
    if quantity in _BAYESIAN and act == "monomial" and count.isdecimal():
        return getattr(bayesian_volume_correction(int(count)), _BAYESIAN[quantity])
    if quantity in _DEEP and act in ACTIVATIONS and count.isdecimal():
        return getattr(deep_nngp(ACTIVATIONS[act], int(count)), _DEEP[quantity])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
