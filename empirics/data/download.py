"""Download of the published files from their official sources by torchvision, and their verification.

torchvision compares MD5 checksums, which detect a damaged file but not an attack, so the SHA-256 are compared here. It
unpacks an archive before that. Python 3.11.4 and later write nothing outside its folder then; older ones do not check.
"""

import hashlib
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from empirics.data.image_files import PYTHON_VERSION

# in torchvision.datasets
KINDS = {"fashion_mnist": "FashionMNIST", "mnist": "MNIST", "cifar10": "CIFAR10"}

# SHA-256 of each file that is read: the decompressed files of MNIST, whose compression varies, and CIFAR-10's archive.
# The files of Fashion-MNIST are the contents of the four archives whose MD5 the README of its publisher,
# github.com/zalandoresearch/fashion-mnist, and torchvision list; a test puts these archives together again. The MD5
# and the SHA-256 of CIFAR-10 belong to the archive of www.cs.toronto.edu/~kriz/cifar.html, which Keras checks by the
# same SHA-256. The SHA-256 of MNIST agree with those of independent copies of the mirror of the CVDF.
SHA256 = {
    "mnist": {
        "train-images-idx3-ubyte": "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
        "train-labels-idx1-ubyte": "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
        "t10k-images-idx3-ubyte": "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
        "t10k-labels-idx1-ubyte": "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
    },
    "fashion_mnist": {
        "train-images-idx3-ubyte": "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888",
        "train-labels-idx1-ubyte": "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9",
        "t10k-images-idx3-ubyte": "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b",
        "t10k-labels-idx1-ubyte": "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34",
    },
    "cifar10": {
        "cifar-10-python.tar.gz": "6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce",
    },
}


class DownloadError(OSError):
    """A published file could not be downloaded, or differs from the published one."""


def download(name: str, directory: Path) -> None:
    """Download missing files of ``name``; DownloadError if no source answers with the files as they were published."""
    from empirics.vision import datasets  # takes a second to import

    kind = getattr(datasets, KINDS[name])
    directory.mkdir(parents=True, exist_ok=True)
    try:
        with _plain_files_only():
            kind(directory, download=True)
    except (OSError, RuntimeError, tarfile.TarError) as error:
        _remove_damaged(kind, directory)
        reason = " ".join(str(error).split())
        raise DownloadError(
            f"{KINDS[name]} could not be downloaded ({reason}); fetch it by other means and put it into {directory}"
        ) from error
    _verify(name, _folder(kind, directory))


@contextmanager
def _plain_files_only() -> Iterator[None]:
    """Let archives be unpacked without links, devices and paths out of the folder; Python 3.11.4 and newer know how."""
    before = getattr(tarfile.TarFile, "extraction_filter", None)
    data_filter = getattr(tarfile, "data_filter", None)
    tarfile.TarFile.extraction_filter = None if data_filter is None else staticmethod(data_filter)
    try:
        yield
    finally:
        tarfile.TarFile.extraction_filter = before


def _verify(name: str, folder: Path) -> None:
    """Delete files whose SHA-256 is not that of the published file, and raise DownloadError if there are any."""
    wrong = []
    for file, known in SHA256[name].items():
        path = folder / file
        if not path.is_file():  # torchvision keeps an unpacked CIFAR-10 without its archive
            continue
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        if digest != known:
            wrong.append(file)
            for damaged in (path, folder / f"{file}.gz"):
                damaged.unlink(missing_ok=True)
    if wrong and name == "cifar10":
        # unpacked from the wrong archive
        shutil.rmtree(folder / PYTHON_VERSION, ignore_errors=True)
    if wrong:
        raise DownloadError(
            f"{', '.join(wrong)}: SHA-256 differs from that of the published file; removed"
        )


def _folder(kind: Any, directory: Path) -> Path:
    return directory if hasattr(kind, "tgz_md5") else directory / kind.__name__ / "raw"


def _remove_damaged(kind: Any, directory: Path) -> None:
    """Delete files without the published checksum, which would later be taken for the data set."""
    from empirics.vision import datasets

    files = [(kind.filename, kind.tgz_md5)] if hasattr(kind, "tgz_md5") else kind.resources
    folder = _folder(kind, directory)
    for name, md5 in files:
        if not datasets.utils.check_integrity(folder / name, md5):
            (folder / name).unlink(missing_ok=True)
