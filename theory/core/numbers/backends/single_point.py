"""The function of a closed form at a single point, given by Python floats: it computes or declines, but never explains.

Where an argument may be outside its domain, a condition violated or the result not finite, the function returns None.
The caller then repeats the call with arrays, which gives the value or the error message.
"""

from __future__ import annotations

import keyword
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from closedform import compiled
from theory.core.numbers.backends import float_backend
from theory.core.numbers.backends.compiler import compile_expression
from theory.core.numbers.backends.many_points import checks, declined

if TYPE_CHECKING:
    from theory.core.formula.closed_form import ClosedForm
    from theory.core.formula.domain import Argument


_NUMBERS = {float, int}  # of Python; a bool is refused, and numbers of numpy may have another precision
_EXACT = 2**53  # integers below it are floats
# Processor seconds that machine code saves per call and takes to translate: 20,000 calls, however long the expression.
SAVED, TRANSLATION = 1e-6, 0.02
MANY = 100_000  # calls after which none are counted


def of_numbers(
    form: ClosedForm, validate: bool, general: Callable[..., Any], ready: Callable[[], Any]
) -> Callable[..., Any]:
    """Return a function that computes at Python numbers by ``single_point``, and at all else as ``general`` does.

    ``ready`` returns the compiled expression of the numpy backend and the compiled parts of the conditions.
    """
    names = [argument.name for argument in form.arguments]
    scope: dict[str, Any] = {"_missing": object(), "_general": general, "_numbers": _NUMBERS}
    if not names or any(keyword.iskeyword(name) or name.startswith("_") for name in names):
        return general

    account, calls, interpreted = compiled.Account(TRANSLATION), 0, None

    def first(*point: float) -> float | None:
        nonlocal calls, interpreted
        calls, interpreted = calls + 1, interpreted or single_point(form, validate)
        if compiled.choice == "off" or calls == MANY or interpreted is declined:
            scope["_single"] = interpreted
        elif account.pays(SAVED):
            scope["_single"], scope["_plain"] = _translated(form, validate, *ready()) or interpreted, interpreted
        return interpreted(*point)

    def converted(*point: float) -> float | None:
        try:
            return scope["_single"](*map(float, point))
        except OverflowError:  # an integer beyond the range of floats
            return None

    scope |= {"_single": first, "_converted": converted, "_float": float, "_int": int, "_type": type, "_map": map}
    scope |= {"_plain": declined, "_double": np.float64}
    given = ", ".join(names)
    counts = [argument.name for argument in form.arguments if argument.symbol.is_integer]
    others = [f"_type({name})" for name in names if name not in counts]
    tests = [f"_type({name}) is _int and -{_EXACT} < {name} < {_EXACT}" for name in counts]
    if others:
        tests.append(" is ".join((*others, "_float")))
    point = ", ".join(f"_float({name})" if name in counts else name for name in names)
    lines = [
        f"def function({', '.join(f'{name}=_missing' for name in names)}, *_rest, **_named):",
        " if not _rest and not _named:",
        f"  if {' and '.join(tests)}:",
        f"   _value = _single({point})",
        f"   if _value is None: _value = _plain({point})",
        "   if _value is not None: return _double(_value)",
        f"  elif _type({names[0]}) in _numbers and _numbers.issuperset(_map(_type, ({given},))):",
        f"   _value = _converted({given})",
        "   if _value is not None: return _double(_value)",
        f" if {' and '.join(f'{name} is not _missing' for name in names)}:",
        f"  return _general({given}, *_rest, **_named)",
        f" _given = {{{', '.join(f'{name!r}: {name}' for name in names)}}}",
        " return _general(*_rest, **{_name: _x for _name, _x in _given.items() if _x is not _missing}, **_named)",
    ]
    exec("\n".join(lines), scope)
    return scope["function"]


def _translated(form: ClosedForm, validate: bool, body: Callable[..., Any], conditions: Sequence[Any]) -> Any:
    """Return the function that ``single_point`` does as machine code, or None where it cannot be translated."""
    from theory.core.numbers.compiled.one_point import one_point

    gaps = [(gap, condition.strict) for condition, gap, _ in conditions]
    try:
        return one_point(len(form.arguments), body, checks(form.arguments, gaps) if validate else ())
    except (AttributeError, NotImplementedError, TypeError):
        return None


def single_point(form: ClosedForm, validate: bool) -> Callable[..., float | None]:
    """Return a function of the form's arguments, all Python floats in order, that returns a number or None."""
    symbols = [argument.symbol for argument in form.arguments]
    try:
        if form.expression.has(sp.Integral):
            return declined
        bodies = form.__dict__.get("_of_floats") or [
            compile_expression(expression, symbols, float_backend)
            for expression in (form.expression, *(condition.gap for condition in form.conditions))
        ]
        form.__dict__["_of_floats"] = bodies  # with and without checks
    except (NotImplementedError, TypeError):  # left to the numpy backend
        return declined
    names = [f"a{index}" for index in range(len(symbols))]
    given = ", ".join(names)
    lines = [f"if not ({_domain(form.arguments, names)}): return None"]
    for index, condition in enumerate(form.conditions, start=1):
        lines.append(f"if not body{index}({given}) {'>' if condition.strict else '>='} 0: return None")
    lines = [*lines, "result = body0({given})", "return result if -inf < result < inf else None"]
    lines = lines if validate else ["return float(body0({given}))"]
    code = [f"def value({given}):", " try:", *(f"  {line}" for line in lines), " except errors: return None"]
    scope: dict[str, Any] = {f"body{index}": body for index, body in enumerate(bodies)}
    scope |= {"inf": math.inf, "errors": (ArithmeticError, ValueError, TypeError)}
    exec("\n".join(code).format(given=given), scope)
    return scope["value"]


def domain(arguments: Sequence[Argument]) -> Callable[..., bool]:
    """Return a function of floats that compares each with its domain, compiled to one chain of comparisons."""
    names = [f"a{index}" for index in range(len(arguments))]
    return eval(f"lambda {', '.join(names)}: {_domain(arguments, names)}", {"inf": math.inf})


def _domain(arguments: Sequence[Argument], names: Sequence[str]) -> str:
    """Return the code of these comparisons."""
    tests = [test.of_number(name) for test, name in zip(checks(arguments, ()), names, strict=True)]
    return " and ".join(tests) or "True"
