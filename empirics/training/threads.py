"""The number of torch's threads: the matrices of narrow networks are too small to gain from more than one core."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import torch

NARROW = 200  # units in a layer


@contextmanager
def suited_to(width: int) -> Iterator[None]:
    """Let torch use one thread within this context if no layer is wider than ``NARROW``.

    Nothing changes if the environment variable ``OMP_NUM_THREADS`` is set. The earlier number of threads is restored.

    Args:
        width: units in the widest layer.
    """
    before = torch.get_num_threads()
    if width <= NARROW and "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
