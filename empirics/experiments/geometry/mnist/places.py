"""Where a classifier is looked at: test images, segments between two of different classes, a triangle of three."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from empirics.data import Dataset
from empirics.seeding import generator

CORNERS = 3


@dataclass(frozen=True, eq=False)
class Places:
    """Inputs, flattened, in float64.

    Attributes:
        images: ``[image, d]``.
        labels: ``[image]``.
        ends: labels of both ends of every segment, ``[line, 2]``.
        line: ``[line, position, d]``.
        corners: labels of the triangle's corners, ``[3]``.
        weights: barycentric coordinates of its points, ``[vertex, 3]``.
        plane: ``[vertex, d]``.
        anchors: the three images at the corners of the triangle before it is enlarged, ``[3, d]``.
    """

    images: Tensor
    labels: Tensor
    ends: Tensor
    line: Tensor
    corners: Tensor
    weights: Tensor
    plane: Tensor
    anchors: Tensor


def choose(test: Dataset, images: int, lines: int, steps: int, plane: int, overhang: float, seed: int) -> Places:
    """Draw the places from a test split.

    Args:
        test: images, flattened.
        images: how many.
        lines: segments between images of different classes.
        steps: points on each.
        plane: points a side of the triangle, 0 for none.
        overhang: by which the triangle is enlarged about its centre.
        seed: non-negative integer.
    """
    order = torch.randperm(len(test), generator=generator(seed, "subset"))
    x, labels = test.images.double()[order], test.labels[order]
    pairs: list[tuple[int, int]] = []
    first = 0
    while len(pairs) < lines:
        second = first + 1
        while labels[second] == labels[first]:
            second += 1
        pairs.append((first, second))
        first = second + 1
    corners = _of_different_classes(labels, CORNERS)
    share = torch.linspace(0, 1, steps, dtype=torch.float64)[None, :, None]
    starts, ends = (x[[pair[side] for pair in pairs]][:, None] for side in (0, 1))
    weights = triangle(plane, overhang)
    return Places(
        images=x[:images],
        labels=labels[:images],
        ends=torch.stack([labels[[pair[side] for pair in pairs]] for side in (0, 1)], dim=1),
        line=(1 - share) * starts + share * ends,
        corners=labels[corners],
        weights=weights,
        plane=weights @ x[corners],
        anchors=x[corners],
    )


def triangle(points: int, overhang: float) -> Tensor:
    """Barycentric coordinates ``[vertex, 3]`` of a lattice with ``points`` a side, enlarged about its centre."""
    side = max(points - 1, 1)
    lattice = [(i / side, j / side, 1 - (i + j) / side) for i in range(points) for j in range(points - i)]
    inside = torch.tensor(np.array(lattice).reshape(-1, CORNERS))
    return 1 / CORNERS + (1 + overhang) * (inside - 1 / CORNERS)


def _of_different_classes(labels: Tensor, count: int) -> list[int]:
    """Positions of the first images of ``count`` different classes."""
    first_of_class: dict[int, int] = {}
    for position, label in enumerate(labels.tolist()):
        first_of_class.setdefault(label, position)
        if len(first_of_class) == count:
            break
    return list(first_of_class.values())
