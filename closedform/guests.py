"""Code of other distributions, run as a guest: whatever it does, this process goes on, and the user learns where.

Within :func:`visit`, what a guest raises becomes a :class:`GuestError` that names the distribution, the file and the
line, what it prints in the main thread goes to stderr, and it is interrupted after a given time by an exception in its
own code, see :mod:`closedform.interruption`. Nothing here stops a guest that catches every exception forever, crashes
or calls ``os._exit``. The signals of the user stay the user's: what the handlers of Ctrl-C and SIGTERM raise passes
through.
"""

import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from types import FrameType, TracebackType
from typing import Any

from closedform.interruption import interruption

VARIABLE = "CLOSEDFORM_GUEST_SECONDS"
ANNOUNCING = 10.0  # seconds for what a guest announces, which is text and takes milliseconds
LISTING = 60.0  # seconds for one of its modules where a command goes through all; it may import torch from a slow disk


class GuestError(ValueError):
    """An error in the code of another distribution: what it does, the place if there is one, and what to do."""

    def __init__(self, what: str, file: str = "", line: int = 0, advice: str = "") -> None:
        where = f" ({file}{f', line {line}' if line else ''})" if file else ""
        super().__init__(f"{what}{where}{advice}")
        self.file, self.line = file, line


class TooSlow(BaseException):
    """A guest takes too long. It is not an Exception, so that the guest's handlers do not catch it."""


@contextmanager
def visit(who: str, module: str, seconds: float | None = None) -> Iterator[None]:
    """Run the block as a guest; GuestError, which begins with ``who``, if it raises anything or takes too long.

    CLOSEDFORM_GUEST_SECONDS replaces ``seconds``, without which the block is never interrupted.
    """
    limit = None if seconds is None else _allowed(seconds)
    of_the_user: list[BaseException] = []
    error: BaseException | None = None
    try:
        with ExitStack() as contexts:
            # the only one that handles signals
            if threading.current_thread() is threading.main_thread():
                contexts.enter_context(_signals(of_the_user))
                # of the whole process, which threads would restore crosswise
                contexts.enter_context(_output_to_stderr())
            if limit is not None:
                contexts.enter_context(interruption(TooSlow, limit))
            yield
    except BaseException as raised:
        error = raised
    if of_the_user:
        raise of_the_user[0]
    if error is None:
        return
    # of a visit in or around this
    if isinstance(error, GuestError) or (isinstance(error, TooSlow) and limit is None):
        raise error
    if isinstance(error, TooSlow):
        advice = f"; {VARIABLE} allows more"
        raise GuestError(
            f"{who} takes more than {limit:g} s", *place(error, module), advice
        ) from None
    raise GuestError(f"{who} raises {_text(error)}", *place(error, module)) from error


def leave_out(error: GuestError) -> None:
    """Warn that what caused the error is left out."""
    warnings.warn_explicit(
        f"{error}; it is left out", RuntimeWarning, error.file or __file__, error.line or 1
    )


def place(error: BaseException, module: str) -> tuple[str, int]:
    """Return the file and the line in the module's top-level package at which an error arose; 0 for no line there."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return error.filename, error.lineno
    for step in reversed(steps(error)):
        if package_of(step) == package_of(module):
            return step.tb_frame.f_code.co_filename, step.tb_lineno
    return getattr(sys.modules.get(module), "__file__", None) or "", 0


def steps(error: BaseException) -> list[TracebackType]:
    """Return the steps of the traceback, the one that raised the error last."""
    steps, step = [], error.__traceback__
    while step is not None:
        steps.append(step)
        step = step.tb_next
    return steps


def package_of(code: str | TracebackType) -> str:
    """Return the top-level package of a module, or of the code that runs in a step of a traceback."""
    module = code if isinstance(code, str) else str(code.tb_frame.f_globals.get("__name__"))
    return module.partition(".")[0]


def _text(error: BaseException) -> str:
    try:
        text = str(error.msg if isinstance(error, SyntaxError) else error)
    except Exception:  # of the guest's own __str__
        text = ""
    return ": ".join(filter(None, (type(error).__name__, " ".join(text.split()))))


def _allowed(seconds: float) -> float:
    text = os.environ.get(VARIABLE)
    with suppress(ValueError):
        allowed = seconds if text is None else float(text)
        if allowed > 0:
            return allowed
    raise ValueError(f"{VARIABLE}: got {text!r}, needs a positive number of seconds")


@contextmanager
def _signals(raised: list[BaseException]) -> Iterator[None]:
    """Keep what the handlers of signals raise, and restore the handlers."""
    known: dict[int, Any] = {
        number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)
    }
    handlers = {number: handler for number, handler in known.items() if callable(handler)}

    def handle(number: int, frame: FrameType | None) -> None:
        try:
            handlers[number](number, frame)
        except BaseException as error:
            raised.append(error)
            raise

    for number in handlers:
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


@contextmanager
def _output_to_stderr() -> Iterator[None]:
    """Send to stderr what Python prints, and what child processes and libraries write."""
    kept = None
    with suppress(OSError, ValueError, AttributeError):  # a stream is closed or absent
        sys.stdout.flush()
        kept = os.dup(1)
        os.dup2(2, 1)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        if kept is not None:
            os.dup2(kept, 1)
            os.close(kept)
