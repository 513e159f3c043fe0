"""Ctrl-C, at which a terminal signals every process of a command: only the first of them answers."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def unseen_by_children() -> Iterator[None]:
    """Let processes that this thread starts in the block never see Ctrl-C, on systems where a thread can arrange that.

    They would print a traceback each; the process that started them hears it and ends them in order.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
