"""Collapse: the layers of a trained network held against the noise floor, the closed forms and the law of equal steps.

profile = bridge.collapse.layer_profile(trace)          # NC1 by layer, its floors, what isotropic classes would give
law = bridge.collapse.equiseparation(trace)             # r and log-ratios, errors over seeds, and what chance gives
gaps = bridge.collapse.gaps(trace)                      # compression gap against generalisation gap
plane = bridge.collapse.information_plane(trace)        # sufficiency against minimality, in bits

``trace`` is one of ours (``empirics.experiments.collapse``); ``equiseparation`` takes arrays [seed, layer], too.
"""

from __future__ import annotations

from bridge.collapse.generalisation import Gaps, gaps
from bridge.collapse.information import InformationPlane, information_plane
from bridge.collapse.profile import LayerProfile, layer_profile
from bridge.collapse.separation import Separation, equiseparation, through_training

__all__ = [
    "Gaps",
    "InformationPlane",
    "LayerProfile",
    "Separation",
    "equiseparation",
    "gaps",
    "information_plane",
    "layer_profile",
    "through_training",
]
