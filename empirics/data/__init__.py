"""Images with labels: Fashion-MNIST, MNIST and CIFAR-10 from their official files, scikit-learn's digits built in.

:func:`load` gives a :class:`Dataset`; :func:`random_labels` replaces its labels by noise.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from empirics.data.dataset import Dataset
    from empirics.data.labels import random_labels
    from empirics.data.loading import NAMES, load

_HOME = {"Dataset": "dataset", "random_labels": "labels", "NAMES": "loading", "load": "loading"}
__all__ = ["NAMES", "Dataset", "load", "random_labels"]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
