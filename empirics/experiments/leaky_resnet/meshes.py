"""Figure 2a: test error against the number of layers for the three meshes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from empirics.experiments.leaky_resnet import scales
from empirics.experiments.leaky_resnet.config import Config
from empirics.experiments.study import Scale, Study
from empirics.networks.leaky_mesh import MESHES


def configs(scale: Scale) -> Mapping[str, Config]:
    """Every mesh with every number of layers."""
    base = scales.meshes(scale)
    return {
        f"{mesh}, {size}": replace(base, mesh=mesh, layers=layers)
        for mesh in MESHES
        for size, layers in zip(scales.SIZES, scales.LAYERS[scale], strict=True)
    }


STUDY = Study(
    name="leaky-resnet-meshes",
    question="Does a mesh that is finer at both ends, or one that adapts, lower the test error?",
    figure="Figure 2a",
    table=configs,
)
