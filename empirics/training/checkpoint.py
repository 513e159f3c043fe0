"""The checkpoint file of a run, so that an interrupted run continues and ends with the same result to the last bit.

The state is exact (parameters, optimiser, random streams, everything recorded so far). It is written under a temporary
name that is then renamed, so that a process killed while writing leaves the previous checkpoint intact.
"""

from __future__ import annotations

import hashlib
import io
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from empirics import writing

HEADER = b"closedform checkpoint 2\n"  # followed by the SHA-256 of all that comes after it


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
        content = io.BytesIO()
        torch.save({"key": self.key, "state": state}, content)
        digest = hashlib.sha256(content.getbuffer()).digest()
        with writing.replacing(self.path) as temporary, temporary.open("wb") as file:
            file.write(HEADER + digest)
            file.write(content.getbuffer())
        self._last = time.monotonic()

    def load(self, device: torch.device | str = "cpu") -> dict[str, Any] | None:
        """Return the state saved last, with its tensors on ``device`` (default the CPU); None if there is no file.

        Raises:
            ValueError: if the file is damaged, or belongs to another run or to other versions.
        """
        if not self.path.exists():
            return None
        content = self.path.read_bytes()
        start = len(HEADER) + hashlib.sha256().digest_size
        payload = memoryview(content)[start:]
        is_older = content.startswith(b"PK")  # what torch writes
        if not is_older and content[:start] != HEADER + hashlib.sha256(payload).digest():
            raise ValueError(
                f"checkpoint {self.path}: the file is damaged and cannot be read; delete it to start this run anew"
            )
        stored = {} if is_older else torch.load(io.BytesIO(payload), map_location=device, weights_only=True)
        if stored.get("key") != self.key:
            raise ValueError(
                f"checkpoint {self.path}: the file was written by another configuration or other versions; "
                "continuing from it would not give the same result. Delete it to start this run anew"
            )
        state: dict[str, Any] = stored["state"]
        return state

    def remove(self) -> None:
        """Delete the file, if there is one."""
        self.path.unlink(missing_ok=True)
