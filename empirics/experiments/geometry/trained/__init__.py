"""Small networks trained on two tasks in the plane, with the geometry of their layers on a grid, through time."""

from __future__ import annotations

from empirics.experiments.geometry.trained.config import Config
from empirics.experiments.geometry.trained.run import run

__all__ = ["Config", "run"]
