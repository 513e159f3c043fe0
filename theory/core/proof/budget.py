"""A limit on the processor time of symbolic computations.

sympy's algorithms may run for hours on harmless input. A watchdog thread raises :class:`OutOfTime` in the thread that
does the work, on every platform. The limit applies to the processor time of that thread, so that the outcome does not
depend on the load of the machine; on systems that do not report it (macOS, Windows), it applies to the processor time
of the whole process. The limit is a safety net: a step that reaches it is UNDECIDED.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_SHORTEST_WAIT = 0.01  # seconds
_TIME_BETWEEN_INTERRUPTIONS = 0.5  # seconds of processor time


class OutOfTime(BaseException):
    """A computation has used its processor time. It is not an Exception, so that sympy's handlers do not catch it."""


@contextmanager
def budget(seconds: float) -> Iterator[None]:
    """Raise OutOfTime in the block once it has used ``seconds`` of processor time; the innermost limit applies.

    If a library catches the exception or turns it into another one, the block is interrupted again, and it ends with
    OutOfTime in any case.
    """
    thread = threading.get_ident()
    used = _clock(thread)
    begin = used()
    lock = threading.Lock()
    done, late = threading.Event(), threading.Event()

    def watch() -> None:
        end = begin + seconds
        while not done.wait(max(end - used(), _SHORTEST_WAIT)):  # processor time never exceeds elapsed time
            with lock:
                if not done.is_set() and used() >= end:
                    late.set()
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(OutOfTime))
                    end = used() + _TIME_BETWEEN_INTERRUPTIONS

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
    """Return a function that gives the processor time which a thread has used so far, in seconds."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.process_time
    clock = time.pthread_getcpuclockid(thread)
    return lambda: time.clock_gettime(clock)
