"""How many threads torch gets: matrices of narrow networks are too small to share between cores."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import torch

NARROW = 200  # units in a layer


@contextmanager
def suited_to(width: int) -> Iterator[None]:
    """One thread for networks of at most ``NARROW`` units a layer, unless ``OMP_NUM_THREADS`` says otherwise.

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
