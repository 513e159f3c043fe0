r"""Leaky ResNets as a mechanical system: what moves, what is conserved, what it costs to keep a representation.

Matrices ``A`` [width, samples] hold representations and ``B`` their momenta, :math:`\sigma` is the ReLU with
(``bias=True``) or without a row of ones appended, and :math:`K = \sigma(A)^\top \sigma(A)`. All closed forms are in
``theory.catalogue()`` under ``leaky_resnet.``; what is here takes arrays.
"""

from __future__ import annotations

import importlib
from typing import Any

# Modules bear other names than their functions, so that importing one does not hide the other.
_HOME = {
    "hamiltonian": "energies",
    "kinetic_energy": "energies",
    "stable_hamiltonian": "energies",
    "velocity": "energies",
    "cost_of_identity": "identity_cost",
    "cost_lower_bound": "identity_cost",
    "nonnegative_cost": "nonnegative",
    "stable_ranks": "identity_cost",
    "image_residual": "norms",
    "squared_norm": "norms",
    "IllConditionedWarning": "norms",
    "flow": "trajectories",
    "rank_bounds": "bounds",
    "chains": "bounds",
    "RankBounds": "bounds",
    "linear_geodesic": "linear_modes",
    "LinearGeodesic": "linear_modes",
    "linear_flow": "linear_matrices",
    "symmetric_geodesic": "linear_matrices",
    "affine_geodesic": "affine_scalar",
    "constant_geodesics": "constant_inputs",
    "mode_fits": "mode_fit",
    "discrete_geodesic": "discrete",
    "mesh": "meshes",
    "adaptive_fixed_point": "meshes",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"theory.leaky_resnet.{_HOME[name]}"), name)
    raise AttributeError(f"module 'theory.leaky_resnet' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
