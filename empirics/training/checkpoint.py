"""The checkpoint file of a run, so that an interrupted run continues and ends with the same result to the last bit.

The state is exact (parameters, optimiser, random streams, everything recorded so far). It is written under a temporary
name that is then renamed, so that a process killed while writing leaves the previous checkpoint intact.
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
    """The checkpoint file of one run.

    Attributes:
        path: the file; :meth:`remove` deletes it when the run is complete.
        key: identity of the run (the hash of its configuration and the versions it depends on); a file with another key
            is refused.
        seconds: least time between two writes, in seconds, default 60.
    """

    path: Path
    key: str
    seconds: float = 60.0
    _last: float = field(default_factory=time.monotonic, repr=False)

    def due(self) -> bool:
        """Return whether ``seconds`` have passed since the last write."""
        return time.monotonic() - self._last >= self.seconds

    def save(self, state: dict[str, Any]) -> None:
        """Write ``state`` (tensors, numbers, strings, lists, dicts) and then replace the previous file."""
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
        """Return the state saved last, with its tensors on ``device`` (default the CPU); None if there is no file.

        Raises:
            ValueError: if the file is damaged, or belongs to another run or to other versions.
        """
        if not self.path.exists():
            return None
        try:
            with zipfile.ZipFile(self.path) as archive:  # torch writes a zip archive but does not check its checksums
                if archive.testzip() is not None:
                    raise zipfile.BadZipFile
            content = torch.load(self.path, map_location=device, weights_only=True)
            matches = content["format"] == FORMAT and content["key"] == self.key
            state: dict[str, Any] = content["state"]
        except (RuntimeError, EOFError, KeyError, TypeError, pickle.UnpicklingError, zipfile.BadZipFile) as error:
            raise ValueError(
                f"checkpoint {self.path}: the file is damaged and cannot be read; delete it to start this run anew"
            ) from error
        if not matches:
            raise ValueError(
                f"checkpoint {self.path}: the file was written by another configuration or other versions; "
                "continuing from it would not give the same result. Delete it to start this run anew"
            )
        return state

    def remove(self) -> None:
        """Delete the file, if there is one."""
        self.path.unlink(missing_ok=True)
