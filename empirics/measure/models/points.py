"""Points of a measurement: on the device of a model, and in the precision that is wanted."""

from __future__ import annotations

from typing import Any, Literal

import torch
from torch import Tensor, nn

from empirics import tensor_checks

Precision = Literal["float64", "model"]


def points_in(x: Any, module: nn.Module | None, precision: Precision) -> tuple[Tensor, Tensor]:
    """Return ``x`` on the module's device, in its given type and in the wanted precision."""
    tensor = tensor_checks.real_numbers("x", x)
    fits = tensor.ndim >= 2 and tensor.numel() > 0
    tensor_checks.shape("x", tensor, fits, "[batch, *input] with at least one point and number")
    parts = _parts(module)
    if any(part.is_meta for part in [tensor, *parts]):
        raise ValueError(
            "feature_map, x: are on the device 'meta' at least in part, so that there are no numbers"
        )
    tensor_checks.finite("x", tensor)
    like = next((p for p in parts if p.is_floating_point()), tensor)
    moved = tensor.to(like.device)
    return moved, moved.to(
        torch.float64 if precision == "float64" else native_precision(module, tensor)
    )


def _parts(module: nn.Module | None) -> list[Tensor]:
    """Return the parameters and buffers of a module; none without one."""
    return [] if module is None else [*module.parameters(), *module.buffers()]


def native_precision(module: nn.Module | None, x: Tensor) -> torch.dtype:
    """Return the precision of a module, else that of its points, and float64 for integers."""
    types = [part.dtype.to_real() for part in [*_parts(module), x]]
    return next((dtype for dtype in types if dtype.is_floating_point), torch.float64)
