"""torch's forward mode, ``jvp`` and ``vmap``, without warnings about what torch does inside."""

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
    """Within it, torch does not warn that ``vmap`` goes one by one through an operation that it cannot batch."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "There is a performance drop", UserWarning)
        yield
