"""Figures 1b and 1c: spectra of representations and weights, and the parts of the Hamiltonian, layer by layer."""

from __future__ import annotations

from collections.abc import Mapping

from empirics.experiments.leaky_resnet.config import Config
from empirics.experiments.leaky_resnet.scales import BASE
from empirics.experiments.study import Scale, Study


def configs(scale: Scale) -> Mapping[str, Config]:
    """One effective depth (7 in the paper)."""
    return {"default": BASE[scale]}


STUDY = Study(
    name="leaky-resnet-bottleneck",
    question="Which dimension do the middle layers keep, and does H stay constant where its parts change?",
    figure="Figures 1b, 1c",
    table=configs,
)
