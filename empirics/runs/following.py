"""Rules by which fields of a configuration follow others: a run with fewer epochs is measured at earlier epochs.

A ``Config`` announces its rules in ``follows``, ``{field: rule}``, and ``Configuration.changed`` applies them to the
fields whose values were not given. A rule maps ``(value, old, new)``, the present value of the field and all fields
before and after the change, to the value that goes with the change.

Strategies of hypothesis, which draw configurations of an experiment, obey these rules, so that a configuration is valid
by construction. It shrinks towards small numbers, and towards the default and the first of several choices.
"""

import math
from collections.abc import Callable, Collection, Mapping
from typing import Any, get_args, get_origin

from closedform import checks
from closedform.missing import require
from closedform.suggestions import unknown
from empirics.user_choice import choices

DIGITS = 2  # significant ones of a drawn number, so that few networks are trained while an example shrinks

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
    return lambda value, _old, new: tuple(
        entry * max(1, math.floor(new[bound] / min(value)) + 1) for entry in value
    )


def _length(value: Any) -> int:
    return len(value) if isinstance(value, tuple | list) else value


def strategy(base: Any, types: Mapping[str, Any], ranges: Mapping[str, Any]) -> Any:
    """Return the strategy of configurations that differ from ``base``; see ``Configuration.strategy``."""
    require("strategy:", "hypothesis")
    from hypothesis import assume
    from hypothesis import strategies as st

    for name in ranges:
        if name not in types:
            raise ValueError(unknown("field", name, types))
    each = {
        name: _values(name, types[name], getattr(base, name), given)
        for name, given in ranges.items()
    }

    def built(values: dict[str, Any]) -> Any:
        try:
            return base.changed(**values)
        # two fields that do not go together, which no rule of the configuration resolves
        except ValueError:
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
        checks.require(
            bool(known), name, "...", "a range (low, high), since its values are not listed"
        )
        some = list(known) if given is ... else list(given)
        return st.sampled_from(sorted(some, key=lambda choice: choice != default))
    if numbers and isinstance(given, tuple) and len(given) == 2 and get_origin(kind) is not tuple:
        low, high = (checks.real_number(name, end) for end in given)
        checks.require(low <= high, name, given, "a range (low, high)")
        if int in numbers and float not in numbers:
            return st.integers(math.ceil(low), math.floor(high))
        return st.floats(low, high, allow_nan=False, allow_infinity=False).map(
            lambda number: (
                near if low <= (near := float(f"{number:.{DIGITS}g}")) <= high else number
            )
        )
    return st.just(given)
