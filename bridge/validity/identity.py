"""What makes two configurations the same: their content, and not how they are shown.

A text of an object may leave out what matters: numpy shows six entries of a long array, and a class of the user shows
what it likes.
"""

from __future__ import annotations

import hashlib
import pickle
import uuid
from dataclasses import fields, is_dataclass
from typing import Any

PLAIN = (bool, int, float, complex, str, bytes, type(None))  # shown with all that they are
SEQUENCES = (tuple, list)


def content(value: Any) -> str:
    """Return a text that two values have in common only if everything in them is the same.

    A configuration of an experiment is its JSON, any other dataclass the content of its attributes; what Python itself
    does not show in full, such as an array, is hashed. What cannot be pickled, such as a lambda, is the same as nothing
    else, itself included, so that what depends on it is computed again.

    Args:
        value: a configuration, of an own claim any object.
    """
    from empirics.runs.config import Configuration, as_json

    if isinstance(value, Configuration):
        return as_json(value)
    kind = type(value)
    if kind in PLAIN:
        return repr(value)
    if kind in SEQUENCES:
        return f"{kind.__name__}({', '.join(map(content, value))})"
    if kind is dict:
        return f"dict({', '.join(sorted(f'{content(key)}: {content(entry)}' for key, entry in value.items()))})"
    if is_dataclass(kind):
        attributes = {field.name: getattr(value, field.name) for field in fields(value)} | getattr(
            value, "__dict__", {}
        )
        shown = [f"{name}={content(attribute)}" for name, attribute in attributes.items()]
        return f"{kind.__module__}.{kind.__qualname__}({', '.join(shown)})"
    return f"{kind.__module__}.{kind.__qualname__} {_hash(value)}"


def first_seed(config: Any) -> int:
    """Return the first seed of a configuration, which depends on all of its content: below a billion, in steps of 1000.

    Configurations with the same seeds would share their noise, and a hundred of them would err to one side together.
    A configuration that cannot be pickled has seeds from 0 on.
    """
    from empirics.sweep.own_seeds import first_seed_of

    text = content(config)
    if text != content(config):
        return 0
    return first_seed_of(text)


def _hash(value: Any) -> str:
    try:
        return hashlib.sha256(pickle.dumps(value, protocol=5)).hexdigest()
    except Exception:  # classes of the user and of other packages raise what they like
        return uuid.uuid4().hex
