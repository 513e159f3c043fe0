"""The decision boundary of a classifier of the plane, and the distance of every point of a grid to it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from bridge.statistics.arrays import Array
from closedform.checks.arrays import real_array


def boundary_lines(x: ArrayLike, y: ArrayLike, margin: ArrayLike) -> list[Array]:
    """Return the lines ``[vertex, 2]`` at which ``margin`` changes sign, by linear interpolation on the grid.

    Args:
        x: increasing first coordinates of the grid, ``[x]``.
        y: increasing second coordinates of the grid, ``[y]``.
        margin: ``[y, x]``, positive for one class and negative for the other.

    Raises:
        TypeError: if entries are not real numbers.
        ValueError: if shapes are wrong, coordinates do not increase, or numbers are not finite.

    >>> [line.tolist() for line in boundary_lines([0, 1], [0, 1], [[-1, 1], [-1, 1]])]
    [[[0.5, 1.0], [0.5, 0.0]]]
    """
    import contourpy  # comes with matplotlib

    first, second, values = (real_array(name, argument) for name, argument in (("x", x), ("y", y), ("margin", margin)))
    for name, axis in (("x", first), ("y", second)):
        if axis.ndim != 1 or axis.size < 2 or not (np.diff(axis) > 0).all():
            raise ValueError(f"{name}: got shape {axis.shape}, needs at least two increasing numbers")
    if values.shape != (second.size, first.size):
        raise ValueError(f"margin: got shape {values.shape}, needs {(second.size, first.size)}, y before x")
    lines = contourpy.contour_generator(first, second, values).lines(0.0)
    return [np.asarray(line, dtype=np.float64) for line in lines]


def distance_to_boundary(x: ArrayLike, y: ArrayLike, margin: ArrayLike) -> Array:
    """Compute the Euclidean distance ``[y, x]`` of every point of the grid to the boundary within the grid.

    It is infinite where there is no boundary.

    Args:
        x: increasing first coordinates of the grid, ``[x]``.
        y: increasing second coordinates of the grid, ``[y]``.
        margin: ``[y, x]``, positive for one class and negative for the other.

    Raises:
        TypeError, ValueError: under the same conditions as :func:`boundary_lines`.

    >>> distance_to_boundary([0, 1], [0, 1], [[-1, 1], [-1, 1]]).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    lines = boundary_lines(x, y, margin)
    first, second = np.meshgrid(real_array("x", x), real_array("y", y))
    points = np.stack([first.ravel(), second.ravel()], axis=1)[:, None]
    nearest = np.full(len(points), np.inf)
    for line in lines:
        start, step = line[:-1], np.diff(line, axis=0)
        length2 = np.maximum((step**2).sum(axis=1), np.finfo(np.float64).tiny)  # vertices may coincide
        share = np.clip(((points - start) * step).sum(axis=2) / length2, 0, 1)
        gap = points - start - share[..., None] * step
        nearest = np.minimum(nearest, np.sqrt((gap**2).sum(axis=2)).min(axis=1))
    return nearest.reshape(first.shape)
