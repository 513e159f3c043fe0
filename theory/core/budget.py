"""A limit on the processor time of symbolic work, which has no other bound.

sympy's algorithms may run for hours on innocent input. A watchdog thread raises :class:`OutOfTime` inside the thread
that does the work, on any platform and in any thread. What counts is the processor time of that thread, so that the
outcome does not depend on what else the machine does; where the system does not tell it (macOS, Windows), that of the
whole process. The limit is a safety net: a step that needs it is UNDECIDED.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_LEAST_WAIT = 0.01  # seconds
_AGAIN = 0.5  # seconds of processor time between two interruptions


class OutOfTime(BaseException):
    """Not an Exception, so that sympy's own handlers let it through."""


@contextmanager
def budget(seconds: float) -> Iterator[None]:
    """Raises OutOfTime in the block once it has used ``seconds`` of processor time; the innermost block decides.

    A block that goes on all the same, because a library has swallowed the exception or made another one of it, is
    interrupted again, and ends with OutOfTime however it ends.
    """
    thread = threading.get_ident()
    used = _clock(thread)
    begin = used()
    lock = threading.Lock()
    done, late = threading.Event(), threading.Event()

    def watch() -> None:
        end = begin + seconds
        while not done.wait(max(end - used(), _LEAST_WAIT)):  # no thread uses more processor time than passes
            with lock:
                if not done.is_set() and used() >= end:
                    late.set()
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(OutOfTime))
                    end = used() + _AGAIN

    watchdog = threading.Thread(target=watch, daemon=True)
    watchdog.start()
    try:
        yield
    except Exception as error:
        if late.is_set():
            raise OutOfTime from error
        raise
    finally:
        with lock:
            done.set()
    if late.is_set():
        raise OutOfTime


def _clock(thread: int) -> Callable[[], float]:
    """The processor time that a thread has used so far, in seconds."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.process_time
    clock = time.pthread_getcpuclockid(thread)
    return lambda: time.clock_gettime(clock)
