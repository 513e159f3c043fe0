"""The configuration of residual networks that are trained without labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from empirics.experiments.geometry.images.config import VisionConfig

OFF_DIAGONAL = 5e-3  # lambda of the Barlow Twins paper
TEMPERATURE = 0.5  # of SimCLR on CIFAR-10 (its Appendix B.9)
SMALLEST_CROP = 0.08  # its area, as a fraction of the image
LEAST_BLUR, MOST_BLUR = 0.1, 2.0  # range of the blur's standard deviation, pixels


@dataclass(frozen=True)
class Config(VisionConfig):
    """Settings of one run of self-supervised learning, in addition to those of :class:`VisionConfig`.

    Attributes:
        method: "barlow_twins" or "simclr".
        projection: dimension of the embeddings after one linear layer; 256 in the paper.
        off_diagonal: weight of the redundancy term of Barlow Twins, dimensionless; the default is that of its paper.
        temperature: temperature of SimCLR, dimensionless; the default is that of its paper for CIFAR-10.
        penalty: strength of the L2 penalty of the linear probe.
        optimiser: "sgd", as in the paper, or "adamw", which has no momentum to set and learns in fewer steps.
        warm_up: share of the steps in which the learning rate rises linearly to its value, before it falls to zero
            along half a cosine; 0 keeps it constant, as in the paper.
        smallest_crop: area of the smallest random crop, as a fraction of the image.
        largest_blur: largest standard deviation of the random blur, pixels.
        together: number of images of a batch that share a draw of the random crop, colours and blur of a view; more
            than one saves most of the time that the transforms take.
    """

    experiment: ClassVar[str] = "geometry.self_supervised"

    method: Literal["barlow_twins", "simclr"] = "barlow_twins"
    projection: int = 64
    off_diagonal: float = OFF_DIAGONAL
    temperature: float = TEMPERATURE
    penalty: float = 1.0
    optimiser: Literal["sgd", "adamw"] = "sgd"
    warm_up: float = 0.0
    smallest_crop: float = SMALLEST_CROP
    largest_blur: float = MOST_BLUR
    together: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_integers(projection=2, together=1)
        self.check_numbers("off_diagonal", least=0)
        self.check_numbers("temperature", "penalty", above=0)
        self.check_numbers("warm_up", least=0, below=1)
        self.check_numbers("smallest_crop", above=0, most=1)
        self.check_numbers("largest_blur", least=LEAST_BLUR)
