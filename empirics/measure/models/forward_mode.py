"""torch's forward mode, ``jvp`` and ``vmap``, with warnings about torch's own internals suppressed."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch.func import jvp, vmap

__all__ = ["jvp", "unhurried", "vmap"]

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # torch.jit.script, inside torch, at the first use
    jvp(torch.sin, (torch.zeros(()),), (torch.ones(()),))


@contextmanager
def unhurried() -> Iterator[None]:
    """Suppress torch's warning, within this context, that ``vmap`` loops over an operation that it cannot batch."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "There is a performance drop", UserWarning)
        yield
