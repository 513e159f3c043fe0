"""Options of the command line from a frozen dataclass or a function: ``learning_rate`` becomes ``--learning-rate``.

Each field of the dataclass, or keyword-only argument of the function, is an option; the function's other arguments are
given without a name. Their text is converted by the annotation; what a value means, and which ones are allowed, is for
the dataclass or function to check.
"""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Callable, Sequence
from typing import Any

from theory.core.suggestions import unknown

TRUE, FALSE = ("true", "yes", "1"), ("false", "no", "0")


def parse(target: Callable[..., Any], arguments: Sequence[str]) -> dict[str, Any]:
    """Values by name from ``["--epochs", "100", "--gain=1.1"]``.

    Args:
        target: a dataclass or a function.
        arguments: as after the command in a shell.

    Raises:
        ValueError: for an unknown option (with those that look like it), a missing value, one of the wrong kind, an
            option given twice, or a missing argument.
    """
    kinds = typing.get_type_hints(target)
    options = {_option(name): name for name in _defaults(target)}
    unnamed = _unnamed(target)
    values: dict[str, Any] = {}
    rest = list(arguments)
    while rest:
        if unnamed and not rest[0].startswith("-"):
            name = unnamed.pop(0)
            values[name] = convert(rest.pop(0), kinds[name], name.upper())
            continue
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
    if unnamed:
        raise ValueError(f"{unnamed[0].upper()} is missing")
    return values


def listed(target: Callable[..., Any]) -> list[tuple[str, str, str]]:
    """``(option, kind, default)`` of every option of a dataclass or function."""
    kinds = typing.get_type_hints(target)
    return [
        (_option(name), described(kinds[name]), "required" if default is inspect.Parameter.empty else _shown(default))
        for name, default in _defaults(target).items()
    ]


def show(target: Callable[..., Any]) -> None:
    """Print every option of a dataclass or function with its kind and default, one a line."""
    for option, kind, default in listed(target):
        print(f"  {option:<20}{kind:<60} {default}")


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _unnamed(target: Callable[..., Any]) -> list[str]:
    """The arguments of a function that are given without a name."""
    if dataclasses.is_dataclass(target):
        return []
    parameters = inspect.signature(target).parameters.values()
    return [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]


def _defaults(target: Callable[..., Any]) -> dict[str, Any]:
    """The default of every option by name; ``inspect.Parameter.empty`` where there is none."""
    if not dataclasses.is_dataclass(target):
        parameters = inspect.signature(target).parameters.values()
        return {each.name: each.default for each in parameters if each.kind is each.KEYWORD_ONLY}
    fields = dataclasses.fields(target)
    made = {each.name: each.default_factory() for each in fields if each.default_factory is not dataclasses.MISSING}
    set_ = {each.name: each.default for each in fields if each.default is not dataclasses.MISSING}
    return {each.name: (set_ | made).get(each.name, inspect.Parameter.empty) for each in fields}


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
