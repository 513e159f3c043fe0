"""Options of the command line from the fields of a frozen dataclass: ``learning_rate`` becomes ``--learning-rate``.

Values are converted by the field's annotation; what they mean, and which are allowed, is for the dataclass to check.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Sequence
from typing import Any

from bridge.cli.near import unknown

TRUE, FALSE = ("true", "yes", "1"), ("false", "no", "0")


def parse(config: type, arguments: Sequence[str]) -> dict[str, Any]:
    """Values by field name from ``["--epochs", "100", "--gain=1.1"]``.

    Raises:
        ValueError: for an unknown option (with those that look like it), a missing value, one of the wrong kind, or an
            option given twice.
    """
    kinds = typing.get_type_hints(config)
    options = {f"--{field.name.replace('_', '-')}": field.name for field in dataclasses.fields(config)}
    values: dict[str, Any] = {}
    rest = list(arguments)
    while rest:
        option, equals, text = rest.pop(0).partition("=")
        if option not in options:
            raise ValueError(unknown("option", option, options))
        name = options[option]
        if not equals:
            if not rest:
                raise ValueError(f"option {option} needs a value")
            text = rest.pop(0)
        if name in values:
            raise ValueError(f"option {option} is given twice")
        values[name] = convert(text, kinds[name], option)
    return values


def listed(config: type) -> list[tuple[str, str, str]]:
    """``(option, kind, default)`` of every field."""
    kinds = typing.get_type_hints(config)
    rows = []
    for field in dataclasses.fields(config):
        default = field.default
        if field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        shown = "required" if default is dataclasses.MISSING else _shown(default)
        rows.append((f"--{field.name.replace('_', '-')}", described(kinds[field.name]), shown))
    return rows


def convert(text: str, kind: Any, option: str) -> Any:
    """``text`` as a value of the annotation ``kind``."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        if text not in arguments:
            raise ValueError(unknown(f"value for {option}:", text, [str(each) for each in arguments]))
        return text
    if origin in (typing.Union, types.UnionType):
        if type(None) in arguments and text.lower() in ("none", ""):
            return None
        return convert(text, next(each for each in arguments if each is not type(None)), option)
    if origin is tuple:
        return tuple(convert(part.strip(), arguments[0], option) for part in text.split(",") if part.strip())
    if kind is bool:
        if text.lower() not in TRUE + FALSE:
            raise ValueError(f"option {option}: got {text!r}, needs true or false")
        return text.lower() in TRUE
    try:
        return kind(text) if kind in (int, float, str) else str(text)
    except ValueError:
        raise ValueError(f"option {option}: got {text!r}, needs {described(kind)}") from None


def described(kind: Any) -> str:
    """A kind of value in words."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return " | ".join(str(each) for each in arguments)
    if origin is tuple:
        return f"{described(arguments[0])}, several with commas"
    if origin in (typing.Union, types.UnionType):
        return " or ".join("none" if each is type(None) else described(each) for each in arguments)
    return {int: "a whole number", float: "a number", str: "text", bool: "true or false"}.get(kind, str(kind))


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(str(each) for each in value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)
