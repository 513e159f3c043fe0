"""Canonical texts of expressions and programs: equal texts mean equal content, in every process."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from types import CodeType, FunctionType
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef, UndefinedFunction

from theory.core.proof.store import everything

PACKAGE = "theory"


class Unknown(Exception):
    """An object that has no canonical text."""


def text(write: Callable[..., str], *objects: Any) -> str | None:
    """Return ``write(*objects)``, or None if an object has no canonical text."""
    try:
        return write(*objects)
    except Exception:  # an empty cell, a function that refers to itself, whatever sympy raises as it prints a node
        return None


def of_expressions(*expressions: sp.Basic, with_sources: bool = True) -> str:
    """Return a text with one line for every distinct part of the expressions, after the lines of its own parts.

    It does not depend on the process. Unknown is raised for a function that neither sympy nor this package defines.

    Args:
        expressions: the expressions.
        with_sources: whether the text changes with the sources of a function that is defined outside of
            ``theory.core``. Default: True.
    """
    lines: list[str] = []
    known: dict[Any, int] = {}
    for expression in expressions:
        waiting: list[tuple[sp.Basic, bool]] = [(expression, False)]
        while waiting:
            node, ready = waiting.pop()
            if node in known:
                continue
            if not ready and node.args:
                waiting.append((node, True))
                waiting.extend((child, False) for child in reversed(node.args))
                continue
            line = f"{_kind(node, len(lines), with_sources)} {' '.join(str(known[child]) for child in node.args)}"
            known[node] = len(lines)
            lines.append(line)
        lines.append(f"= {known[expression]}")
    return "\n".join(lines)


def _kind(node: sp.Basic, index: int, with_sources: bool) -> str:
    if isinstance(node, AppliedUndef):
        return _undefined(node.func)
    name = f"{type(node).__module__}.{type(node).__qualname__}"
    is_of_subject = name.startswith(f"{PACKAGE}.") and not name.startswith(f"{PACKAGE}.core.")
    if with_sources and is_of_subject:
        digest = everything()
        if digest is None:
            raise Unknown("sources")
        name = f"{name} {digest}"
    elif not name.startswith(("sympy.", f"{PACKAGE}.")):
        raise Unknown(name)
    if isinstance(node, sp.Symbol):
        number = index if isinstance(node, sp.Dummy) else ""
        return f"{name} {node.name!r} {number} {sorted(node.assumptions0.items())}"
    return f"{name} {sp.srepr(node)}" if not node.args else name


def _undefined(function: UndefinedFunction) -> str:
    return f"undefined {function.__name__!r} {function.nargs} {sorted(function._kwargs.items())}"


def of_program(program: Any) -> str:
    """Return a text of the code of a function of this package and of what is in its closure; Unknown without one."""
    return "\n".join(_value(program))


def _value(value: Any) -> Iterator[str]:
    if isinstance(value, FunctionType):
        if str(value.__module__).partition(".")[0] != PACKAGE:
            raise Unknown(value.__module__)
        yield f"function {value.__module__} {value.__qualname__}"
        yield from _code(value.__code__)
        carried = [cell.cell_contents for cell in value.__closure__ or ()]
        yield from _value((*carried, value.__defaults__, value.__kwdefaults__))
    elif isinstance(value, partial):
        yield "partial"
        yield from _value((value.func, value.args, value.keywords))
    elif isinstance(value, sp.Basic):
        yield of_expressions(value)
    elif isinstance(value, (tuple, list, Mapping)):
        yield f"{type(value).__name__} {len(value)}"
        for part in value.items() if isinstance(value, Mapping) else value:
            yield from _value(part)
    elif is_dataclass(value) and type(value).__module__.partition(".")[0] == PACKAGE:
        yield f"{type(value).__module__}.{type(value).__qualname__}"
        for field in fields(value):
            yield from _value(getattr(value, field.name))
    elif isinstance(value, UndefinedFunction):
        yield _undefined(value)
    elif isinstance(value, type) and value.__module__.partition(".")[0] in ("sympy", PACKAGE):
        yield f"{value.__module__}.{value.__qualname__}"
    elif isinstance(value, np.ndarray) and value.dtype != object:
        yield f"array {value.dtype} {value.shape} {value.tobytes().hex()}"
    elif value is None or type(value) in (bool, int, float, complex, str, bytes):
        yield f"{type(value).__name__} {value!r}"
    else:
        raise Unknown(type(value).__name__)


def _code(code: CodeType) -> Iterator[str]:
    yield f"code {code.co_code.hex()} {code.co_names} {code.co_varnames} {code.co_freevars}"
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _code(constant)
        else:
            yield repr(constant)
