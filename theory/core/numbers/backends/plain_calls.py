"""The numpy function of a closed form at Python numbers and float64 arrays: it computes or declines.

Where an argument may be outside its domain, a condition violated or the result not finite, it returns None. The caller
then repeats the call in the general way, which converts arguments and gives the value or the error message.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from theory.core.formula.rounding import compensated, watched
from theory.core.numbers.backends import numpy_backend
from theory.core.numbers.backends.point_source import point_source

if TYPE_CHECKING:
    from theory.core.formula.allowed import Domain
    from theory.core.formula.form import Form

_DOUBLE = np.dtype(np.float64)
_EXACT = 2**53  # integers below it are floats
# entries of an array up to which OpenBLAS uses one thread; waiting for another may take a thousand times as long
_LARGEST_PRODUCT = 10_000


def plain_calls(
    form: Form, body: Callable[..., Any], gaps: Sequence[Callable[..., Any]], validate: bool
) -> Callable[[Sequence[Any]], Any]:
    """Return the function of the values of all arguments, in their order, which returns a value or None.

    Args:
        form: the closed form.
        body: its expression as a function of arrays.
        gaps: the gaps of its conditions as functions of arrays.
        validate: whether to test arguments, conditions and the result.
    """
    if form.expression.has(sp.Integral) or form.expression.is_Symbol or not form.arguments:
        return lambda given: None
    strict = [condition.strict for condition in form.conditions]
    domains = [argument.allowed for argument in form.arguments]
    inside = cache(partial(_inside, domains))
    point = _at_a_point(form, validate)
    in_pairs = form.expression.atoms(compensated) - form.expression.atoms(watched)
    block = numpy_backend.BLOCK_OF_PAIRS if in_pairs else numpy_backend.BLOCK

    @np.errstate(all="ignore")  # half the time of a block in which it holds
    def of_arrays(values: Sequence[Any], size: int) -> Any:
        """Return the values at flat arrays of ``size`` entries and numbers, or None."""
        if not validate:
            return body(*values)
        if not inside(tuple(map(type, values)), size > _LARGEST_PRODUCT)(*values):
            return None
        for gap, is_strict in zip(gaps, strict, strict=True):
            least = numpy_backend.least(gap(*values))
            if not (least > 0 if is_strict else least >= 0):
                return None
        result = body(*values)
        return result if _are_finite(result, result) else None

    def in_blocks(values: Sequence[Any], size: int) -> Any:
        """Return the values at long flat arrays, or None."""
        out = np.empty(size)
        for part in numpy_backend.blocks(size, block):
            values_there = [x[part] if type(x) is np.ndarray else x for x in values]
            result = of_arrays(values_there, part.stop - part.start)
            if result is None:
                return None
            out[part] = result
        return out

    def value(given: Sequence[Any]) -> Any:
        shape, values = _plain_values(given)
        if values is None:
            return None
        try:
            size = 1 if shape is None else math.prod(shape)
            if size == 1:
                number = point([x if type(x) is float else x.item() for x in values])
                if number is not None or shape is None:
                    return number if not shape else np.full(shape, number)
            if shape is not None and len(shape) != 1:
                values = [x.reshape(-1) if type(x) is np.ndarray else x for x in values]
            is_long = size > block
            result = (in_blocks if is_long else of_arrays)(values, size)
            return result if result is None or result.shape == shape else result.reshape(shape)
        # outside of a domain; of floats, a constant
        except (ArithmeticError, AttributeError, TypeError, ValueError):
            return None

    return value


def _plain_values(given: Sequence[Any]) -> tuple[tuple[int, ...] | None, list[Any] | None]:
    """Return the shape of the arrays, None without one, and float64 arrays and Python floats; None for other types."""
    shape, values = None, []
    for x in given:
        kind = type(x)
        if kind is np.ndarray:
            if x.dtype is not _DOUBLE or (shape is not None and x.shape != shape):
                return shape, None
            shape = x.shape
            values.append(x)
        elif kind is float or kind is np.float64 or (kind is int and -_EXACT < x < _EXACT):
            values.append(float(x))
        else:
            return shape, None
    return shape, values


def _inside(
    domains: Sequence[Domain], kinds: Sequence[type], is_long: bool
) -> Callable[..., bool]:
    """Return the function of values, flat arrays and floats, that says whether all are in their domains.

    It is one line of Python without loops, since a loop takes as long as the tests of a small array. A sum of products
    of all arrays is finite only if all their entries are, so that each array is read once.

    Args:
        domains: the domains of the arguments.
        kinds: the types of the values, of which at least one is an array.
        is_long: whether the arrays are too long for one product.
    """
    names = [f"x{index}" for index in range(len(domains))]
    arrays = [name for name, kind in zip(names, kinds, strict=True) if kind is np.ndarray]
    factors = list(zip_longest(arrays[::2], arrays[1::2], fillvalue=arrays[0]))
    tests = [f"are_finite({x}, {y})" for x, y in factors]
    if not is_long:
        total = " + ".join(f"{x}.dot({y})" for x, y in factors)
        tests = [f"(isfinite({total}) or {' and '.join(tests)})"]
    for domain, name, kind in zip(domains, names, kinds, strict=True):
        if kind is not np.ndarray:
            tests += domain.tests(name)
            continue
        if domain.sign:
            end, is_allowed = ("argmin", ">") if domain.sign > 0 else ("argmax", "<")
            or_zero = "=" if domain.has_low or domain.has_high else ""
            tests.append(f"{name}.item({name}.{end}()) {is_allowed}{or_zero} 0.0")
        if domain.is_integer:
            tests.append(f"whole({name})")
        if domain.is_nonzero:
            tests.append(f"nonzero({name})")
    scope = {
        "are_finite": _are_finite,
        "isfinite": math.isfinite,
        "whole": numpy_backend.whole,
        "nonzero": numpy_backend.nonzero,
        "inf": math.inf,
    }
    test: Callable[..., bool] = eval(f"lambda {', '.join(names)}: {' and '.join(tests)}", scope)
    return test


def _are_finite(x: Any, y: Any) -> bool:
    """Return whether all entries of two flat arrays of one length are finite, by one pass if nothing overflows."""
    if x.size <= _LARGEST_PRODUCT:
        total = x.dot(y)
    else:
        parts = [slice(at, at + _LARGEST_PRODUCT) for at in range(0, x.size, _LARGEST_PRODUCT)]
        total = sum(x[part].dot(y[part]) for part in parts)
    return math.isfinite(total) or bool((np.isfinite(x) & np.isfinite(y)).all())


def _at_a_point(form: Form, validate: bool) -> Callable[[Sequence[float]], np.float64 | None]:
    """Return the function of the values of all arguments, Python floats; it is compiled when it is first called.

    Arrays of one number are points, too: a call of numpy takes as long as a formula of floats.
    """

    @cache
    def function() -> Callable[..., float] | None:
        try:
            source, name = point_source(form, validate)
        except NotImplementedError:  # left to arrays
            return None
        compiled: Callable[..., float] = source.functions()[name]
        return compiled

    def value(values: Sequence[float]) -> np.float64 | None:
        compiled = function()
        if compiled is None:
            return None
        number = compiled(*values)
        return np.float64(number) if -math.inf < number < math.inf else None

    return value
