"""Reader of the IDX format of MNIST and Fashion-MNIST.

A file holds two zero bytes, one byte for the type (8: unsigned byte), one for the number of dimensions, the sizes as
big-endian 32-bit integers, and the values in C order.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from empirics.data.files import content

UNSIGNED_BYTE = 8
HEADER = 4
SIZE = 4  # bytes


def read_idx(path: Path) -> NDArray[np.uint8]:
    """Read the array in an IDX file of unsigned bytes.

    Args:
        path: the file, gzipped if its name ends in ``.gz``.

    Raises:
        ValueError: if the file is not of this format, or shorter or longer than its header says.
    """
    data = content(path)
    if len(data) < HEADER or data[:3] != bytes((0, 0, UNSIGNED_BYTE)):
        raise ValueError(f"{path}: is not an IDX file of unsigned bytes")
    dimensions = data[3]
    start = HEADER + SIZE * dimensions
    if len(data) < start:
        raise ValueError(f"{path}: ends within its header")
    shape = tuple(int(n) for n in np.frombuffer(data, ">u4", dimensions, HEADER))
    if len(data) - start != math.prod(shape):
        raise ValueError(f"{path}: holds {len(data) - start:,} values, its header promises {list(shape)}")
    return np.frombuffer(data, np.uint8, offset=start).reshape(shape)
