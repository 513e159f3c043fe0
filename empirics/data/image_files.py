"""Readers of published image files: of MNIST and Fashion-MNIST, and of CIFAR-10.

Both former have 60,000 + 10,000 grey images of 28 x 28 pixels in four IDX files of the same names. An IDX file holds
two zero bytes, one byte for the type (8: unsigned byte), one for the number of dimensions, the sizes as big-endian
32-bit integers, and the values in C order.

CIFAR-10 has a binary version, and a Python version, which torchvision reads and downloads. A record of the binary
version is one label byte and 3 x 32 x 32 pixel bytes (red, green, blue; row by row). torchvision reads neither this
version nor subsets.
"""

import hashlib
import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from closedform.untrusted_files import UnreadableFileError, content

CIFAR_FILES = {
    "train": tuple(f"data_batch_{i}.bin" for i in range(1, 6)),
    "test": ("test_batch.bin",),
}
CIFAR_FOLDERS = ("cifar-10-batches-bin", "cifar-10-12k", "")
# folder of the published archive, in which all files are required
OFFICIAL = "cifar-10-batches-bin"
PYTHON_VERSION = "cifar-10-batches-py"
SHAPE = (3, 32, 32)
RECORD = 1 + 3 * 32 * 32
OFFICIAL_SIZE = {"train": 50_000, "test": 10_000}

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
        raise UnreadableFileError(
            f"{path}: holds {len(data) - start:,} values, its header promises {list(shape)}"
        )
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


def read_mnist(
    name: str, directory: Path, split: str
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], str] | None:
    """Read images ``[N, 1, 28, 28]``, labels ``[N]`` and a description of one split; None if there are no files."""
    for folder in FOLDERS[name]:
        paths = [present(directory / folder, file) for file in FILES[split]]
        if paths[0] is None or paths[1] is None:
            continue
        images, labels = read_idx(paths[0]), read_idx(paths[1])
        if images.ndim != 3 or images.shape[1:] != (PIXELS, PIXELS):
            raise UnreadableFileError(
                f"{paths[0]}: holds {list(images.shape)}, needs [N, {PIXELS}, {PIXELS}]"
            )
        if labels.shape != images.shape[:1]:
            raise UnreadableFileError(
                f"{paths[1]}: holds {list(labels.shape)} labels for {len(images)} images"
            )
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


def read_cifar(
    directory: Path, split: str
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], str] | None:
    """Read images ``[N, 3, 32, 32]``, labels and a description of a split, or those that a folder has; None without."""
    if (directory / PYTHON_VERSION).is_dir():
        return _read_python_version(directory, split)
    for folder in CIFAR_FOLDERS:
        named = {file: present(directory / folder, file) for file in CIFAR_FILES[split]}
        paths = [path for path in named.values() if path is not None]
        if not paths:
            continue
        missing = [file for file, path in named.items() if path is None]
        if missing and OFFICIAL in (folder, directory.name):
            raise UnreadableFileError(
                f"{directory / folder}: lacks {', '.join(missing)}; unpack the published archive again"
            )
        parts = [_records(path) for path in paths]
        records = np.concatenate(parts) if len(parts) > 1 else parts[0]
        size, official = len(records), OFFICIAL_SIZE[split]
        extent = (
            f"{size:,} images"
            if size == official
            else f"a subset: {size:,} of {official:,} images"
        )
        return records[:, 1:].reshape(-1, *SHAPE), records[:, 0], extent
    return None


def _read_python_version(
    directory: Path, split: str
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], str]:
    from empirics.vision import datasets  # takes a second to import

    try:
        data = datasets.CIFAR10(directory, train=split == "train")
    except RuntimeError as error:
        raise UnreadableFileError(f"{directory / PYTHON_VERSION}: {error}") from error
    images = np.ascontiguousarray(data.data.transpose(0, 3, 1, 2))
    return images, np.asarray(data.targets, np.uint8), f"{len(images):,} images"


def _records(path: Path) -> NDArray[np.uint8]:
    data = content(path)
    if not data or len(data) % RECORD:
        raise UnreadableFileError(
            f"{path}: holds {len(data):,} bytes, needs a multiple of {RECORD:,} (one record)"
        )
    records = np.frombuffer(data, np.uint8).reshape(-1, RECORD)
    if records[:, 0].max() > 9:
        raise UnreadableFileError(
            f"{path}: has labels up to {records[:, 0].max()}, needs 0 ... 9; is it CIFAR-10, binary version?"
        )
    return records
