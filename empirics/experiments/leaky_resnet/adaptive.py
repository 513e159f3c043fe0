"""Figures 2b and 2c: weight spectra along the adaptive mesh, and the path under each of the three meshes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from empirics.experiments.leaky_resnet import scales
from empirics.experiments.leaky_resnet.config import Config
from empirics.experiments.study import Scale, Study
from empirics.networks.leaky_mesh import MESHES


def configs(scale: Scale) -> Mapping[str, Config]:
    """The three meshes at the largest number of layers (18 in the paper)."""
    base = scales.meshes(scale)
    return {mesh: replace(base, mesh=mesh, layers=max(scales.LAYERS[scale])) for mesh in MESHES}


STUDY = Study(
    name="leaky-resnet-adaptive",
    question="Where does the adaptive mesh put its layers, and how do the meshes spread the steps along the path?",
    figure="Figures 2b, 2c",
    table=configs,
)
