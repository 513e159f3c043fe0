"""The script of pages on closed forms, and what such a page says about its form."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from theory.core.numbers.backends import javascript

if TYPE_CHECKING:
    from bridge.explorer.ranges import Range
    from theory.core import Argument, ClosedForm

_FILES = ("format.js", "values.js", "plot.js", "explorer.js")
_SIGNS = ("positive", "negative", "nonnegative", "nonpositive", "nonzero", "integer")


@cache
def script() -> str:
    """Return the script that all pages share: the library, the plot and the controls."""
    folder = files("bridge.explorer")
    code = "\n".join((folder / name).read_text(encoding="utf-8") for name in _FILES)
    return f"{javascript.library()}(() => {{\n{code}\n}})();\n"


def object_of(form: ClosedForm, sliders: Sequence[Range], start: Sequence[float], call: str) -> str:
    """Return the code of an object with the arguments of a form, its conditions and the program of its value.

    The page starts at ``start``; ``call`` are the words after ``closedform eval`` that select the form.
    """
    symbols = [argument.symbol for argument in form.arguments]
    arguments = [_argument(*row) for row in zip(form.arguments, sliders, start, strict=True)]
    conditions = ", ".join(
        f"{{ sentence: {_text(condition.sentence)}, strict: {str(condition.strict).lower()}, slack: {condition.slack}, "
        f"gap: {javascript.program(condition.gap, symbols)}, scale: {javascript.program(condition.scale, symbols)} }}"
        for condition in form.conditions
    )
    value = javascript.program(form.expression, symbols)
    return (
        f"{{ name: {_text(form.name)}, call: {_text(call)}, arguments: {_text(arguments)},\n"
        f"conditions: [{conditions}],\nvalue: {value} }}"
    )


def _argument(argument: Argument, slider: Range, start: float) -> dict[str, object]:
    in_units = f"  [{unit(argument)}]" if unit(argument) else ""
    return {
        "name": argument.name,
        "label": [f"{argument.name}, {superscripted(argument.meaning)}{in_units}", f"{argument.name}{in_units}"],
        "needs": argument.needs,
        "signs": [sign for sign in _SIGNS if getattr(argument.symbol, f"is_{sign}")],
        "isInteger": bool(argument.symbol.is_integer),
        "low": slider.low,
        "high": slider.high,
        "isLog": slider.is_log,
        "start": start,
    }


def unit(argument: Argument) -> str:
    """Return the unit of an argument, nothing if it has none."""
    return "" if argument.unit in ("", "1", "dimensionless") else superscripted(argument.unit)


def superscripted(text: str) -> str:
    """Return a text with the digit after each ``^`` as a superscript."""
    return re.sub(r"\^(\d)", lambda match: "⁰¹²³⁴⁵⁶⁷⁸⁹"[int(match[1])], text)


def _text(value: object) -> str:
    """Return a value as JSON that may stand inside of a script element."""
    return json.dumps(value, ensure_ascii=False).replace("</", "<\\/")
