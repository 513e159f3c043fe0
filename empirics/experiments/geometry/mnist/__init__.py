"""Fully connected classifiers of images: volume, curvature and spectrum at images and between them, with their cost."""

from __future__ import annotations

from empirics.experiments.geometry.mnist.config import Config
from empirics.experiments.geometry.mnist.run import run

__all__ = ["Config", "run"]
