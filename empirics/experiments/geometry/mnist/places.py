"""The inputs at which a classifier is measured: test images, segments between two of them, triangles of three."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from empirics.data import Dataset
from empirics.data.names import CORNERS
from empirics.seeding import generator


@dataclass(frozen=True, eq=False)
class Places:
    """Inputs of the measurements, flattened, in float64."""

    images: Tensor  # test images [image, d]
    labels: Tensor  # [image]
    ends: Tensor  # labels of both ends of every segment, [line, 2]
    line: Tensor  # points on the segments [line, position, d]
    weights: Tensor  # barycentric coordinates of the points of a triangle, [vertex, 3]
    planes: Tensor  # points of the triangles [triangle, vertex, d]
    anchors: Tensor  # images at the corners before the enlargement, [triangle, 3, d]


def choose(
    test: Dataset,
    images: int,
    lines: int,
    steps: int,
    corners: Sequence[Sequence[int]],
    plane: int,
    overhang: float,
    seed: int,
) -> Places:
    """Draw segments between classes and triangles of the first images of ``corners`` from flattened test images."""
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
    anchors = x[torch.tensor([[_first(labels, c) for c in triple] for triple in corners])]
    positions = torch.linspace(0, 1, steps, dtype=torch.float64)[None, :, None]
    starts, ends = (x[[pair[side] for pair in pairs]][:, None] for side in (0, 1))
    weights = triangle(plane, overhang)
    return Places(
        images=x[:images],
        labels=labels[:images],
        ends=torch.stack([labels[[pair[side] for pair in pairs]] for side in (0, 1)], dim=1),
        line=(1 - positions) * starts + positions * ends,
        weights=weights,
        planes=weights @ anchors,
        anchors=anchors,
    )


def triangle(points: int, overhang: float) -> Tensor:
    """Return barycentric coordinates ``[vertex, 3]`` of a triangular lattice of ``points`` per side, enlarged."""
    side = max(points - 1, 1)
    lattice = [(i / side, j / side, 1 - (i + j) / side) for i in range(points) for j in range(points - i)]
    hull = torch.tensor(np.array(lattice).reshape(-1, CORNERS))
    return 1 / CORNERS + (1 + overhang) * (hull - 1 / CORNERS)


def _first(labels: Tensor, number: int) -> int:
    positions = torch.nonzero(labels == number)
    if not len(positions):
        raise ValueError(f"test_size: got {len(labels)} images, none of class {number}, a corner of a triangle")
    return int(positions[0])
