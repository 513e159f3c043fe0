"""JSON from files that anybody may have written: the result is a plain value of the expected kind, or a ValueError."""

from __future__ import annotations

import json
from typing import Any, TypeVar, overload

Kind = TypeVar("Kind")

MOST_LEVELS = 100  # of nesting; the deepest file of ours has fewer than ten, and Python ends at about a thousand
KINDS: dict[type, str] = {dict: "an object", list: "a list"}


@overload
def decoded(name: str, text: Any) -> dict[str, Any]: ...
@overload
def decoded(name: str, text: Any, kind: type[Kind]) -> Kind: ...
def decoded(name: str, text: Any, kind: type = dict) -> Any:
    """Return the value of a JSON text.

    Args:
        name: what the text is, for messages.
        text: the text, as str or bytes.
        kind: dict (the default) for an object, list, or object for any value.

    Raises:
        ValueError: if it is not text, not JSON, nested too deeply, or of another kind.
    """
    if not isinstance(text, str | bytes):
        raise ValueError(f"{name}: got {type(text).__name__}, needs JSON text")
    try:
        value = json.loads(text)
    except RecursionError:
        raise _too_deep(name) from None
    except ValueError as error:
        raise ValueError(f"{name}: got {error}, needs JSON") from error
    level = [value]
    for _ in range(MOST_LEVELS):
        level = [child for parent in level for child in _children(parent)]
    if level:
        raise _too_deep(name)
    if not isinstance(value, kind):
        raise ValueError(f"{name}: got JSON of the kind {type(value).__name__}, needs {KINDS[kind]}")
    return value


def _children(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []


def _too_deep(name: str) -> ValueError:
    return ValueError(f"{name}: got JSON with more than {MOST_LEVELS} levels, which no file of ours has")
