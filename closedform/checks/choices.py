"""Checks of choices, booleans, and kinds of objects."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeVar, cast

from closedform.checks.plain import BYTES, shown

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


def text(name: str, value: Any) -> str:
    """Return ``value`` if it is text that says something; raise TypeError or ValueError otherwise."""
    require(bool(instance(name, value, str, "text").strip()), name, "no text", "some")
    return cast(str, value)


def mapping(name: str, value: Any) -> Mapping[Any, Any]:
    """Return ``value`` if it is a mapping, and an empty one for None; raise TypeError otherwise."""
    return {} if value is None else instance(name, value, Mapping, "a mapping")  # type: ignore[type-abstract]


def function(name: str, value: Any, needs: str) -> None:
    """Raise TypeError unless ``value`` can be called."""
    if not callable(value):
        raise TypeError(f"{name}: got {type(value).__name__}, needs {needs}")


def one_of(name: str, value: Choice, choices: Collection[Choice]) -> Choice:
    """Return ``value`` if it is among ``choices``; raise ValueError otherwise."""
    try:
        is_known = value in frozenset(choices)  # by its hash, which arrays and tables do not have
    except Exception:
        is_known = False
    if not is_known:
        raise ValueError(f"{name}: got {shown(value)}, needs one of {', '.join(map(str, choices))}")
    return value


def boolean(name: str, value: Any) -> bool:
    """Return ``value`` if it is True or False; raise TypeError otherwise, also for 1 and for a boolean of numpy."""
    if not isinstance(value, bool):
        raise TypeError(f"{name}: got {shown(value)}, needs True or False")
    return value


def sequence(name: str, value: Any, of: str = "numbers") -> Iterable[Any]:
    """Return ``value`` if it is iterable and neither text nor bytes; raise TypeError otherwise."""
    try:
        if isinstance(value, (str, *BYTES)):
            raise TypeError
        iter(value)
    except Exception:  # also of an object of the user's that fails wherever it is looked at
        raise TypeError(f"{name}: got {shown(value)}, needs a sequence of {of}") from None
    return cast(Iterable[Any], value)
