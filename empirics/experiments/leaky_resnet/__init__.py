"""Leaky ResNets: which dimension does the representation keep, and what stays constant from layer to layer?"""

from __future__ import annotations

from empirics.experiments.leaky_resnet.config import Config
from empirics.experiments.leaky_resnet.run import objective, run

__all__ = ["Config", "objective", "run"]
