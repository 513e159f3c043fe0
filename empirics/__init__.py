"""What is: real networks trained and measured, each run a frozen ``Config`` that leaves a labelled, raw trace behind.

``data`` reads images, ``networks`` and ``training`` make networks and train them, ``measure`` reads a quantity off any
model, ``experiments`` asks one question per file, ``store`` and ``sweep`` keep the answers. Importing this package
imports none of it: each part loads when it is first used.
"""

from __future__ import annotations

import importlib
from types import ModuleType

__all__ = ["data", "experiments", "measure", "networks", "seeding", "store", "sweep", "trace", "training"]


def __getattr__(name: str) -> ModuleType:
    if name in __all__:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted(__all__)
