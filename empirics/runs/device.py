"""The device and the number type that a configuration names, and the number of threads that suits its networks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import torch

DTYPES = {"float32": torch.float32, "float64": torch.float64}


def find(name: str) -> torch.device:
    """Return the torch device called ``name``; ValueError if torch does not know it or it is not available."""
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise ValueError(f"device: got {name!r}, needs a device that torch knows, such as 'cpu' or 'cuda'") from error
    if device.type == "cuda" and not torch.cuda.is_available():
        raise ValueError(f"device: got {name!r}, but torch sees no CUDA device here")
    return device


NARROW = 200  # units in a layer, whose matrices are too small to gain from more than one core


@contextmanager
def threads_suited_to(width: int) -> Iterator[None]:
    """Let torch use one thread within this context if no layer is wider than ``NARROW`` units.

    Nothing changes if the environment variable ``OMP_NUM_THREADS`` is set. The earlier number of threads is restored.
    """
    before = torch.get_num_threads()
    if width <= NARROW and "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
