"""Where a run keeps its state, so that an interrupted one goes on where it was and ends bit for bit the same.

The state is exact (parameters, optimiser, random streams, everything recorded so far) and written to a temporary name
that is then renamed, so that a kill while writing leaves the checkpoint before.
"""

from __future__ import annotations

import os
import pickle
import time
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

FORMAT = 1


@dataclass
class Checkpoint:
    """A checkpoint file of one run.

    Attributes:
        path: the file; removed by :meth:`remove` when the run is complete.
        key: what the run is (the hash of its configuration and the versions it depends on); a file with another key is
            refused.
        seconds: least time between two writes, in seconds.
    """

    path: Path
    key: str
    seconds: float = 60.0
    _last: float = field(default_factory=time.monotonic, repr=False)

    def due(self) -> bool:
        """Whether it is time to write."""
        return time.monotonic() - self._last >= self.seconds

    def save(self, state: dict[str, Any]) -> None:
        """Write ``state`` (tensors, numbers, strings, lists, dicts) and only then replace the file before."""
        temporary = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            with temporary.open("wb") as file:
                torch.save({"format": FORMAT, "key": self.key, "state": state}, file)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(self.path)
        finally:
            temporary.unlink(missing_ok=True)
        self._last = time.monotonic()

    def load(self, device: torch.device | str = "cpu") -> dict[str, Any] | None:
        """The state last saved, its tensors on ``device``; None where there is no file.

        Raises:
            ValueError: if the file is damaged, or belongs to another run or to other versions.
        """
        if not self.path.exists():
            return None
        try:
            with zipfile.ZipFile(self.path) as archive:  # torch writes one, but does not look at its checksums
                if archive.testzip() is not None:
                    raise zipfile.BadZipFile
            content = torch.load(self.path, map_location=device, weights_only=True)
            matches = content["format"] == FORMAT and content["key"] == self.key
            state: dict[str, Any] = content["state"]
        except (RuntimeError, EOFError, KeyError, TypeError, pickle.UnpicklingError, zipfile.BadZipFile) as error:
            raise ValueError(
                f"checkpoint {self.path}: damaged, cannot be read; delete it to start this run anew"
            ) from error
        if not matches:
            raise ValueError(
                f"checkpoint {self.path}: was left by another configuration or other versions; "
                "going on from it would not give the same result. Delete it to start this run anew"
            )
        return state

    def remove(self) -> None:
        """Delete the file, if there is one."""
        self.path.unlink(missing_ok=True)
