"""The inputs at which a classifier is measured: test images, segments between two of them, a triangle of three."""

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
    """Inputs of the measurements, flattened, in float64.

    Attributes:
        images: test images ``[image, d]``.
        labels: their labels ``[image]``.
        ends: labels of both ends of every segment, ``[line, 2]``.
        line: points on the segments ``[line, position, d]``.
        corners: labels of the triangle's corners ``[3]``.
        weights: barycentric coordinates of the points of the triangle, ``[vertex, 3]``.
        plane: points of the triangle ``[vertex, d]``.
        anchors: images at the corners of the triangle before it is enlarged, ``[3, d]``.
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
        test: flattened images.
        images: number of single images.
        lines: number of segments between images of different classes.
        steps: number of points on a segment.
        plane: number of points per side of the triangle; 0 for no triangle.
        overhang: relative enlargement of the triangle about its centre.
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
    positions = torch.linspace(0, 1, steps, dtype=torch.float64)[None, :, None]
    starts, ends = (x[[pair[side] for pair in pairs]][:, None] for side in (0, 1))
    weights = triangle(plane, overhang)
    return Places(
        images=x[:images],
        labels=labels[:images],
        ends=torch.stack([labels[[pair[side] for pair in pairs]] for side in (0, 1)], dim=1),
        line=(1 - positions) * starts + positions * ends,
        corners=labels[corners],
        weights=weights,
        plane=weights @ x[corners],
        anchors=x[corners],
    )


def triangle(points: int, overhang: float) -> Tensor:
    """Return barycentric coordinates of the points of a triangular lattice, ``[vertex, 3]``.

    Args:
        points: number of points per side.
        overhang: relative enlargement about the centre.
    """
    side = max(points - 1, 1)
    lattice = [(i / side, j / side, 1 - (i + j) / side) for i in range(points) for j in range(points - i)]
    hull = torch.tensor(np.array(lattice).reshape(-1, CORNERS))
    return 1 / CORNERS + (1 + overhang) * (hull - 1 / CORNERS)


def _of_different_classes(labels: Tensor, count: int) -> list[int]:
    """Return the positions of the first images of ``count`` different classes."""
    first_of_class: dict[int, int] = {}
    for position, label in enumerate(labels.tolist()):
        first_of_class.setdefault(label, position)
        if len(first_of_class) == count:
            break
    return list(first_of_class.values())
