"""Collapse: how tightly does each layer gather its classes while a network learns, and what can still be decoded?"""

from __future__ import annotations

from empirics.experiments.collapse.config import Config
from empirics.experiments.collapse.run import run

__all__ = ["Config", "run"]
