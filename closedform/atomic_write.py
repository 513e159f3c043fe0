"""Files that are complete or absent: written under a hidden name, flushed to the disk, and renamed at the end.

The hidden name cannot be guessed, and renaming replaces a symbolic link instead of following it, so that a folder that
somebody else prepared cannot lead to the files of the user.
"""

import errno
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

REMEDIES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "free space there"),
    **dict.fromkeys(
        (errno.EACCES, errno.EPERM, errno.EROFS), "make the folder writable or choose another one"
    ),
}


@contextmanager
def replacing(path: Path, *, flush: bool = True) -> Iterator[Path]:
    """Yield a hidden name next to ``path``; the file of this name becomes ``path`` unless the context raises an error.

    With ``flush``, the content is on the disk first, so that a crash of the machine leaves the old file or the new one.
    """
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    with remedied(path):
        try:
            yield temporary
            if flush:
                with temporary.open("rb") as file:
                    os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def text(path: Path, content: str) -> Path:
    """Write a text file in UTF-8, and its folder if it does not exist; return its path."""
    with replacing(path) as temporary:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(content, encoding="utf-8")
    return path


@contextmanager
def remedied(path: Path) -> Iterator[None]:
    """Say what to do in the errors of a full disk and of a read-only folder that are raised within this context."""
    try:
        yield
    except OSError as error:
        if error.errno not in REMEDIES:
            raise
        message = (
            f"{path} cannot be written ({os.strerror(error.errno)}). Please {REMEDIES[error.errno]} and start the same "
            "runs again; finished runs are kept, and unfinished ones continue from their checkpoints"
        )
        raise OSError(error.errno, message) from error
