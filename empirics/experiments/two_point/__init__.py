"""Two points: how far apart does a network represent them, while it learns to tell them apart?"""

from __future__ import annotations

from empirics.experiments.two_point.config import Config
from empirics.experiments.two_point.run import run, trainer

__all__ = ["Config", "run", "trainer"]
