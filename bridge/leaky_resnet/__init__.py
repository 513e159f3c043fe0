"""Leaky ResNets: trained networks held against conservation, Theorem 4, and geodesics known otherwise.

found = bridge.leaky_resnet.conservation(trace)         # how constant H is, beside its two parts
found = bridge.leaky_resnet.rank_bounds(trace)          # both chains of Theorem 4, and what was measured
found = bridge.leaky_resnet.spectral_gap(trace)         # how many directions the middle layers keep
found = bridge.leaky_resnet.geodesics(trace)            # small networks: closed form, direct solution, order in 1/L
table = bridge.leaky_resnet.compare_meshes(traces)      # test cost and spread of the steps, mesh against mesh

``trace`` is one of ours (``empirics.experiments.leaky_resnet``), or ``of_state(state, depth)`` of a network of your own
that ``empirics.measure.leaky_resnet_state`` has measured. What comes back has a value for every effective depth and
seed, and ``residual`` beside it: how far the network is from a critical point, where alone the theory holds.
"""

from __future__ import annotations

from bridge.leaky_resnet.conservation import conservation
from bridge.leaky_resnet.gap import spectral_gap
from bridge.leaky_resnet.geodesics import Geodesics, geodesics
from bridge.leaky_resnet.meshes import compare_meshes
from bridge.leaky_resnet.theorem_4 import rank_bounds
from bridge.leaky_resnet.trace import CONVERGED, mean_and_error, of_state, unconverged

__all__ = [
    "CONVERGED",
    "Geodesics",
    "compare_meshes",
    "conservation",
    "geodesics",
    "mean_and_error",
    "of_state",
    "rank_bounds",
    "spectral_gap",
    "unconverged",
]
