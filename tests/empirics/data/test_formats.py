"""Tests of the official formats and folder layouts, on files written byte by byte, and of the error messages."""

from __future__ import annotations

import gzip
import hashlib
import pickle
import resource
import struct
import sys
import tarfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
import torch

from closedform.untrusted_files import content
from empirics import data
from empirics.data import download as downloading
from empirics.data.image_files import read_idx
from empirics.data.names import SHAPES

NOBODY = "http://127.0.0.1:9/"  # no server listens there
MNIST_FILES = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte")


def idx(array):
    return struct.pack(f">4B{array.ndim}I", 0, 0, 8, array.ndim, *array.shape) + array.tobytes()


@pytest.fixture
def grey(rng):
    return rng.integers(0, 256, (30, 28, 28), dtype=np.uint8), rng.permutation(
        np.repeat(np.arange(10, dtype=np.uint8), 3)
    )


def write_grey(folder, pair, packed):
    folder.mkdir(parents=True, exist_ok=True)
    for name, array in zip(MNIST_FILES, pair, strict=True):
        if packed:
            (folder / f"{name}.gz").write_bytes(gzip.compress(idx(array)))
        else:
            (folder / name).write_bytes(idx(array))


def write_cifar(folder, name, images, labels):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(
        b"".join(bytes([y]) + x.tobytes() for x, y in zip(images, labels, strict=True))
    )


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("mnist", "mnist"), ("mnist", "MNIST/raw"), ("mnist", ""),
        ("fashion_mnist", "fashion-mnist"), ("fashion_mnist", "FashionMNIST/raw"), ("fashion_mnist", ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("packed", [True, False])
def test_layouts(tmp_path, grey, name, folder, packed):
    write_grey(tmp_path / folder, grey, packed)
    dataset = data.load(name, tmp_path, dtype=torch.uint8)
    np.testing.assert_array_equal(dataset.images[:, 0], grey[0])
    np.testing.assert_array_equal(dataset.labels, grey[1])
    channels, side = SHAPES[name]
    assert dataset.images.shape[1:] == (channels, side, side)
    # All three of every class may be asked for.
    assert len(data.load(name, tmp_path, count=30, balanced=True)) == 30
    with pytest.raises(FileNotFoundError, match="test split"):
        data.load(name, tmp_path, "test")


def test_cifar_batches_in_order(tmp_path, rng):
    images = rng.integers(0, 256, (10, 3, 32, 32), dtype=np.uint8)
    for i in range(5):
        write_cifar(
            tmp_path / "cifar-10-batches-bin",
            f"data_batch_{i + 1}.bin",
            images[2 * i : 2 * i + 2],
            [i, 9 - i],
        )
    dataset = data.load("cifar10", tmp_path, dtype=torch.uint8)
    np.testing.assert_array_equal(dataset.images, images)
    assert dataset.labels.tolist() == [0, 9, 1, 8, 2, 7, 3, 6, 4, 5]
    (tmp_path / "cifar-10-batches-bin" / "data_batch_3.bin").unlink()
    with pytest.raises(ValueError, match=r"lacks data_batch_3\.bin"):
        data.load("cifar10", tmp_path)


def test_directory_from_the_environment(tmp_path, grey, monkeypatch):
    monkeypatch.delenv("CLOSEDFORM_DATA", raising=False)
    with pytest.raises(ValueError, match="directory: got none"):
        data.load("mnist")
    write_grey(tmp_path / "mnist", grey, packed=True)
    monkeypatch.setenv("CLOSEDFORM_DATA", str(tmp_path))
    assert len(data.load("mnist")) == 30


def test_shapes_and_values(tmp_path, grey):
    write_grey(tmp_path, grey, packed=False)
    images, labels = data.load("mnist", tmp_path, flatten=True, dtype=torch.float64)
    assert list(images.shape) == [30, 784]
    np.testing.assert_allclose(images.numpy(), grey[0].reshape(30, -1) / 255, rtol=1e-15)
    assert labels.dtype == torch.int64


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda b: b[:-1], "values, its header promises"),
        (lambda b: b + b"x", "values, its header promises"),
        (lambda b: b"\x01" + b[1:], "is not an IDX file"),
        (lambda b: b[:2] + b"\x0d" + b[3:], "is not an IDX file"),
        (lambda b: b[:7], "ends within its header"),
        (lambda b: b[:4], "ends within its header"),
        (lambda b: b"", "is not an IDX file"),
    ],
)
def test_damaged_idx(tmp_path, grey, damage, complaint):
    path = tmp_path / "images"
    path.write_bytes(damage(idx(grey[0])))
    with pytest.raises(ValueError, match=complaint):
        read_idx(path)


def test_cut_gzip(tmp_path, grey):
    write_grey(tmp_path, grey, packed=True)
    path = tmp_path / f"{MNIST_FILES[0]}.gz"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ValueError, match=r"gz: got .*, needs a complete file"):
        data.load("mnist", tmp_path)


def test_a_small_file_that_decompresses_to_any_size_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "bomb.gz"
    path.write_bytes(260 * gzip.compress(bytes(2**20)))
    assert path.stat().st_size < 2**20
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert content.__defaults__ == (2**28,)
    monkeypatch.setattr(content, "__defaults__", (2**20,))
    for read in (content, read_idx):
        with pytest.raises(ValueError, match=r"bomb\.gz: got more than 1,048,576 bytes"):
            read(path)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert (after - before) * 2**10 < 100 * 2**20


def test_files_that_do_not_fit(tmp_path, grey):
    images, labels = grey
    write_grey(tmp_path, (images, labels[:-1]), packed=False)
    with pytest.raises(ValueError, match=r"holds \[29\] labels for 30 images"):
        data.load("mnist", tmp_path)
    write_grey(tmp_path, (images[:, :27], labels), packed=False)
    with pytest.raises(ValueError, match=r"needs \[N, 28, 28\]"):
        data.load("mnist", tmp_path)
    write_grey(tmp_path, (images, labels + 1), packed=False)
    with pytest.raises(ValueError, match="labels: got values outside"):
        data.load("mnist", tmp_path)


def test_the_other_data_set_under_the_same_names(data_directory):
    with pytest.raises(
        ValueError, match="is the test split of fashion_mnist, not the test split of mnist"
    ):
        data.load("mnist", data_directory / "fashion-mnist", "test")


def test_damaged_cifar(tmp_path, rng):
    write_cifar(
        tmp_path, "test_batch.bin", rng.integers(0, 256, (2, 3, 32, 32), dtype=np.uint8), [3, 10]
    )
    with pytest.raises(ValueError, match="labels up to 10"):
        data.load("cifar10", tmp_path, "test")
    (tmp_path / "test_batch.bin").write_bytes(b"\0" * 3072)
    with pytest.raises(ValueError, match="needs a multiple of 3,073"):
        data.load("cifar10", tmp_path, "test")


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder, and the address that a server on this machine gives its files at."""
    monkeypatch.setenv("no_proxy", "*")
    (tmp_path / "home").mkdir()
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(QuietHandler, directory=tmp_path / "home")
    )
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield tmp_path / "home", f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def md5(path):
    return hashlib.md5(path.read_bytes()).hexdigest()


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def test_download(tmp_path, home, grey, monkeypatch):
    """From the second of two homes; then a wrong checksum, a home that does not answer."""
    datasets = pytest.importorskip(
        "empirics.vision", reason="torchvision is not installed"
    ).datasets
    (folder, address), target = home, tmp_path / "target"
    write_grey(folder, grey, packed=True)
    sums = [(f"{n}.gz", md5(folder / f"{n}.gz")) for n in MNIST_FILES]
    known = {name: sha256(idx(array)) for name, array in zip(MNIST_FILES, grey, strict=True)}
    monkeypatch.setitem(downloading.SHA256, "mnist", known)
    monkeypatch.setattr(datasets.MNIST, "mirrors", [NOBODY, address])
    monkeypatch.setattr(datasets.MNIST, "resources", sums)
    with pytest.raises(FileNotFoundError, match="download=True"):
        data.load("mnist", target)
    dataset = data.load("mnist", target, download=True, dtype=torch.uint8)
    np.testing.assert_array_equal(dataset.images[:, 0], grey[0])
    assert {f"{name}.gz" for name in MNIST_FILES} <= {
        p.name for p in (target / "MNIST" / "raw").iterdir()
    }
    # the MD5 are right
    monkeypatch.setitem(downloading.SHA256, "mnist", known | {MNIST_FILES[0]: "0" * 64})
    with pytest.raises(downloading.DownloadError, match=f"{MNIST_FILES[0]}: SHA-256 differs"):
        data.load("mnist", tmp_path / "forged", download=True)
    left = {path.name for path in (tmp_path / "forged" / "MNIST" / "raw").iterdir()}
    assert left == {MNIST_FILES[1], f"{MNIST_FILES[1]}.gz"}
    monkeypatch.setattr(datasets.MNIST, "resources", [(name, "0" * 32) for name, _ in sums])
    with pytest.raises(
        downloading.DownloadError, match=r"MNIST could not be .*corrupted.*by other means"
    ):
        data.load("mnist", tmp_path / "again", download=True)
    assert list((tmp_path / "again" / "MNIST" / "raw").iterdir()) == []
    monkeypatch.setattr(datasets.MNIST, "mirrors", [NOBODY])
    with pytest.raises(
        downloading.DownloadError, match=r"MNIST could not be downloaded.*by other means"
    ):
        data.load("mnist", tmp_path / "never", download=True)


def test_cifar_in_its_python_version(tmp_path, home, rng, monkeypatch):
    """Downloaded; then a file is damaged."""
    datasets = pytest.importorskip(
        "empirics.vision", reason="torchvision is not installed"
    ).datasets
    folder = home[0] / "cifar-10-batches-py"
    folder.mkdir(parents=True)
    images = rng.integers(0, 256, (12, 3, 32, 32), dtype=np.uint8)
    names = [*(f"data_batch_{i}" for i in range(1, 6)), "test_batch"]
    for i, name in enumerate(names):
        rows = images[2 * i : 2 * i + 2].reshape(2, -1)
        (folder / name).write_bytes(pickle.dumps({"data": rows, "labels": [i, 9 - i]}))
    (folder / "batches.meta").write_bytes(pickle.dumps({"label_names": list("abcdefghij")}))
    archive = home[0] / "cifar-10-python.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(folder, folder.name)
    sums = [[name, md5(folder / name)] for name in names]
    for attribute, value in {
        "url": home[1] + archive.name, "tgz_md5": md5(archive), "train_list": sums[:-1], "test_list": sums[-1:],
        "meta": {"filename": "batches.meta", "key": "label_names", "md5": md5(folder / "batches.meta")},
    }.items():  # fmt: skip
        monkeypatch.setattr(datasets.CIFAR10, attribute, value)
    with pytest.raises(
        downloading.DownloadError, match=r"cifar-10-python\.tar\.gz: SHA-256 differs"
    ):
        data.load("cifar10", tmp_path / "forged", download=True)
    assert list((tmp_path / "forged").iterdir()) == []
    monkeypatch.setitem(
        downloading.SHA256, "cifar10", {archive.name: sha256(archive.read_bytes())}
    )
    target = tmp_path / "target"
    train = data.load("cifar10", target, download=True, dtype=torch.uint8)
    np.testing.assert_array_equal(train.images, images[:10])
    assert train.labels.tolist() == [0, 9, 1, 8, 2, 7, 3, 6, 4, 5]
    np.testing.assert_array_equal(
        data.load("cifar10", target, "test", dtype=torch.uint8).images, images[10:]
    )
    (target / "cifar-10-batches-py" / "data_batch_3").write_bytes(b"")
    with pytest.raises(ValueError, match="cifar-10-batches-py: Dataset not found or corrupted"):
        data.load("cifar10", target)


@pytest.mark.skipif(
    not hasattr(tarfile, "data_filter"), reason="this Python has no filters for archives"
)
def test_an_archive_writes_nothing_outside_its_folder(tmp_path, home, monkeypatch):
    datasets = pytest.importorskip(
        "empirics.vision", reason="torchvision is not installed"
    ).datasets
    archive = home[0] / "cifar-10-python.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.addfile(tarfile.TarInfo("../outside"))
    monkeypatch.setattr(datasets.CIFAR10, "url", home[1] + archive.name)
    monkeypatch.setattr(datasets.CIFAR10, "tgz_md5", md5(archive))
    with pytest.raises(
        downloading.DownloadError, match=r"CIFAR10 could not be downloaded .*outside"
    ):
        data.load("cifar10", tmp_path / "there", download=True)
    assert not (tmp_path / "outside").exists()
    assert tarfile.TarFile.extraction_filter is None


def test_digits_without_scikit_learn(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(
        ModuleNotFoundError, match="name: 'digits' needs sklearn, which is not installed"
    ):
        data.load("digits")


@pytest.mark.parametrize(
    ("change", "error", "complaint"),
    [
        (
            {"name": "imagenet"},
            ValueError,
            "name: got 'imagenet', needs one of fashion_mnist, mnist",
        ),
        ({"split": "validation"}, ValueError, "split: got 'validation'"),
        ({"directory": 3}, TypeError, "directory: got int"),
        ({"directory": "no/such/folder"}, FileNotFoundError, "does not exist, so it has no MNIST"),
        ({"dtype": torch.int64}, TypeError, "dtype: got torch.int64"),
        ({"count": 31}, ValueError, "count: got 31, needs an integer from 1 to 30"),
        ({"count": 0}, ValueError, "count: got 0"),
        ({"count": 2.0}, TypeError, "count: got 2.0"),
        ({"count": 15, "balanced": True}, ValueError, "count: got 15, needs a multiple of 10"),
        ({"balanced": True}, ValueError, "balanced: needs count"),
        ({"count": 3, "seed": -1}, ValueError, "seed: got -1"),
    ],
)
def test_bad_input(tmp_path, grey, change, error, complaint):
    write_grey(tmp_path, grey, packed=False)
    with pytest.raises(error, match=complaint):
        data.load(**({"name": "mnist", "directory": tmp_path} | change))
