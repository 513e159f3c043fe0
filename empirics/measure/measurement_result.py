"""How a measured result is shown: its name and one short line for each number, with the range of long arrays."""

from dataclasses import fields
from typing import Any

import numpy as np
import torch

LONGEST = 6  # numbers that are shown one by one


class MeasurementResult:
    """Base of results, which are frozen dataclasses declared with ``repr=False``."""

    def __repr__(self) -> str:
        shown = _fields(self)
        width = max(map(len, shown))
        lines = [f"  {name:<{width}}  {text}" for name, text in shown.items()]
        return "\n".join([type(self).__name__, *lines])


def _fields(result: Any) -> dict[str, str]:
    shown = {field.name: _short(getattr(result, field.name)) for field in fields(result)}
    return {name: text for name, text in shown.items() if text}  # without an empty note


def _short(value: Any) -> str:
    if isinstance(value, MeasurementResult):
        return "; ".join(f"{name} {text}" for name, text in _fields(value).items())
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, (np.ndarray, torch.Tensor)) or (
        isinstance(value, tuple) and len(value) > LONGEST
    ):
        return _of_array(
            np.asarray(value.detach().cpu() if isinstance(value, torch.Tensor) else value)
        )
    if isinstance(value, tuple):
        return ", ".join(map(_short, value)) or "none"
    return str(value)


def _of_array(values: Any) -> str:
    if values.size <= LONGEST and values.ndim <= 1:
        return ", ".join(_short(number) for number in values.reshape(-1).tolist()) or "none"
    shape = " x ".join(map(str, values.shape))
    finite = values[np.isfinite(values)] if values.dtype.kind in "fiu" else values[:0]
    missing = f", {values.size - finite.size} not finite" if 0 < finite.size < values.size else ""
    return f"{shape} numbers" + (
        f", {finite.min():.4g} to {finite.max():.4g}{missing}" if finite.size else ""
    )
