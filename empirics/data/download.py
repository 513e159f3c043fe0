"""Fetching the published files from their homes, checked against the published checksums.

MD5 is what the publishers give; it is there to notice a damaged or exchanged file, not an attacker.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tarfile
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

TIMEOUT = 60.0  # seconds without an answer
# name: (folder below the directory, addresses to try in turn, {file: MD5})
HOMES: dict[str, tuple[str, tuple[str, ...], dict[str, str]]] = {
    "fashion_mnist": (
        "fashion-mnist",
        (
            "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
            "https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/",
        ),
        {
            "train-images-idx3-ubyte.gz": "8d4fb7e6c68d591d4c3dfef9ec88bf0d",
            "train-labels-idx1-ubyte.gz": "25c81989df183df01b3e8a0aad5dffbe",
            "t10k-images-idx3-ubyte.gz": "bef4ecab320f06d8554ea6380940ec79",
            "t10k-labels-idx1-ubyte.gz": "bb300cfdad3c16e7a12a480ee83cd310",
        },
    ),
    "mnist": (
        "mnist",
        ("https://ossci-datasets.s3.amazonaws.com/mnist/", "https://storage.googleapis.com/cvdf-datasets/mnist/"),
        {
            "train-images-idx3-ubyte.gz": "f68b3c2dcbeaaa9fbdd348bbdeb94873",
            "train-labels-idx1-ubyte.gz": "d53e105ee54ea40749a09fcbcd1e9432",
            "t10k-images-idx3-ubyte.gz": "9fb629c4189551a2d022fa330f9573f3",
            "t10k-labels-idx1-ubyte.gz": "ec29112dd5afa0611ce80d1b7f02629c",
        },
    ),
    "cifar10": (
        "",  # the archive brings its own folder
        ("https://www.cs.toronto.edu/~kriz/",),
        {"cifar-10-binary.tar.gz": "c32a1d4ab5d03f1284b67883e8d87530"},
    ),
}


class DownloadError(OSError):
    """A published file could not be had, or is not what was published."""


def download(name: str, directory: Path) -> None:
    """Put the published files of ``name`` below ``directory``; a file that is there and right is not fetched again.

    Args:
        name: ``"fashion_mnist"``, ``"mnist"`` or ``"cifar10"``.
        directory: made where it does not exist.

    Raises:
        DownloadError: if no home answers, or what comes has another checksum; nothing is left behind then.
    """
    folder, homes, files = HOMES[name]
    target = directory / folder
    target.mkdir(parents=True, exist_ok=True)
    for file, md5 in files.items():
        path = target / file
        if not (path.is_file() and checksum(path) == md5):
            _fetch([home + file for home in homes], path, md5)
        if file.endswith(".tar.gz"):
            with tarfile.open(path) as archive:
                archive.extractall(target, filter="data")
            path.unlink()


def checksum(path: Path) -> str:
    """MD5 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def _fetch(addresses: list[str], path: Path, md5: str) -> None:
    """The first address that gives a file with this checksum, under a temporary name until it is whole."""
    reasons = []
    for address in addresses:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file, urllib.request.urlopen(address, timeout=TIMEOUT) as answer:
                shutil.copyfileobj(answer, file)
            if (got := checksum(Path(temporary))) == md5:
                os.replace(temporary, path)
                return
            reasons.append(f"{address}: checksum {got}, needs {md5}")
        except (OSError, urllib.error.URLError, ValueError) as error:
            reasons.append(f"{address}: {error}")
        finally:
            Path(temporary).unlink(missing_ok=True)
    raise DownloadError(
        f"{path.name} could not be downloaded ({'; '.join(reasons)}); "
        f"fetch it by other means and put it into {path.parent}"
    )
