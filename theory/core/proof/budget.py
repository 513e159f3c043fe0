"""A limit on the processor time of symbolic computations.

sympy's algorithms may run for hours on harmless input. The limit applies to the processor time of the thread that does
the work, so that the outcome does not depend on the load of the machine; on systems that do not report it (macOS,
Windows), it applies to the processor time of the whole process. The limit is a safety net: a step that reaches it is
UNDECIDED.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from closedform.interruption import interruption


class OutOfTime(BaseException):
    """A computation has used its processor time. It is not an Exception, so that sympy's handlers do not catch it."""


def budget(seconds: float) -> AbstractContextManager[None]:
    """Raise OutOfTime in the block once it has used ``seconds`` of processor time; the innermost limit applies."""
    return interruption(OutOfTime, seconds, _clock(threading.get_ident()))


def _clock(thread: int) -> Callable[[], float]:
    """Return a function that gives the processor time which a thread has used so far, in seconds."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.process_time
    clock = time.pthread_getcpuclockid(thread)
    return lambda: time.clock_gettime(clock)
