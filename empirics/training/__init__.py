"""Training all seeds at once: full-batch gradient descent (by hand or by autograd), Adam, recorded at every epoch."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from empirics.training.autograd import Autograd
    from empirics.training.backpropagation import Backpropagation
    from empirics.training.checkpoint import Checkpoint
    from empirics.training.classification import Epoch, Optimisation, Scores, evaluate, train_classifier
    from empirics.training.loop import DivergedError, train
    from empirics.training.partition import Partition
    from empirics.training.record import Record

_HOME = {
    "Autograd": "autograd",
    "Backpropagation": "backpropagation",
    "Checkpoint": "checkpoint",
    "Epoch": "classification",
    "Optimisation": "classification",
    "Scores": "classification",
    "evaluate": "classification",
    "train_classifier": "classification",
    "Partition": "partition",
    "DivergedError": "loop",
    "train": "loop",
    "Record": "record",
}
__all__ = [
    "Autograd",
    "Backpropagation",
    "Checkpoint",
    "DivergedError",
    "Epoch",
    "Optimisation",
    "Partition",
    "Record",
    "Scores",
    "evaluate",
    "train",
    "train_classifier",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
