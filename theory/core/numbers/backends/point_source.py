"""The source of a closed form at one point, with the tests of its domain, for Python floats and for numba."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from theory.core.numbers.backends import number_backend
from theory.core.numbers.backends.source import Source

if TYPE_CHECKING:
    from theory.core.formula.form import Form


def point_source(
    form: Form, validate: bool, functions: Mapping[str, Any] | None = None
) -> tuple[Source, str]:
    """Return the source of a function of the arguments, floats in their order, and its name.

    Args:
        form: the closed form.
        validate: whether the value is NaN outside of the domains or where a condition is violated.
        functions: the functions of numbers by name. Default: those of Python floats.

    Raises:
        NotImplementedError: if one number at a time is not enough, as for an integral, or a function is lacking.
    """
    symbols = [argument.symbol for argument in form.arguments]
    backend: Any = number_backend
    if functions is not None:
        backend = SimpleNamespace(
            **{**vars(number_backend), "functions": lambda: functions, "NAME": "numba"}
        )
    source = Source(backend, {})
    names = list(source.names_of(symbols).values())
    call = f"({', '.join(names)})"
    lines = [f"value = {source.function(form.expression, symbols)}{call}"]
    if validate:
        tests = []
        for argument, name in zip(form.arguments, names, strict=True):
            tests += argument.allowed.tests(name, "floor({0}) == {0}")
        for condition in form.conditions:
            tests.append(
                f"{source.function(condition.gap, symbols)}{call} {'>' if condition.strict else '>='} 0.0"
            )
        lines.append(f"is_inside = ({') & ('.join(tests)})")  # without branches, for numba
        lines.append("return value if is_inside else nan")
    else:
        lines.append("return value")
    return source, source.defined(names, lines)
