"""An exception that is raised in a block of code after some time.

A watchdog thread raises it in the thread that runs the block, between two instructions of Python; a signal ends a call
that blocks the main thread, where the system has SIGALRM and nobody else handles it. Processor time is that of the
thread that does the work, or of the process on systems that do not report it (macOS, Windows).
"""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress

_SHORTEST_WAIT = 0.01  # seconds
_TIME_BETWEEN_INTERRUPTIONS = 0.5  # seconds of the clock


@contextmanager
def interruption(
    error: type[BaseException], seconds: float, clock: Callable[[], float] | None = None
) -> Iterator[None]:
    """Raise ``error`` in the block once it has used ``seconds`` of a clock, by default of elapsed time.

    If the block catches the exception or turns it into another one, it is interrupted again, and it ends with ``error``
    in any case. Elapsed time also ends a call that blocks. The clock must not run faster than elapsed time.
    """
    import ctypes  # takes milliseconds that most commands can do without

    thread, used = threading.get_ident(), clock or time.monotonic
    begin = used()
    lock = threading.Lock()
    done, late = threading.Event(), threading.Event()

    def watch(wake: Callable[[], None]) -> None:
        end = begin + seconds
        while not done.wait(max(end - used(), _SHORTEST_WAIT)):
            with lock:
                if not done.is_set() and used() >= end:
                    late.set()
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(thread), ctypes.py_object(error)
                    )
                    wake()
                    end = used() + _TIME_BETWEEN_INTERRUPTIONS

    with _waking(thread, is_wanted=clock is None) as wake:
        threading.Thread(target=watch, args=(wake,), daemon=True).start()
        try:
            yield
        except Exception as problem:
            if late.is_set():
                raise error from problem
            raise
        finally:
            # the interruption may come while this thread waits for the lock
            while not done.is_set():
                with suppress(error), lock:
                    done.set()
    if late.is_set():
        raise error


@contextmanager
def _waking(thread: int, *, is_wanted: bool) -> Iterator[Callable[[], None]]:
    """Yield a function that ends a call in which the thread blocks, where that is possible."""
    in_main = threading.current_thread() is threading.main_thread()
    if not (
        is_wanted
        and in_main
        and hasattr(signal, "SIGALRM")
        and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    ):
        yield lambda: None
        return
    # where it begins, the exception is raised
    signal.signal(signal.SIGALRM, lambda number, frame: None)
    try:
        yield lambda: signal.pthread_kill(thread, signal.SIGALRM)
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


class OutOfTime(BaseException):
    """A computation has used its processor time. It is not an Exception, so that sympy's handlers do not catch it."""


def budget(seconds: float) -> AbstractContextManager[None]:
    """Raise OutOfTime in the block once it has used ``seconds`` of processor time; the innermost limit applies."""
    return interruption(OutOfTime, seconds, _clock(threading.get_ident()))


def _clock(thread: int) -> Callable[[], float]:
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.process_time
    clock = time.pthread_getcpuclockid(thread)
    return lambda: time.clock_gettime(clock)
