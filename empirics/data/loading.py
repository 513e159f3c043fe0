"""Loading of all data sets by one function, which finds, reads and checks the official files and draws a subset.

The digits of scikit-learn are 1,797 grey images of 8 x 8 pixels in 17 levels, slightly imbalanced. They have no
official split. Here the last 360 images (a fifth), in the original order, are the test split.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray

from closedform import checks
from closedform.missing import require
from empirics.data.dataset import Dataset
from empirics.data.download import download as fetch
from empirics.data.image_files import read_cifar, read_mnist
from empirics.data.names import CLASSES, NAMES, TITLES, Name

TEST = 360
LEVELS = 16  # the largest pixel value


def read_digits(split: str) -> tuple[NDArray[np.uint8], NDArray[np.uint8], str]:
    """Read images ``[N, 1, 8, 8]`` with values 0 ... 16, labels ``[N]`` and a description of one split."""
    require("name: 'digits'", "sklearn")
    from sklearn.datasets import load_digits

    bunch = load_digits()
    part = slice(None, -TEST) if split == "train" else slice(-TEST, None)
    images, labels = (
        bunch.images[part].astype(np.uint8)[:, None],
        bunch.target[part].astype(np.uint8),
    )
    return images, labels, f"{len(images):,} images"


Split = Literal["train", "test"]
SPLITS = {"train": "training split", "test": "test split"}
DIRECTORY = "CLOSEDFORM_DATA"  # environment variable
BYTE = 255
FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)

Reader = Callable[[Path, str], "tuple[NDArray[np.uint8], NDArray[np.uint8], str] | None"]
READERS: dict[str, Reader] = {
    "fashion_mnist": lambda directory, split: read_mnist("fashion_mnist", directory, split),
    "mnist": lambda directory, split: read_mnist("mnist", directory, split),
    "cifar10": read_cifar,
}


def load(
    name: Name,
    directory: str | os.PathLike[str] | None = None,
    split: Split = "train",
    count: int | None = None,
    seed: int = 0,
    balanced: bool = False,
    download: bool = False,
    flatten: bool = False,
    dtype: torch.dtype = torch.float32,
) -> Dataset:
    """Read one data set, or a part of it.

    As in ``images, labels = load("fashion_mnist", "my/data", count=1000)``.

    Args:
        name: ``"fashion_mnist"``, ``"mnist"``, ``"cifar10"`` or ``"digits"``.
        directory: the folder that holds ``fashion-mnist/``, ``mnist/``, ``cifar-10-batches-bin/`` (torchvision's
            ``FashionMNIST/raw/``, ``MNIST/raw/`` and ``cifar-10-batches-py/`` and a CIFAR-10 subset in
            ``cifar-10-12k/`` are known, too), or the official files themselves, gzipped or not. Default: the
            environment variable ``CLOSEDFORM_DATA``. Not needed for ``"digits"``.
        split: ``"train"`` (default) or ``"test"``.
        count: number of images, drawn without replacement; None (default) takes all, in the official order.
        seed: seed of the draw, default 0; see :meth:`Dataset.subset`.
        balanced: whether to draw the same number of images of each class; default False.
        download: whether torchvision downloads missing files from their official source into its usual folders below
            ``directory``; default False.
        flatten: whether to return images as ``[N, pixel]`` instead of ``[N, channel, height, width]``; default False.
        dtype: floating-point type (pixel values in [0, 1], default float32), or ``torch.uint8`` (values as stored).

    Returns:
        The images and labels, on the CPU.

    Raises:
        ValueError: if an argument is not one of the above, or a file is damaged.
        TypeError: if an argument is of the wrong kind.
        FileNotFoundError: if the files are missing; the message names them and the folder.
        ModuleNotFoundError: if ``"digits"`` is requested without scikit-learn.
        empirics.data.download.DownloadError: if the download fails.

    >>> load("digits", count=5).images.shape
    torch.Size([5, 1, 8, 8])
    """
    checks.one_of("name", name, NAMES)
    checks.one_of("split", split, SPLITS)
    if dtype not in (*FLOATS, torch.uint8):
        raise TypeError(f"dtype: got {dtype!r}, needs a floating-point torch.dtype or torch.uint8")
    pixels, digits, extent = (
        read_digits(split) if name == "digits" else _read(name, directory, split, download)
    )
    images, labels = torch.tensor(pixels), torch.tensor(digits, dtype=torch.int64)
    dataset = Dataset(images, labels, CLASSES, f"{TITLES[name]}, {SPLITS[split]}, {extent}")
    if count is not None:
        dataset = dataset.subset(count, seed, balanced)
    elif balanced:
        raise ValueError("balanced: needs count, the number of images in all")
    images = dataset.images.flatten(1) if flatten else dataset.images
    if dtype != torch.uint8:
        images = images.to(dtype) / (LEVELS if name == "digits" else BYTE)
    return Dataset(images, dataset.labels, CLASSES, dataset.origin)


def _read(
    name: str, directory: str | os.PathLike[str] | None, split: str, download: bool
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], str]:
    named = directory if directory is not None else os.environ.get(DIRECTORY)
    if not named:
        raise ValueError(
            f"directory: got none, needs the folder of the data sets (or set {DIRECTORY})"
        )
    if not isinstance(named, str | os.PathLike):
        raise TypeError(f"directory: got {type(named).__name__}, needs a path")
    root = Path(named).expanduser()
    content = READERS[name](root, split)
    if content is None and download:
        fetch(name, root)
        content = READERS[name](root, split)
    if content is None:
        raise FileNotFoundError(
            f"directory: {root} {'has no' if root.is_dir() else 'does not exist, so it has no'} {TITLES[name]}, "
            f"{SPLITS[split]}, in its official files; needs them there, or download=True"
        )
    return content
