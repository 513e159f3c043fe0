"""Values of arguments that are typed on a command line."""

from __future__ import annotations

import math
from collections.abc import Mapping

from closedform.suggestions import unknown


def values_of(texts: list[str], names: list[str]) -> Mapping[str, str]:
    """Return the values of all arguments of a closed form, by name, from texts ``key=value``."""
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not value:
            raise ValueError(f"values: got {text!r}, needs key=value, such as {names[0]}=0.5")
        if name not in names:
            raise ValueError(unknown("argument", name, names))
        if name in values:
            raise ValueError(f"{name}: got two values, needs one")
        number(name, value)
        values[name] = value
    missing = [name for name in names if name not in values]
    if missing:
        raise ValueError(
            f"values: got none for {', '.join(missing)}, needs {' '.join(f'{name}=...' for name in missing)}"
        )
    return values


def number(name: str, text: str) -> float:
    """Return the finite float64 of a text: a decimal, a ratio as ``1/2``, or an expression as ``sqrt(2)/3``."""
    from theory.core.formula.parsing import parse

    try:
        value = float(parse(text))
    except (ValueError, TypeError, OverflowError):
        need = (
            "a finite number: a decimal, a ratio such as 1/2, or an expression such as sqrt(2)/3"
        )
        raise ValueError(f"{name}: got {text!r}, needs {need}") from None
    if not math.isfinite(value):
        raise ValueError(f"{name}: got {text!r}, needs a finite number")
    return value
