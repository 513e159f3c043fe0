"""Options of the command line for the fields of a frozen dataclass or the arguments of a function.

Each field of the dataclass, or keyword-only argument of the function, is an option: ``learning_rate`` becomes
``--learning-rate``. The other arguments of the function are positional. The annotations determine the conversion of the
text; the dataclass or function checks the values.
"""

import dataclasses
import inspect
import itertools
import re
import types
import typing
from collections.abc import Callable, Sequence
from typing import Any

from bridge.cli import console
from closedform.suggestions import unknown

TRUE, FALSE = ("true", "yes", "1"), ("false", "no", "0")
_INDENT = " " * 22
_MOST = 4  # values of the configurations of a study that are shown
_ENTRY = re.compile(r"    (\w+): (.*)")  # of a docstring in Google style
_ROLE = re.compile(r":\w+:`~?([^`]*)`")  # :class:`Config`


def parse(target: Callable[..., Any], arguments: Sequence[str]) -> dict[str, Any]:
    """Return values by name from words such as ``["--epochs", "100", "--gain=1.1"]``, for a dataclass or a function."""
    kinds = typing.get_type_hints(target)
    options = {_option(name): name for name in _defaults(target)}
    positional = _positional(target)
    values: dict[str, Any] = {}
    rest = list(arguments)
    while rest:
        if positional and not rest[0].startswith("-"):
            name = positional.pop(0)
            values[name] = convert(rest.pop(0), kinds[name], name.upper())
            continue
        option, equals, text = rest.pop(0).partition("=")
        if option not in options:
            raise ValueError(unknown("option", option, options))
        name = options[option]
        if not equals:
            if not rest:
                raise ValueError(f"option {option}: got nothing, needs a value")
            text = rest.pop(0)
        if name in values:
            raise ValueError(f"option {option}: got two values, needs one")
        values[name] = convert(text, kinds[name], option)
    if positional:
        raise ValueError(
            f"{positional[0].upper()}: got nothing, needs a value (see `closedform fit --help`)"
        )
    return values


def parse_each(target: Callable[..., Any], arguments: Sequence[str]) -> list[dict[str, Any]]:
    """Return values by name for all combinations of options given several times; ValueError for one value twice."""
    given: dict[str, list[list[str]]] = {}
    rest = list(arguments)
    while rest:
        words = [rest.pop(0)]
        if "=" not in words[0] and rest:
            words.append(rest.pop(0))
        given.setdefault(words[0].partition("=")[0], []).append(words)
    combinations = itertools.product(*given.values())
    values_of_each = [
        parse(target, list(itertools.chain.from_iterable(chosen))) for chosen in combinations
    ]
    if any(values in values_of_each[:index] for index, values in enumerate(values_of_each)):
        raise ValueError("options: got one value twice, needs different values of an option")
    return values_of_each


def listed(target: Callable[..., Any]) -> list[tuple[str, str, str]]:
    """Return ``(option, type, default)`` of every option of a dataclass or function."""
    kinds = typing.get_type_hints(target)
    return [
        (
            _option(name),
            described(kinds[name]),
            "required" if default is inspect.Parameter.empty else _shown(default),
        )
        for name, default in _defaults(target).items()
    ]


def show(target: Callable[..., Any], chosen: Sequence[Any] = ()) -> None:
    """Print every option of a dataclass or function with its type, meaning and default, or the values of ``chosen``."""
    told = meanings(target)
    for name, (option, kind, default) in zip(_defaults(target), listed(target), strict=True):
        values = list(dict.fromkeys(_shown(getattr(config, name)) for config in chosen)) or [
            default
        ]
        several = [*values[:_MOST], "..."] if len(values) > _MOST else values
        given = "required" if values == ["required"] else f"default: {' or '.join(several)}"
        print(console.wrapped(f"  {option:<19} {kind} ({given})", _INDENT))
        if name in told:
            print(console.wrapped(_INDENT + told[name], _INDENT))


def meanings(target: Callable[..., Any]) -> dict[str, str]:
    """Return the meanings of fields or arguments by name, from the docstrings of the target and of its bases."""
    told: dict[str, str] = {}
    for part in reversed(inspect.getmro(target) if isinstance(target, type) else (target,)):
        section, name = "", ""
        for line in inspect.cleandoc(part.__doc__ or "").splitlines():
            if line and not line.startswith(" "):
                section, name = line, ""
            elif section in ("Attributes:", "Args:") and (entry := _ENTRY.match(line)):
                name = entry[1]
                told[name] = entry[2]
            elif name and line.startswith(" " * 8):
                told[name] += f" {line.strip()}"
            elif line:
                name = ""  # an entry that is not read, such as one of several names
    return {name: _ROLE.sub(r"\1", text).replace("``", "") for name, text in told.items()}


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _positional(target: Callable[..., Any]) -> list[str]:
    if dataclasses.is_dataclass(target):
        return []
    parameters = inspect.signature(target).parameters.values()
    return [
        parameter.name
        for parameter in parameters
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]


def _defaults(target: Callable[..., Any]) -> dict[str, Any]:
    """Return the default of every option by name, ``inspect.Parameter.empty`` for a required one."""
    if not dataclasses.is_dataclass(target):
        parameters = inspect.signature(target).parameters.values()
        return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}
    fields = dataclasses.fields(target)
    created = {
        f.name: f.default_factory() for f in fields if f.default_factory is not dataclasses.MISSING
    }
    constant = {f.name: f.default for f in fields if f.default is not dataclasses.MISSING}
    return {f.name: (constant | created).get(f.name, inspect.Parameter.empty) for f in fields}


def convert(text: str, kind: Any, option: str) -> Any:
    """Return ``text`` converted to the type of the annotation ``kind``; a ValueError names the option."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        if text not in arguments:
            raise ValueError(
                unknown(f"value for {option}:", text, [str(choice) for choice in arguments])
            )
        return text
    if origin in (typing.Union, types.UnionType):
        if type(None) in arguments and text.lower() in ("none", ""):
            return None
        members = [member for member in arguments if member is not type(None)]
        # takes other texts, too, which the Config checks
        if any(hasattr(member, "needs") for member in members):
            return text
        return convert(text, members[0], option)
    if origin is tuple:
        return tuple(
            convert(part.strip(), arguments[0], option) for part in text.split(",") if part.strip()
        )
    if kind is bool:
        if text.lower() not in TRUE + FALSE:
            raise ValueError(f"option {option}: got {text!r}, needs true or false")
        return text.lower() in TRUE
    try:
        return kind(text) if kind in (int, float, str) else str(text)
    except ValueError:
        raise ValueError(f"option {option}: got {text!r}, needs {described(kind)}") from None


def described(kind: Any) -> str:
    """Return an annotation in words."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return " | ".join(str(choice) for choice in arguments)
    if origin is tuple:
        return f"{described(arguments[0])}, several with commas"
    if origin in (typing.Union, types.UnionType):
        return " or ".join(
            "none" if member is type(None) else described(member) for member in arguments
        )
    if hasattr(kind, "needs"):
        return str(kind.needs)
    return {int: "an integer", float: "a number", str: "text", bool: "true or false"}.get(
        kind, str(kind)
    )


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(str(entry) for entry in value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)
