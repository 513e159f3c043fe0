"""Interruption of a run by Ctrl-C or SIGTERM: its state is saved first, and the same call goes on from there.

A training loop asks its checkpoint regularly whether to save (:meth:`Checkpoint.due`). After the first signal the
answer is yes, and the saving ends the run. Where nothing has asked for a while, as in a long part without checkpoints,
the run ends at once, and only what is finished is saved. A second signal ends the run at once in any case.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from empirics.training.checkpoint import Checkpoint, Stopped

SIGNALS = (signal.SIGINT, signal.SIGTERM)
SOON = 20.0  # seconds: a loop that asked the checkpoint within this time will ask again


@contextmanager
def listening(checkpoint: Checkpoint) -> Iterator[None]:
    """Save the state of the run in ``checkpoint`` when a signal interrupts it within this context.

    Outside of the main thread, where Python handles no signals, the context does nothing.

    Raises:
        Stopped: if the run was interrupted.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def handle(number: int, frame: FrameType | None) -> None:
        if checkpoint.signal is not None or checkpoint.idle() > SOON:
            raise Stopped(number)
        checkpoint.signal = number

    previous = {number: signal.signal(number, handle) for number in SIGNALS}
    try:
        yield
    except Stopped as stopped:
        checkpoint.signal = None
        checkpoint.save_finished()
        raise Stopped(stopped.number, checkpoint.path if checkpoint.path.exists() else None) from None
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
    if checkpoint.signal is not None:  # the run was complete before anything asked
        raise Stopped(checkpoint.signal)
