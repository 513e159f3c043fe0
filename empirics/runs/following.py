"""Rules by which fields of a configuration follow others: a run with fewer epochs is measured at earlier epochs.

A ``Config`` announces its rules in ``follows``, ``{field: rule}``, and ``Configuration.changed`` applies them to the
fields whose values were not given. A rule maps ``(value, old, new)``, the present value of the field and all fields
before and after the change, to the value that goes with the change.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

Fields = Mapping[str, Any]
Rule = Callable[[Any, Fields, Fields], Any]
Rules = Mapping[str, Rule]


def positions(whole: str) -> Rule:
    """Return the rule of positions along ``whole``, such as epochs: they keep their places, and all remain all."""

    def rule(value: Any, old: Fields, new: Fields) -> Any:
        before, after = _length(old[whole]), _length(new[whole])
        if value is None or before == after:
            return value
        if value == tuple(range(1, before + 1)):
            return tuple(range(1, after + 1))
        return tuple(sorted({math.ceil(position * after / before) for position in value}))

    return rule


def in_proportion(whole: str) -> Rule:
    """Return the rule of a number that remains the same fraction of ``whole``, or of its entries, rounded up."""
    return lambda value, old, new: math.ceil(value * _length(new[whole]) / _length(old[whole]))


def at_most(limit: str) -> Rule:
    """Return the rule of a number that is lowered to the field ``limit`` where it exceeds it."""
    return lambda value, _old, new: min(value, new[limit])


def above(bound: str) -> Rule:
    """Return the rule of integers above the field ``bound``: all are multiplied by the least integer that does this."""
    return lambda value, _old, new: tuple(entry * max(1, math.floor(new[bound] / min(value)) + 1) for entry in value)


def _length(value: Any) -> int:
    return len(value) if isinstance(value, tuple | list) else value
