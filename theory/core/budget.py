"""A wall-clock limit for symbolic work, which has no other bound.

sympy's algorithms may run for hours on innocent input. A watchdog thread raises :class:`OutOfTime` inside the thread
that does the work, on any platform and in any thread. The limit is a safety net: a step that needs it is UNDECIDED.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class OutOfTime(BaseException):
    """Not an Exception, so that sympy's own handlers let it through."""


@contextmanager
def budget(seconds: float) -> Iterator[None]:
    """Raises OutOfTime in the block once it has run for ``seconds``; the innermost block decides."""
    thread = threading.get_ident()
    lock = threading.Lock()
    running = True

    def interrupt() -> None:
        with lock:
            if running:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(OutOfTime))

    watchdog = threading.Timer(seconds, interrupt)
    watchdog.daemon = True
    watchdog.start()
    try:
        yield
    finally:
        with lock:
            running = False
        watchdog.cancel()
