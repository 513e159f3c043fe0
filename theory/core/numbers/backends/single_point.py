"""The function of a closed form at a single point, given by Python floats: it computes or declines, but never explains.

Where an argument may be outside its domain, a condition violated or the result not finite, the function returns None.
The caller then repeats the call with arrays, which gives the value or the error message.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from theory.core.numbers.backends import float_backend
from theory.core.numbers.backends.compiler import compile_expression

if TYPE_CHECKING:
    from theory.core.formula.closed_form import ClosedForm
    from theory.core.formula.domain import Argument


def single_point(form: ClosedForm, validate: bool) -> Callable[..., np.float64 | None]:
    """Return a function of the form's arguments, all Python numbers in order, that returns a number or None.

    Args:
        form: the closed form to compute.
        validate: whether to decline invalid arguments and results that are not finite.
    """
    symbols = [argument.symbol for argument in form.arguments]
    try:
        if form.expression.has(sp.Integral):
            return _declined
        body = compile_expression(form.expression, symbols, float_backend)
        gaps = [
            (compile_expression(condition.gap, symbols, float_backend), condition.strict)
            for condition in form.conditions
        ]
    except (NotImplementedError, TypeError):  # left to the numpy backend
        return _declined
    in_domain = domain(form.arguments)

    def value(*given: float) -> np.float64 | None:
        try:
            point = tuple(map(float, given))
            if not validate:
                return np.float64(body(*point))
            if not in_domain(*point):
                return None
            for gap, strict in gaps:
                distance = gap(*point)
                if not (distance > 0 or (distance == 0 and not strict)):
                    return None
            result = body(*point)
            return np.float64(result) if -math.inf < result < math.inf else None
        except (ArithmeticError, ValueError, TypeError):
            return None

    return value


def _declined(*given: float) -> None:
    return None


def domain(arguments: Sequence[Argument]) -> Callable[..., bool]:
    """Return a function of floats that compares each with its domain, compiled to one chain of comparisons."""
    names = [f"a{index}" for index in range(len(arguments))]
    tests = []
    for name, argument in zip(names, arguments, strict=True):
        symbol = argument.symbol
        low = "0.0 <" if symbol.is_positive else "0.0 <=" if symbol.is_nonnegative else "-inf <"
        high = "< 0.0" if symbol.is_negative else "<= 0.0" if symbol.is_nonpositive else "< inf"
        tests.append(f"{low} {name} {high}")
        if symbol.is_integer:
            tests.append(f"{name}.is_integer()")
        if symbol.is_nonzero and not symbol.is_positive and not symbol.is_negative:
            tests.append(f"{name} != 0.0")
    source = f"lambda {', '.join(names)}: {' and '.join(tests) or 'True'}"
    return eval(source, {"inf": math.inf})
