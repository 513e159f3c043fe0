"""Two random views of each image, as Barlow Twins makes them (arXiv 2103.03230; 2301.11375, Appendix G 4)."""

from __future__ import annotations

import torch
from torch import Tensor

from empirics.experiments.geometry.images.augmentation import flip, resized_crop
from empirics.experiments.geometry.images.colour import blur_some, grey_some, jitter, solarise_some

BLUR = (1.0, 0.1)  # probability, in the first and in the second view
SOLARISE = (0.0, 0.2)


def two_views(images: Tensor, stream: torch.Generator, mirror: bool = True) -> tuple[Tensor, Tensor]:
    """Crop, flip, colour jitter, grey, blur, solarisation; each view with its own draws.

    Args:
        images: ``[batch, channel, height, width]`` in [0, 1].
        stream: of the random numbers, on the CPU.
        mirror: whether images may be mirrored (not digits).
    """
    first, second = (
        view(images, stream, blur, solarise, mirror) for blur, solarise in zip(BLUR, SOLARISE, strict=True)
    )
    return first, second


def view(images: Tensor, stream: torch.Generator, blur: float, solarise: float, mirror: bool) -> Tensor:
    """One view of each image; ``blur`` and ``solarise`` are probabilities."""
    out = resized_crop(images, stream)
    if mirror:
        out = flip(out, stream)
    out = grey_some(jitter(out, stream), stream)
    return solarise_some(blur_some(out, stream, blur), stream, solarise)
