"""MNIST and Fashion-MNIST: 60,000 + 10,000 grey images of 28 x 28 pixels in four IDX files of the same names.

An IDX file holds two zero bytes, one byte for the type (8: unsigned byte), one for the number of dimensions, the sizes
as big-endian 32-bit integers, and the values in C order.
"""

from __future__ import annotations

import hashlib
import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from closedform.untrusted_files import UnreadableFileError, content

UNSIGNED_BYTE = 8
HEADER = 4
SIZE = 4  # bytes


def read_idx(path: Path) -> NDArray[np.uint8]:
    """Read the array in an IDX file of unsigned bytes, gzipped if its name ends in ``.gz``."""
    data = content(path)
    if len(data) < HEADER or data[:3] != bytes((0, 0, UNSIGNED_BYTE)):
        raise UnreadableFileError(f"{path}: is not an IDX file of unsigned bytes")
    dimensions = data[3]
    start = HEADER + SIZE * dimensions
    if len(data) < start:
        raise UnreadableFileError(f"{path}: ends within its header")
    shape = tuple(int(n) for n in np.frombuffer(data, ">u4", dimensions, HEADER))
    if len(data) - start != math.prod(shape):
        raise UnreadableFileError(f"{path}: holds {len(data) - start:,} values, its header promises {list(shape)}")
    return np.frombuffer(data, np.uint8, offset=start).reshape(shape)


FILES = {
    "train": ("train-images-idx3-ubyte", "train-labels-idx1-ubyte"),
    "test": ("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"),
}
# Folders searched below the given directory: as published, as torchvision stores them, and the directory itself.
FOLDERS = {
    "fashion_mnist": ("fashion-mnist", "FashionMNIST/raw", "fashion_mnist", ""),
    "mnist": ("mnist", "MNIST/raw", "MNIST", ""),
}
PIXELS = 28
# The two data sets have files of the same names, so the labels tell them apart: SHA-256 of the label bytes.
LABELS = {
    ("mnist", "train"): "1feba77c54802fa5339a11837ea4b2866434b83314ec45192930f1df69120c13",
    ("mnist", "test"): "ddeff807876a9661a1110d45c266c86239a3a1b7d37da0c3716a7a683c852ff5",
    ("fashion_mnist", "train"): "657fbd221bfc9f4198cc14b5619cc33ec57c58dd0e47af4d99d6650759e869a7",
    ("fashion_mnist", "test"): "3d0e6c6ea990b53b6f8f500a41cac93881d981b315f84578b7d915342ade01e9",
}


def read_mnist(name: str, directory: Path, split: str) -> tuple[NDArray[np.uint8], NDArray[np.uint8], str] | None:
    """Read images ``[N, 1, 28, 28]``, labels ``[N]`` and a description of one split; None if there are no files."""
    for folder in FOLDERS[name]:
        paths = [present(directory / folder, file) for file in FILES[split]]
        if paths[0] is None or paths[1] is None:
            continue
        images, labels = read_idx(paths[0]), read_idx(paths[1])
        if images.ndim != 3 or images.shape[1:] != (PIXELS, PIXELS):
            raise UnreadableFileError(f"{paths[0]}: holds {list(images.shape)}, needs [N, {PIXELS}, {PIXELS}]")
        if labels.shape != images.shape[:1]:
            raise UnreadableFileError(f"{paths[1]}: holds {list(labels.shape)} labels for {len(images)} images")
        digest = hashlib.sha256(labels.tobytes()).hexdigest()
        for (other_name, other_split), known_digest in LABELS.items():
            if digest == known_digest and (other_name, other_split) != (name, split):
                raise UnreadableFileError(
                    f"{paths[1]}: is the {other_split} split of {other_name}, not the {split} split of {name}"
                )
        return images[:, None], labels, f"{len(images):,} images"
    return None


def present(folder: Path, name: str) -> Path | None:
    """Return the path of ``name`` or ``name.gz`` in ``folder``; None if neither exists."""
    return next((path for path in (folder / name, folder / f"{name}.gz") if path.is_file()), None)
