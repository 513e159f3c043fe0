"""What the annotations of a function say on its arguments: choices, and plain kinds that exclude others."""

from __future__ import annotations

import numbers
import typing
from collections.abc import Callable
from types import UnionType
from typing import Any, Literal

import numpy as np
import torch

PLAIN = {
    bool: bool,
    int: numbers.Integral,
    float: (numbers.Real, np.ndarray, torch.Tensor),
    str: str,
}


def annotations(function: Callable[..., Any]) -> dict[str, Any]:
    """The annotations of a function, as far as they can be read."""
    try:
        return typing.get_type_hints(function)
    except Exception:
        return {}


def choices(hint: Any) -> tuple[Any, ...]:
    """The values that a ``Literal`` allows, alone or in a union."""
    if typing.get_origin(hint) is Literal:
        return typing.get_args(hint)
    if isinstance(hint, UnionType) or typing.get_origin(hint) is typing.Union:
        return tuple(choice for part in typing.get_args(hint) for choice in choices(part))
    return ()


def kinds(hint: Any) -> tuple[Any, ...]:
    """The alternatives of an annotation."""
    return (
        typing.get_args(hint)
        if isinstance(hint, UnionType) or typing.get_origin(hint) is typing.Union
        else (hint,)
    )


def admits(value: Any, kind: Any) -> bool:
    """Whether a value is what one annotation says; whatever is no flag, number or text may be anything."""
    if kind not in PLAIN:
        return kind is not type(None) or value is None
    return isinstance(value, PLAIN[kind]) and (
        kind is bool or not isinstance(value, (bool, np.bool_))
    )


def excluded(hints: dict[str, Any], given: dict[str, Any]) -> list[str]:
    """The names of arguments whose annotations are plain kinds, none of which their values are."""
    strange = []
    for name, value in given.items():
        if not any(admits(value, kind) for kind in kinds(hints.get(name, Any))):
            strange.append(name)
    return strange
