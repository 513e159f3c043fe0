"""Quantities read off a model: pure functions of the model and data, one file per quantity."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from empirics.measure.two_point import TwoPointState, two_point_state

_HOME = {"TwoPointState": "two_point", "two_point_state": "two_point"}
__all__ = ["TwoPointState", "two_point_state"]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
