"""Tests of the official files, if they are present: sizes, class sizes, and pixel sums that detect misread bytes."""

from __future__ import annotations

import gzip
import hashlib
import struct

import pytest
import torch

from empirics import data
from empirics.data.download import SHA256

EXPECTED = {  # name, split: shape of all images, class sizes (None: too many to write), is a subset
    ("fashion_mnist", "train"): ([60_000, 1, 28, 28], [6000] * 10),
    ("fashion_mnist", "test"): ([10_000, 1, 28, 28], [1000] * 10),
    ("mnist", "train"): (
        [60_000, 1, 28, 28],
        [5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949],
    ),
    ("mnist", "test"): (
        [10_000, 1, 28, 28],
        [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009],
    ),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("name", "split"), EXPECTED)
def test_sizes(data_directory, name, split):
    shape, sizes = EXPECTED[name, split]
    dataset = data.load(name, data_directory, split, dtype=torch.uint8)
    assert list(dataset.images.shape) == shape
    assert dataset.class_sizes.tolist() == sizes
    assert f"{shape[0]:,} images" in dataset.origin


# Mean and standard deviation of all training pixels, as they are quoted for normalisation everywhere.
@pytest.mark.parametrize(
    ("name", "mean", "std"),
    [
        pytest.param("mnist", 0.1307, 0.3081, marks=pytest.mark.slow),
        ("fashion_mnist", 0.2860, 0.3530),
    ],
)
def test_pixel_statistics(data_directory, name, mean, std):
    images, _ = data.load(name, data_directory)
    assert float(images.mean()) == pytest.approx(mean, abs=5e-5)
    assert float(images.std()) == pytest.approx(std, abs=5e-5)
    assert images.dtype == torch.float32
    assert (float(images.min()), float(images.max())) == (0.0, 1.0)


def test_cifar_channels_are_red_green_blue(data_directory):
    """Quoted means of the 50,000 training images: 0.4914, 0.4822, 0.4465; a subset comes close."""
    dataset = data.load("cifar10", data_directory)
    assert dataset.images.shape[1:] == (3, 32, 32)
    sampling = 0.25 / len(dataset) ** 0.5 * 2 + 0.002  # an image's mean varies by about 0.15
    torch.testing.assert_close(
        dataset.images.mean((0, 2, 3)),
        torch.tensor([0.4914, 0.4822, 0.4465]),
        atol=sampling,
        rtol=0,
    )
    assert len(set(dataset.class_sizes.tolist())) == 1
    assert ("subset" in dataset.origin) == (len(dataset) < 50_000)


def test_digits():
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    train, test = (data.load("digits", split=split) for split in ("train", "test"))
    assert list(train.images.shape) == [1437, 1, 8, 8]
    assert list(test.images.shape) == [360, 1, 8, 8]
    assert (train.class_sizes + test.class_sizes).tolist() == [
        178,
        182,
        177,
        183,
        181,
        182,
        181,
        179,
        174,
        180,
    ]
    assert float(train.images.max()) == 1.0


# The time at which the publisher compressed each file, which some copies drop from the archive's header with its name.
COMPRESSED = {"train": 1504176606, "t10k": 1504176627}
SLOW_FILES = [
    pytest.param(f"{split}-images-idx3-ubyte", marks=pytest.mark.slow) for split in COMPRESSED
]


def as_published(archive, name):
    """The archive with the file name and the time of the publisher in its header."""
    if archive[3]:  # flags: the name is there
        return archive
    time = struct.pack("<I", COMPRESSED[name.partition("-")[0]])
    return archive[:3] + b"\x08" + time + archive[8:10] + name.encode() + b"\0" + archive[10:]


@pytest.mark.parametrize(
    "name", ["train-labels-idx1-ubyte", "t10k-labels-idx1-ubyte", *SLOW_FILES]
)
def test_the_sha256_belong_to_the_archives_with_the_published_md5(data_directory, name):
    datasets = pytest.importorskip(
        "empirics.vision", reason="torchvision is not installed"
    ).datasets
    archive = (data_directory / "fashion-mnist" / f"{name}.gz").read_bytes()
    assert hashlib.sha256(gzip.decompress(archive)).hexdigest() == SHA256["fashion_mnist"][name]
    published = dict(datasets.FashionMNIST.resources)[f"{name}.gz"]
    assert hashlib.md5(as_published(archive, name)).hexdigest() == published
