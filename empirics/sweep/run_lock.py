"""The claim on a run: one process at a time works on a run, and whoever comes later waits for the result.

A claim is a lock of the operating system on a hidden file next to the trace. It ends with its process, however that
dies, so that nothing has to be cleaned by hand. Shared file systems pass such locks on between machines (NFS 4, Lustre,
GPFS); where there are none, two processes may work on the same run, which costs time and changes no result.

Everybody can predict the name of that file. It is opened without being emptied, and never through a symbolic link, so
that whoever may write in the folder cannot turn a claim against the files of somebody else.
"""

import errno
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from closedform import atomic_write

if sys.platform != "win32":  # which has no such locks
    import fcntl

logger = logging.getLogger(__name__)
LOCK = ".lock"


@contextmanager
def claimed(path: Path, *, wait: bool = True) -> Iterator[bool]:
    """Give whether the claim on the file ``path`` is held within this context, as it always is with ``wait``."""
    if sys.platform == "win32":
        yield True
        return
    with atomic_write.remedied(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        was_killed = lock_of(path).exists()  # or still works: whoever ends in order deletes it
        file = _locked(path, wait)
    if file is None:
        yield False
        return
    try:
        for leftover in path.parent.glob(f".{path.stem}.*") if was_killed else ():
            if leftover.suffix != LOCK:
                leftover.unlink(missing_ok=True)
        yield True
    finally:
        lock_of(path).unlink(missing_ok=True)
        file.close()


def is_held(path: Path) -> bool:
    """Return whether somebody holds the claim on the file ``path`` now; False where that cannot be found out."""
    if sys.platform == "win32":
        return False
    try:
        with _opened(lock_of(path)) as file:
            return not _lock(file, wait=False)
    except OSError:  # there is no claim, or nothing can be written here
        return False


def lock_of(path: Path) -> Path:
    """Return the hidden file whose lock is the claim on ``path``."""
    return path.with_name(f".{path.stem}{LOCK}")


def _locked(path: Path, wait: bool) -> IO[bytes] | None:
    """Open and lock the file of a claim; if another process holds it, wait or return None."""
    lock = lock_of(path)
    while True:
        file = _opened(lock, create=True)
        try:
            if not _lock(file, wait=False):
                if not wait:
                    file.close()
                    return None
                logger.info("%s: another process works on this run; waiting for it", path.name)
                _lock(file, wait=True)
            if _is_at(file, lock):
                return file
        except BaseException:
            file.close()
            raise
        file.close()  # the former holder deleted this file after it was opened here


def _opened(lock: Path, *, create: bool = False) -> IO[bytes]:
    """Open the file of a claim with its content as it is; raise OSError for a symbolic link."""

    # looking first would leave time to put a link there before it is opened
    def opener(name: str, flags: int) -> int:
        return os.open(name, flags | os.O_NOFOLLOW | (os.O_CREAT if create else 0), 0o666)

    try:
        return open(lock, "r+b", opener=opener)
    except OSError as error:
        if not lock.is_symlink():  # systems differ in the number of this error
            raise
        message = f"{lock} is a symbolic link, needs the lock of a run; delete it and start the same runs again"
        raise OSError(errno.ELOOP, message) from error


def _lock(file: IO[bytes], *, wait: bool) -> bool:
    """Lock an open file; return whether that succeeded, which it always does with ``wait``."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError as error:
        logger.warning(
            "%s: this file system has no locks (%s); start one sweep at a time in it",
            file.name,
            error,
        )
    return True


def _is_at(file: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.lstat())
    except FileNotFoundError:
        return False
