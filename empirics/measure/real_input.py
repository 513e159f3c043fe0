"""Numbers that a measure is given, as a float64 tensor: real, finite, and said what is wrong where they are not."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor


def real_tensor(name: str, value: Any) -> Tensor:
    """``value``, a tensor, an array or nested numbers, in float64, on its own device, without gradient.

    Raises:
        TypeError: if it is not made of real numbers.
        ValueError: if a number is not finite.
    """
    try:
        tensor = torch.as_tensor(value if isinstance(value, Tensor) else np.asarray(value)).detach()
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"{name}: got {type(value).__name__}, needs a tensor, an array or numbers") from error
    if tensor.is_complex() or tensor.dtype == torch.bool:
        raise TypeError(f"{name}: got {tensor.dtype}, needs real numbers")
    tensor = tensor.to(torch.float64)
    if not bool(torch.isfinite(tensor).all()):
        raise ValueError(f"{name}: needs finite numbers, got some that are not")
    return tensor
