"""Checks of choices, booleans, and kinds of objects."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from typing import Any, TypeVar

Kind = TypeVar("Kind")
Choice = TypeVar("Choice")


def require(good: bool, name: str, got: object, needs: str) -> None:
    """Raise ``ValueError("name: got ..., needs ...")`` unless ``good``."""
    if not good:
        raise ValueError(f"{name}: got {got}, needs {needs}")


def instance(name: str, value: Any, kind: type[Kind], needs: str) -> Kind:
    """Return ``value`` if it is a ``kind``; raise TypeError otherwise."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: got {type(value).__name__}, needs {needs}")
    return value


def function(name: str, value: Any, needs: str) -> None:
    """Raise TypeError unless ``value`` can be called."""
    if not callable(value):
        raise TypeError(f"{name}: got {type(value).__name__}, needs {needs}")


def one_of(name: str, value: Choice, choices: Collection[Choice]) -> Choice:
    """Return ``value`` if it is among ``choices``; raise ValueError otherwise."""
    if not (isinstance(value, Hashable) and value in choices):  # arrays cannot be hashed, nor compared with one choice
        raise ValueError(f"{name}: got {value!r}, needs one of {', '.join(map(str, choices))}")
    return value


def boolean(name: str, value: Any) -> bool:
    """Return ``value`` if it is True or False; raise TypeError otherwise, also for 1 and for a boolean of numpy."""
    if not isinstance(value, bool):
        raise TypeError(f"{name}: got {value!r}, needs True or False")
    return value


def sequence(name: str, value: Any, of: str = "numbers") -> Iterable[Any]:
    """Return ``value`` if it is iterable and not text; raise TypeError otherwise."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"{name}: got {value!r}, needs a sequence of {of}")
    return value
