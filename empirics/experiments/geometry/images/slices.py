"""Lines between two images and planes through three, as in the paper's figures.

A line is :math:`(1 - t) x_1 + t x_2`. A plane is :math:`t_1 x_1 + t_2 x_2 + t_3 x_3` with :math:`t_1 + t_2 + t_3 = 1`.
It is drawn with the three images at the corners (0, 0), (1, 0) and (1/2, √3/2) of an equilateral triangle of side one.
The convex hull of the images is the triangle (no t below zero), their affine hull is the whole plane.
"""

from __future__ import annotations

import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

Array = NDArray[np.float64]
HEIGHT = math.sqrt(3) / 2  # height of the triangle, in units of its side


def line(ends: Tensor, positions: Array) -> Tensor:
    """Return points ``[n, *input]`` between two ends ``[2, *input]`` (App. G 2); 0 and 1 give the ends exactly."""
    return mixed(ends, np.stack([1 - positions, positions], axis=-1))


def plane_axes(resolution: int, margin: float) -> tuple[Array, Array]:
    """Return the coordinates of columns and rows of a square grid around the triangle, both ``[resolution]``.

    The square extends by ``margin`` beyond the triangle left and right, in units of the triangle's side.
    """
    along = np.linspace(-margin, 1 + margin, resolution)
    return along, along - 0.5 + HEIGHT / 2


def barycentric(x: Array, y: Array) -> Array:
    """Return the weights of the three corners at points ``x``, ``y`` of the drawing, ``[..., 3]``; their sum is one."""
    third = y / HEIGHT
    second = x - third / 2
    return np.stack(np.broadcast_arrays(1 - second - third, second, third), axis=-1)


def plane(corners: Tensor, x: Array, y: Array) -> Tensor:
    """Return points of the plane through three images (App. G 2), ``[rows * columns, *input]``, row after row."""
    across, up = np.meshgrid(x, y)
    return mixed(corners, barycentric(across.ravel(), up.ravel()))


def mixed(images: Tensor, weights: Array) -> Tensor:
    """Return sums ``[n, *input]`` of images ``[k, *input]`` with weights ``[n, k]``."""
    if weights.ndim != 2 or weights.shape[1] != len(images):
        raise ValueError(f"weights: got shape {list(weights.shape)}, needs [n, {len(images)}] for {len(images)} images")
    coefficients = torch.as_tensor(weights, dtype=images.dtype, device=images.device)
    result: Tensor = torch.tensordot(coefficients, images, dims=1)
    return result


def pairs(labels: Tensor, count: int, same: bool, leave_out: frozenset[int] = frozenset()) -> list[tuple[int, int]]:
    """Return pairs of images of the same class or not, formed in their order, with no image in two pairs.

    ValueError if there are fewer than ``count``.
    """
    chosen: list[tuple[int, int]] = []
    waiting: list[int] = []
    for i, label in enumerate(labels.tolist()):
        if i in leave_out:
            continue
        partner = next((j for j in waiting if (int(labels[j]) == label) == same), None)
        if partner is None:
            waiting.append(i)
            continue
        waiting.remove(partner)
        chosen.append((partner, i))
        if len(chosen) == count:
            return chosen
    raise ValueError(f"test_size: got {len(labels)} images, too few for {count} lines of each kind; needs more")
