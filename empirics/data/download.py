"""Fetching the published files from their homes by torchvision, which checks the published checksums.

MD5 is what the publishers give; it is there to notice a damaged or exchanged file, not an attacker.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

KINDS = {"fashion_mnist": "FashionMNIST", "mnist": "MNIST", "cifar10": "CIFAR10"}  # in torchvision.datasets


class DownloadError(OSError):
    """A published file could not be had, or is not what was published."""


def download(name: str, directory: Path) -> None:
    """Put the published files of ``name`` below ``directory``; a file that is there and right is not fetched again.

    Args:
        name: ``"fashion_mnist"``, ``"mnist"`` or ``"cifar10"``.
        directory: made where it does not exist.

    Raises:
        DownloadError: if no home answers, or what comes has another checksum; it is not left behind then.
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
    """Delete what has not the published checksum: it would be taken for the data set later."""
    from empirics.vision import datasets

    files = [(kind.filename, kind.tgz_md5)] if hasattr(kind, "tgz_md5") else kind.resources
    folder = directory if hasattr(kind, "tgz_md5") else directory / kind.__name__ / "raw"
    for name, md5 in files:
        if not datasets.utils.check_integrity(folder / name, md5):
            (folder / name).unlink(missing_ok=True)
