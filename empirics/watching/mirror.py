"""Copies of the measured numbers for a logger: TensorBoard, W&B, MLflow, Lightning, or a function."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from empirics.watching.quantity import TraceVariable

Send = Callable[[dict[str, float], int], None]
PREFIX = "watch"
WITHOUT_BRACKETS = str.maketrans("[(", "--", ")]")


def sender(logger: Any) -> Send:
    """Return a function that hands ``({name: number}, step)`` to TensorBoard, MLflow, Lightning, W&B or a function."""
    if logger is None:
        return lambda numbers, step: None
    if hasattr(logger, "add_scalar"):

        def to_tensorboard(numbers: dict[str, float], step: int) -> None:
            for name, value in numbers.items():
                logger.add_scalar(name, value, step)

        return to_tensorboard
    if hasattr(logger, "log_metrics"):
        return lambda numbers, step: logger.log_metrics(numbers, step=step)
    if hasattr(logger, "log"):
        # W&B's own step must increase with every call of the user, so that ours is a number like the others.
        return lambda numbers, step: logger.log({**numbers, f"{PREFIX}/step": step})
    if callable(logger):
        return lambda numbers, step: logger(numbers, step)
    raise TypeError(
        f"logger: got {type(logger).__name__}, needs a SummaryWriter, the module mlflow, a run of W&B, a Lightning "
        "logger or a function of ({name: number}, step)"
    )


def numbers(
    values: Mapping[str, Any],
    quantities: Mapping[str, TraceVariable],
    coordinates: Mapping[str, Any],
) -> dict[str, float]:
    """Return finite numbers by variable and layer, ``watch/nc1/4``, without brackets; other dimensions are averaged."""
    flat: dict[str, float] = {}
    for name, value in values.items():
        dims, array = quantities[name].dims, np.asarray(value, dtype=np.float64)
        axes = tuple(axis for axis, dim in enumerate(dims) if dim != "layer")
        means = array.mean(axis=axes) if axes else array
        if "layer" in dims:
            labels = [label.translate(WITHOUT_BRACKETS) for label in coordinates["layer"][0]]
            flat |= {
                f"{PREFIX}/{name}/{label}": float(mean)
                for label, mean in zip(labels, means, strict=True)
            }
        else:
            flat[f"{PREFIX}/{name}"] = float(means)
    return {name: value for name, value in flat.items() if math.isfinite(value)}
