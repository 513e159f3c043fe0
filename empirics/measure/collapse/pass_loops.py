"""Both passes of neural collapse as loops by numba over float32 features in memory.

The class sums are those of the ordinary way, bit for bit; lengths and coordinates are summed in another order. Three
directions at a time take each number of a deviation from the cache once.
"""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from closedform.loops.machine_code import compiled

_COLUMNS = 2048  # that are taken together, so that means and directions stay in the processor's second cache
_TOGETHER = 3  # directions whose sums are computed at once
Doubles = NDArray[np.float64]


def add_samples(x: Tensor, y: Tensor, reference: Tensor, sums: Tensor) -> float:
    """Add samples minus the reference to the sums of their classes, in place; return the sum of all squares.

    Args:
        x: features ``[N, D]``, float32, in the order of memory.
        y: class indices ``[N]``, int64.
        reference: point ``[D]``, float64.
        sums: sums of the classes ``[C, D]``, float64, in the order of memory.
    """
    samples, squares = x.detach().numpy(), np.zeros(len(x))
    _add_to_classes(samples, y.contiguous().numpy(), reference.contiguous().numpy(), sums.numpy())
    _add_squares(samples, squares)
    return float(squares.sum())


def projected(x: Tensor, y: Tensor, points: Tensor, directions: Tensor) -> tuple[Tensor, Tensor]:
    """Return products with the directions ``[N, k]`` and lengths ``[N]`` of samples minus the points of their classes.

    Args:
        x: features ``[N, D]``, float32, in the order of memory.
        y: class indices ``[N]``, int64.
        points: a point for each class, ``[C, D]``, float64.
        directions: ``[k, D]``, float64.
    """
    out = x.new_zeros(len(x), len(directions) + 1, dtype=points.dtype)
    arrays = (tensor.detach().contiguous().numpy() for tensor in (x, y, points, directions))
    _project(*arrays, out.numpy())
    return out[:, :-1], out[:, -1].sqrt()


@compiled
def _add_to_classes(
    x: NDArray[np.float32], y: NDArray[np.int64], reference: Doubles, sums: Doubles
) -> None:
    rows, columns = x.shape
    for first in range(0, columns, _COLUMNS):
        last = min(first + _COLUMNS, columns)
        for row in range(rows):
            own = sums[y[row]]
            for column in range(first, last):
                own[column] += np.float64(x[row, column]) - reference[column]


@partial(compiled, sums=True)
def _add_squares(x: NDArray[np.float32], squares: Doubles) -> None:
    for row in range(x.shape[0]):
        total = 0.0
        for column in range(x.shape[1]):
            value = np.float64(x[row, column])
            total += value * value
        squares[row] = total


@partial(compiled, sums=True)
def _project(
    x: NDArray[np.float32], y: NDArray[np.int64], points: Doubles, directions: Doubles, out: Any
) -> None:
    (rows, columns), count = x.shape, directions.shape[0]
    deviation = np.empty(_COLUMNS)
    for first in range(0, columns, _COLUMNS):
        part, size = slice(first, min(first + _COLUMNS, columns)), min(_COLUMNS, columns - first)
        for row in range(rows):
            sample, point = x[row, part], points[y[row], part]
            for i in range(size):
                deviation[i] = np.float64(sample[i]) - point[i]
            # A loop that sums writes to no array, so that addresses do not decide the order of the sum.
            square = 0.0
            for i in range(size):
                square += deviation[i] * deviation[i]
            out[row, count] += square
            whole = count - count % _TOGETHER
            for k in range(0, whole, _TOGETHER):
                a, b, c = directions[k, part], directions[k + 1, part], directions[k + 2, part]
                of_a = of_b = of_c = 0.0
                for i in range(size):
                    of_a += deviation[i] * a[i]
                    of_b += deviation[i] * b[i]
                    of_c += deviation[i] * c[i]
                out[row, k] += of_a
                out[row, k + 1] += of_b
                out[row, k + 2] += of_c
            for k in range(whole, count):
                a, total = directions[k, part], 0.0
                for i in range(size):
                    total += deviation[i] * a[i]
                out[row, k] += total
