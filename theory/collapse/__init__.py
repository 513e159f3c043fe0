"""Collapse: how tightly a layer's features cluster by class, and what a decoder can still read from them.

Functions without arguments give closed forms (``simplex_nc1()``, ``noise_floor()``, ``two_class_information()``);
functions with arguments give numbers (``finite_sample_nc1``, ``relabelling``, ``equiseparation``, ``exact_nc1``). All
closed forms are in ``theory.catalogue()`` under ``collapse.``.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOME = {
    "simplex_nc1": "gaussian_classes",
    "imbalance_of": "gaussian_classes",
    "noise_floor": "class_blind",
    "noise_floor_few_dimensions": "class_blind",
    "effective_dimension_of": "effective_dimension",
    "finite_sample_nc1": "finite_sample",
    "two_class_finite_sample_nc1": "two_class_finite_sample",
    "two_class_nc1": "two_pass",
    "two_class_floor": "linear_maps",
    "linear_gain_bound": "linear_maps",
    "linear_floor": "linear_maps",
    "linear_depth_nc1": "linear_depth",
    "equiseparation_depth": "linear_depth",
    "two_class_accuracy": "two_classes",
    "two_class_information": "two_classes",
    "three_layer_correlation": "correlation",
    "correlation_chance": "correlation",
    "monotone_correlation_chance": "correlation",
    "equiseparation": "separation_law",
    "Equiseparation": "separation_law",
    "relabelling": "relabellings",
    "relabelling_digits": "relabellings",
    "relabelling_counts": "relabellings",
    "relabelling_entropy": "relabellings",
    "exact_nc1": "exact",
    "exact_two_pass_nc1": "exact",
    "nc1": "metrics",
    "nc2_norm": "metrics",
    "nc2_angle": "metrics",
    "nc3": "metrics",
    "nc4": "metrics",
    "entropy": "usable_information",
    "mutual_information": "usable_information",
    "cross_entropy": "usable_information",
    "sufficiency": "usable_information",
    "minimality": "minimality_term",
    "relabelled_information": "minimality_term",
    "every_relabelling": "minimality_term",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'theory.collapse' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"theory.collapse.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
