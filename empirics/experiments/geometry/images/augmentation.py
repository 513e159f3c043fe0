"""Crops and flips of whole batches: every image gets its own, drawn from one generator on the CPU.

Random numbers are drawn on the CPU whatever the device, so that a seed means the same crops everywhere.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn.functional import affine_grid, grid_sample, pad

AREA = (0.08, 1.0)  # share of the image that a resized crop keeps; as torchvision's default, which Barlow Twins uses
RATIO = (3 / 4, 4 / 3)  # width over height of a crop, log-uniform


def uniform(stream: torch.Generator, like: Tensor, low: float = 0.0, high: float = 1.0) -> Tensor:
    """One number for each image of ``like``, ``[batch, 1, 1, 1]``, on its device and in its precision."""
    drawn = torch.rand(len(like), 1, 1, 1, generator=stream, dtype=torch.float64)
    return (low + (high - low) * drawn).to(like.device, like.dtype)


def chosen(stream: torch.Generator, like: Tensor, probability: float) -> Tensor:
    """Whether each image of ``like`` is hit, ``[batch, 1, 1, 1]``, bool."""
    return uniform(stream, like) < probability


def flip(images: Tensor, stream: torch.Generator, probability: float = 0.5) -> Tensor:
    """Each image ``[batch, channel, height, width]`` mirrored left to right with ``probability``."""
    return torch.where(chosen(stream, images, probability), images.flip(-1), images)


def shifted_crop(images: Tensor, stream: torch.Generator, padding: int) -> Tensor:
    """Each image padded with zeros on all sides and cropped to its size at a random place (Appendix G 3).

    Args:
        images: ``[batch, channel, height, width]``.
        stream: of the random numbers.
        padding: pixels on each side; 4 of 32 in the paper.
    """
    batch, _, height, width = images.shape
    offsets = torch.randint(2 * padding + 1, (2, batch), generator=stream).to(images.device)
    rows = offsets[0, :, None] + torch.arange(height, device=images.device)
    columns = offsets[1, :, None] + torch.arange(width, device=images.device)
    wide = pad(images, (padding,) * 4)
    which = torch.arange(batch, device=images.device)
    return wide[which[:, None, None], :, rows[:, :, None], columns[:, None, :]].permute(0, 3, 1, 2)


def crop_boxes(batch: int, stream: torch.Generator) -> Tensor:
    """Random boxes inside the unit square: centre x, centre y, width, height, ``[batch, 4]``, float64.

    Area and ratio are drawn as torchvision does; a side longer than the image is shortened to it, where torchvision
    draws again. (One box in seven; those are smaller than drawn.)
    """
    u = torch.rand(4, batch, generator=stream, dtype=torch.float64)
    area = AREA[0] + (AREA[1] - AREA[0]) * u[0]
    ratio = torch.exp(math.log(RATIO[0]) + (math.log(RATIO[1]) - math.log(RATIO[0])) * u[1])
    width, height = (area * ratio).sqrt().clamp(max=1), (area / ratio).sqrt().clamp(max=1)
    return torch.stack([width / 2 + (1 - width) * u[2], height / 2 + (1 - height) * u[3], width, height], dim=1)


def resized_crop(images: Tensor, stream: torch.Generator) -> Tensor:
    """A random box of each image, enlarged to the whole by bilinear interpolation (Appendix G 4)."""
    return cut(images, crop_boxes(len(images), stream))


def cut(images: Tensor, boxes: Tensor) -> Tensor:
    """The ``boxes`` of the images, see :func:`crop_boxes`, enlarged to the images' size; the whole box gives them back.

    Args:
        images: ``[batch, channel, height, width]``.
        boxes: ``[batch, 4]``.
    """
    x, y, width, height = boxes.to(images.device, images.dtype).unbind(1)
    zero = torch.zeros_like(x)
    # torch's coordinates go from -1 to 1
    affine = torch.stack(
        [torch.stack([width, zero, 2 * x - 1], dim=1), torch.stack([zero, height, 2 * y - 1], dim=1)], dim=1
    )
    grid = affine_grid(affine, list(images.shape), align_corners=False)
    return grid_sample(images, grid, mode="bilinear", padding_mode="border", align_corners=False)
