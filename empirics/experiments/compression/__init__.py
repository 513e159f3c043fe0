"""Compression of invariant directions: do the first-layer weights of a network align with what its labels depend on?"""

from __future__ import annotations

from empirics.experiments.compression.config import Config
from empirics.experiments.compression.data import Realisations, realisations
from empirics.experiments.compression.run import run

__all__ = ["Config", "Realisations", "realisations", "run"]
