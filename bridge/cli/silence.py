"""A line on stderr, if it is a terminal, where a command has been silent for a second."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TextIO

SECONDS = 1.0  # of silence


class Overheard:
    """A stream that knows whether anything has been written to it."""

    def __init__(self, stream: TextIO) -> None:
        self.stream, self.is_silent = stream, True

    def write(self, text: str) -> int:
        """Write a text and return its length."""
        self.is_silent = False
        return self.stream.write(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)


@contextmanager
def never_silent(name: str) -> Iterator[None]:
    """Say after a second that a command works, unless it has said something itself.

    Args:
        name: of the command.
    """
    if not sys.stderr.isatty():
        yield
        return
    out, err = sys.stdout, sys.stderr
    overheard = [Overheard(out), Overheard(err)]

    def say() -> None:
        if all(stream.is_silent for stream in overheard):
            err.write(f"closedform {name}: working\n")
            err.flush()

    timer = Timer(SECONDS, say)
    timer.daemon = True
    sys.stdout, sys.stderr = overheard
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        sys.stdout, sys.stderr = out, err
