"""Checks that the configurations of all experiments share: each names the field, what it got and what it needs."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Sequence
from typing import Any


def as_json(config: Any) -> str:
    """A configuration as JSON text, keys sorted, ``experiment`` among them."""
    return json.dumps({"experiment": config.experiment, **dataclasses.asdict(config)}, sort_keys=True)


def content_hash(config: Any) -> str:
    """Sixteen hexadecimal digits that two configurations share only if they are equal."""
    return hashlib.sha256(as_json(config).encode()).hexdigest()[:16]


def whole(name: str, value: Any, at_least: int) -> int:
    """``value`` as an integer >= ``at_least``; TypeError or ValueError otherwise."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name}: got {value!r}, needs an integer")
    if (number := int(value)) < at_least:
        raise ValueError(f"{name}: got {number}, needs an integer >= {at_least}")
    return number


def real(
    name: str, value: Any, *, positive: bool = False, below: float = math.inf, at_least: float = -math.inf
) -> float:
    """``value`` as a finite float in the given range; TypeError or ValueError otherwise."""
    if isinstance(value, bool | str) or not hasattr(value, "__float__"):
        raise TypeError(f"{name}: got {value!r}, needs a number")
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{name}: got {number}, needs a finite number")
    if positive and number <= 0:
        raise ValueError(f"{name}: got {number}, needs a positive number")
    if not at_least <= number < below:
        raise ValueError(f"{name}: got {number}, needs a number in [{at_least}, {below})")
    return number


def one_of(name: str, value: Any, choices: Sequence[str]) -> str:
    """``value``, which must be one of ``choices``; ValueError otherwise."""
    if value not in choices:
        raise ValueError(f"{name}: got {value!r}, needs one of {', '.join(choices)}")
    return str(value)
