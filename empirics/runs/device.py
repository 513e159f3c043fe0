"""The device and the number type that a configuration names."""

from __future__ import annotations

import torch

DTYPES = {"float32": torch.float32, "float64": torch.float64}


def find(name: str) -> torch.device:
    """Return the torch device called ``name``.

    Raises:
        ValueError: if torch does not know the device or it is not available.
    """
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise ValueError(f"device: got {name!r}, needs a device that torch knows, such as 'cpu' or 'cuda'") from error
    if device.type == "cuda" and not torch.cuda.is_available():
        raise ValueError(f"device: got {name!r}, but torch sees no CUDA device here")
    return device
