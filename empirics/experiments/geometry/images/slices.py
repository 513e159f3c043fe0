r"""Lines between two images and planes through three, as the paper draws them.

A line is :math:`(1 - t) x_1 + t x_2`. A plane is :math:`t_1 x_1 + t_2 x_2 + t_3 x_3` with :math:`t_1 + t_2 + t_3 = 1`,
drawn with the three images at the corners of an equilateral triangle of side one, (0, 0), (1, 0) and (1/2, √3/2): the
convex hull is the triangle (no t below zero), the affine hull the whole plane.
"""

from __future__ import annotations

import math

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

Array = NDArray[np.float64]
HEIGHT = math.sqrt(3) / 2  # of the triangle, in units of its side


def line(ends: Tensor, positions: Array) -> Tensor:
    """Points of a straight line (arXiv 2301.11375, Appendix G 2).

    Args:
        ends: ``[2, *input]``.
        positions: ``[n]``; 0 gives the first end and 1 the second, exactly.

    Returns:
        ``[n, *input]``.
    """
    return mixed(ends, np.stack([1 - positions, positions], axis=-1))


def plane_axes(resolution: int, margin: float) -> tuple[Array, Array]:
    """Coordinates of the columns and rows of a square grid around the triangle, ``resolution`` each.

    Args:
        resolution: points along each side.
        margin: what the square reaches beyond the triangle left and right, in units of the triangle's side.
    """
    along = np.linspace(-margin, 1 + margin, resolution)
    return along, along - 0.5 + HEIGHT / 2


def barycentric(x: Array, y: Array) -> Array:
    """The weights of the three corners at points ``x``, ``y`` of the drawing, ``[..., 3]``; their sum is one."""
    third = y / HEIGHT
    second = x - third / 2
    return np.stack(np.broadcast_arrays(1 - second - third, second, third), axis=-1)


def plane(corners: Tensor, x: Array, y: Array) -> Tensor:
    """Points of the plane through three images (Appendix G 2).

    Args:
        corners: ``[3, *input]``.
        x: ``[columns]``, see :func:`plane_axes`.
        y: ``[rows]``.

    Returns:
        ``[rows * columns, *input]``, row after row.
    """
    across, up = np.meshgrid(x, y)
    return mixed(corners, barycentric(across.ravel(), up.ravel()))


def mixed(images: Tensor, weights: Array) -> Tensor:
    """Weighted sums of images: ``images`` ``[k, *input]`` and ``weights`` ``[n, k]`` give ``[n, *input]``.

    Raises:
        ValueError: if there are not as many images as weights.
    """
    if weights.ndim != 2 or weights.shape[1] != len(images):
        raise ValueError(f"weights: got shape {list(weights.shape)}, needs [n, {len(images)}] for {len(images)} images")
    share = torch.as_tensor(weights, dtype=images.dtype, device=images.device)
    result: Tensor = torch.tensordot(share, images, dims=1)
    return result


def pairs(labels: Tensor, count: int, same: bool, leave_out: frozenset[int] = frozenset()) -> list[tuple[int, int]]:
    """Pairs of images in the order in which they come, no image twice.

    Args:
        labels: ``[N]``, of the images.
        count: how many pairs.
        same: whether the two are of one class or of different ones.
        leave_out: images not to be used.

    Raises:
        ValueError: if there are not so many pairs.
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
