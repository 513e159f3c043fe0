"""Strategies of hypothesis that draw configurations of an experiment.

Fields that follow others obey their rules (``Configuration.changed``), so that a configuration is valid by
construction. It shrinks towards small numbers, and towards the default and the first of several choices.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any, get_args, get_origin

from closedform import checks
from closedform.missing import require
from closedform.suggestions import unknown
from empirics.user_choice import choices

DIGITS = 2  # significant ones of a drawn number, so that few networks are trained while an example shrinks


def strategy(base: Any, types: Mapping[str, Any], ranges: Mapping[str, Any]) -> Any:
    """Return the strategy of configurations that differ from ``base``; see ``Configuration.strategy``."""
    require("strategy:", "hypothesis")
    from hypothesis import assume
    from hypothesis import strategies as st

    for name in ranges:
        if name not in types:
            raise ValueError(unknown("field", name, types))
    each = {name: _values(name, types[name], getattr(base, name), given) for name, given in ranges.items()}

    def built(values: dict[str, Any]) -> Any:
        try:
            return base.changed(**values)
        except ValueError:  # two fields that do not go together, which no rule of the configuration resolves
            assume(False)
            raise

    return st.fixed_dictionaries(each).map(built)


def _values(name: str, kind: Any, default: Any, given: Any) -> Any:
    """Return the strategy of one field from what the user gave for it."""
    from hypothesis import strategies as st

    if isinstance(given, st.SearchStrategy):
        return given
    numbers = {int, float} & {kind, *get_args(kind)}
    known = (False, True) if kind is bool else choices(kind)
    if given is ... or (known and isinstance(given, Collection) and not isinstance(given, str)):
        checks.require(bool(known), name, "...", "a range (low, high), since its values are not listed")
        some = list(known) if given is ... else list(given)
        return st.sampled_from(sorted(some, key=lambda choice: choice != default))
    if numbers and isinstance(given, tuple) and len(given) == 2 and get_origin(kind) is not tuple:
        low, high = (checks.real_number(name, end) for end in given)
        checks.require(low <= high, name, given, "a range (low, high)")
        if int in numbers and float not in numbers:
            return st.integers(math.ceil(low), math.floor(high))
        return st.floats(low, high, allow_nan=False, allow_infinity=False).map(
            lambda number: near if low <= (near := float(f"{number:.{DIGITS}g}")) <= high else number
        )
    return st.just(given)
