"""The function of a closed form at many points, in float64: it computes or declines, as ``single_point`` does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from theory.core.numbers.backends.array_program import ArrayProgram
from theory.core.numbers.backends.program_code import Test

if TYPE_CHECKING:
    from theory.core.formula.closed_form import ClosedForm
    from theory.core.formula.domain import Argument

_DOUBLE = np.dtype(np.float64)
_NUMBERS = {float, int, np.float64}


def many_points(
    form: ClosedForm, body: Callable[..., Any], gaps: Sequence[Callable[..., Any]], validate: bool
) -> Callable[..., np.ndarray | None]:
    """Return a function of the form's arguments, each a number or an array, that returns an array or None."""
    if form.expression.has(sp.Integral):
        return declined
    strict = [condition.strict for condition in form.conditions]
    tests = checks(form.arguments, list(zip(gaps, strict, strict=True))) if validate else ()
    programs: dict[tuple[Any, ...], Callable[..., Any]] = {}

    def value(*given: Any) -> np.ndarray | None:
        is_array: tuple[Any, ...] = tuple(map(type, given))
        arrays, numbers = given, []
        if is_array.count(np.ndarray) < len(given):
            is_array = tuple([kind is np.ndarray for kind in is_array])
            arrays = tuple([x for x in given if type(x) is np.ndarray])
            numbers = [x for x in given if type(x) in _NUMBERS]
        if not arrays or len(arrays) + len(numbers) < len(given):
            return None
        shape = arrays[0].shape
        if not _are_plain(arrays, shape):
            return None
        if len(shape) != 1:
            arrays = tuple([x.reshape(-1) for x in arrays])
        if is_array not in programs:
            programs[is_array] = declined
            with suppress(AttributeError, TypeError):  # of an operation that cannot be recorded
                programs[is_array] = ArrayProgram([bool(kind) for kind in is_array], body, tests, validate)
        try:
            result = programs[is_array](arrays, list(map(float, numbers)))
        except (ArithmeticError, NotImplementedError, TypeError, ValueError):
            return None
        return result if result is None else result.reshape(shape)

    return value


def _are_plain(arrays: Sequence[np.ndarray], shape: tuple[int, ...]) -> bool:
    """Return whether arrays are of float64 numbers in the order of memory, of this shape, and not empty."""
    for x in arrays:
        if x.dtype is not _DOUBLE or x.shape != shape or not (len(shape) == 1 or x.flags.c_contiguous):
            return False
    return bool(arrays[0].size)


def declined(*given: Any) -> None:
    """Return None at any arguments."""


def checks(arguments: Sequence[Argument], gaps: Sequence[tuple[Callable[..., Any], bool]]) -> list[Test]:
    """Return the tests of domains and of conditions, of which ``gaps`` has the gap and whether it is strict."""
    tests = [_domain(argument, index) for index, argument in enumerate(arguments)]
    return tests + [Test(gap, "0.0 <" if is_strict else "0.0 <=", "") for gap, is_strict in gaps]


def _domain(argument: Argument, index: int) -> Test:
    """Return the test of an argument."""
    symbol = argument.symbol
    low = "0.0 <" if symbol.is_positive else "0.0 <=" if symbol.is_nonnegative else "-inf <"
    high = "< 0.0" if symbol.is_negative else "<= 0.0" if symbol.is_nonpositive else "< inf"
    is_nonzero = bool(symbol.is_nonzero and not symbol.is_positive and not symbol.is_negative)
    return Test(lambda *arguments: arguments[index], low, high, bool(symbol.is_integer), is_nonzero)
