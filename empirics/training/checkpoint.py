"""The checkpoint file of a run, so that an interrupted run continues and ends with the same result to the last bit.

The state is exact (parameters, optimiser, random streams, everything recorded so far). It is written under a temporary
name that is then renamed, so that a process killed while writing leaves the previous checkpoint intact.

Ctrl-C and SIGTERM interrupt a run after its state was saved, and the same call goes on from there. A training loop asks
its checkpoint regularly whether to save (:meth:`Checkpoint.due`). After the first signal the answer is yes, and the
saving ends the run. Where nothing has asked for a while, as in a long part without checkpoints, the run ends at once,
and only what is finished is saved. A second signal ends the run at once in any case.
"""

from __future__ import annotations

import hashlib
import io
import logging
import math
import signal
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import torch

from closedform import atomic_write, checks, untrusted_files
from closedform.untrusted_files import reading
from empirics.imported_files import differing

logger = logging.getLogger("empirics.sweep.checkpoint")  # which the command line shows
MOST_BYTES = 2**33  # of a checkpoint
HEADER = b"closedform checkpoint 3\n"  # followed by the SHA-256 of all that comes after it


class Stopped(KeyboardInterrupt):
    """A run was interrupted by a signal; it goes on from its checkpoint (``path`` or None) when it is started again."""

    def __init__(self, number: int, path: Path | None = None) -> None:
        self.number, self.path = number, path
        state = "" if path is None else f"; the state of the run is saved in {path}"
        super().__init__(f"interrupted by {signal.Signals(number).name}{state}")


@dataclass
class Checkpoint:
    """The checkpoint file of one run.

    Attributes:
        path: the file; :meth:`remove` deletes it when the run is complete.
        key: identity of the run (the hash of its configuration and the versions it depends on); a file with another key
            is refused.
        own_code: digests of the code of the user's own by which the run is made, by file; a file with others is not
            used, and the run begins anew. Default none.
        seconds: least time between two writes, in seconds, default 60.
        finished: function that returns the state of what is finished, for an interruption within a longer part; default
            None.
        signal: number of the signal that asked the run to stop, or None.
        began: when this process began the run or went on with it, in seconds of :func:`time.process_time`.
        before: time in seconds that the run took before an interruption, up to its last write; set by :meth:`load`.

    >>> Checkpoint(Path("run.checkpoint"), key="hash of the configuration").load() is None
    True
    """

    path: Path
    key: str
    seconds: float = 60.0
    own_code: Mapping[str, str] = field(default_factory=dict)
    finished: Callable[[], dict[str, Any]] | None = field(default=None, repr=False)
    signal: int | None = None
    began: float = field(default_factory=time.process_time, repr=False)
    before: float = field(default=0.0, repr=False)
    _last: float = field(default_factory=time.monotonic, repr=False)
    _asked: float = field(default=-math.inf, repr=False)

    @property
    def elapsed(self) -> float:
        """The time that the run has taken so far, in seconds, including that before an interruption."""
        return self.before + time.process_time() - self.began

    def due(self) -> bool:
        """Return whether ``seconds`` have passed since the last write, or the run has to stop."""
        self._asked = time.monotonic()
        return self.signal is not None or self._asked - self._last >= self.seconds

    def idle(self) -> float:
        """Return the time in seconds since :meth:`due` was called; infinite if it never was."""
        return time.monotonic() - self._asked

    def save_finished(self) -> None:
        """Write the state of the parts that are finished, if the run has parts and one is new."""
        if self.finished is not None:
            self.save(self.finished())

    def save(self, state: dict[str, Any]) -> None:
        """Write ``state`` (tensors, numbers, strings, lists, dicts) and then replace the previous file.

        Raises:
            Stopped: after writing, if the run has to stop.
        """
        content = io.BytesIO()
        stored = {
            "key": self.key,
            "own_code": dict(self.own_code),
            "elapsed": self.elapsed,
            "state": state,
        }
        torch.save(stored, content)
        digest = hashlib.sha256(content.getbuffer()).digest()
        with atomic_write.replacing(self.path) as temporary, temporary.open("wb") as file:
            file.write(HEADER + digest)
            file.write(content.getbuffer())
        self._last = time.monotonic()
        if self.signal is not None:
            raise Stopped(self.signal, self.path)

    def load(self, device: torch.device | str = "cpu") -> dict[str, Any] | None:
        """Return the state saved last, with its tensors on ``device`` (default the CPU).

        None if there is no file, or if the code of the user's own has changed since, which is said in the log.

        Raises:
            UnreadableFileError: if the file is damaged, or belongs to another run, or to other code or other versions
                of this package.
        """
        if not self.path.exists():
            return None
        with reading(
            self.path,
            "a checkpoint of this run by the same code and versions; delete it to start this run anew",
        ):
            content = untrusted_files.content(self.path, MOST_BYTES)
            start = len(HEADER) + hashlib.sha256().digest_size
            payload = memoryview(content)[start:]
            if content[:start] != HEADER + hashlib.sha256(payload).digest():
                raise ValueError("a file that is damaged or by an earlier version")
            stored = unpacked(payload, device)
            if stored["key"] != self.key:
                raise ValueError(
                    "the state of a run with another configuration, other code or other versions"
                )
            changed = differing(
                checks.instance("own_code", stored["own_code"], dict, "a mapping"), self.own_code
            )
            if changed:
                logger.warning(
                    "%s: %s since the run was interrupted; it begins anew", self.path.stem, changed
                )
                return None
            self.before = float(stored["elapsed"])
            return checks.instance("state", stored["state"], dict, "a mapping")

    def remove(self) -> None:
        """Delete the file, if there is one."""
        self.path.unlink(missing_ok=True)


def unpacked(content: bytes | memoryview, device: torch.device | str = "cpu") -> Any:
    """Return tensors, numbers and texts that ``torch.save`` wrote; compressed and older formats are refused."""
    buffer = io.BytesIO(content)
    if any(
        part.compress_type != zipfile.ZIP_STORED for part in zipfile.ZipFile(buffer).infolist()
    ):
        raise ValueError("a compressed file")
    buffer.seek(0)
    return torch.load(buffer, map_location=device, weights_only=True)


SIGNALS = (signal.SIGINT, signal.SIGTERM)
SOON = 20.0  # seconds: a loop that asked the checkpoint within this time will ask again


@contextmanager
def listening(checkpoint: Checkpoint) -> Iterator[None]:
    """Save the state in ``checkpoint`` and raise Stopped when a signal interrupts this context (in the main thread)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(number: int, frame: FrameType | None) -> None:
        if checkpoint.signal is not None or checkpoint.idle() > SOON:
            raise Stopped(number)
        checkpoint.signal = number

    previous = {number: signal.signal(number, handle) for number in SIGNALS}
    try:
        yield
    except Stopped as stopped:
        checkpoint.signal = None
        checkpoint.save_finished()
        raise Stopped(
            stopped.number, checkpoint.path if checkpoint.path.exists() else None
        ) from None
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
    if checkpoint.signal is not None:  # the run was complete before anything asked
        raise Stopped(checkpoint.signal)
