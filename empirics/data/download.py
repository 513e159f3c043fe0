"""Download of the published files from their official sources by torchvision, which verifies the checksums.

The publishers give MD5 checksums, which detect a damaged or wrong file but not an attack.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

KINDS = {"fashion_mnist": "FashionMNIST", "mnist": "MNIST", "cifar10": "CIFAR10"}  # in torchvision.datasets


class DownloadError(OSError):
    """A published file could not be downloaded, or differs from the published one."""


def download(name: str, directory: Path) -> None:
    """Download the published files of ``name`` into ``directory``, except those that are already there and intact.

    Args:
        name: ``"fashion_mnist"``, ``"mnist"`` or ``"cifar10"``.
        directory: the folder for the files, created if it does not exist.

    Raises:
        DownloadError: if no source answers, or a file has another checksum; such a file is deleted.
    """
    from empirics.vision import datasets  # takes a second to import

    kind = getattr(datasets, KINDS[name])
    directory.mkdir(parents=True, exist_ok=True)
    try:
        kind(directory, download=True)
    except (OSError, RuntimeError) as error:
        _remove_damaged(kind, directory)
        reason = " ".join(str(error).split())
        raise DownloadError(
            f"{KINDS[name]} could not be downloaded ({reason}); fetch it by other means and put it into {directory}"
        ) from error


def _remove_damaged(kind: Any, directory: Path) -> None:
    """Delete files without the published checksum, which would later be taken for the data set."""
    from empirics.vision import datasets

    files = [(kind.filename, kind.tgz_md5)] if hasattr(kind, "tgz_md5") else kind.resources
    folder = directory if hasattr(kind, "tgz_md5") else directory / kind.__name__ / "raw"
    for name, md5 in files:
        if not datasets.utils.check_integrity(folder / name, md5):
            (folder / name).unlink(missing_ok=True)
