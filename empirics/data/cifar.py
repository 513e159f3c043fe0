"""Reader of CIFAR-10: its binary version, and its Python version, which torchvision reads and downloads.

A record of the binary version is one label byte and 3 x 32 x 32 pixel bytes (red, green, blue; row by row). torchvision
reads neither this version nor subsets.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from closedform.untrusted_files import UnreadableFileError, content
from empirics.data.mnist import present

FILES = {"train": tuple(f"data_batch_{i}.bin" for i in range(1, 6)), "test": ("test_batch.bin",)}
FOLDERS = ("cifar-10-batches-bin", "cifar-10-12k", "")
OFFICIAL = "cifar-10-batches-bin"  # folder of the published archive, in which all files are required
PYTHON_VERSION = "cifar-10-batches-py"
SHAPE = (3, 32, 32)
RECORD = 1 + 3 * 32 * 32
OFFICIAL_SIZE = {"train": 50_000, "test": 10_000}


def read_cifar(directory: Path, split: str) -> tuple[NDArray[np.uint8], NDArray[np.uint8], str] | None:
    """Read images ``[N, 3, 32, 32]``, labels and a description of a split, or those that a folder has; None without."""
    if (directory / PYTHON_VERSION).is_dir():
        return _read_python_version(directory, split)
    for folder in FOLDERS:
        named = {file: present(directory / folder, file) for file in FILES[split]}
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
        extent = f"{size:,} images" if size == official else f"a subset: {size:,} of {official:,} images"
        return records[:, 1:].reshape(-1, *SHAPE), records[:, 0], extent
    return None


def _read_python_version(directory: Path, split: str) -> tuple[NDArray[np.uint8], NDArray[np.uint8], str]:
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
        raise UnreadableFileError(f"{path}: holds {len(data):,} bytes, needs a multiple of {RECORD:,} (one record)")
    records = np.frombuffer(data, np.uint8).reshape(-1, RECORD)
    if records[:, 0].max() > 9:
        raise UnreadableFileError(
            f"{path}: has labels up to {records[:, 0].max()}, needs 0 ... 9; is it CIFAR-10, binary version?"
        )
    return records
