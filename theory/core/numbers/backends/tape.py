"""Recording of numpy code: called with ``Recorded`` arguments it gives the list of its operations instead of numbers.

The list has every operation once, and changes of sign are moved into additions, neither of which changes a bit.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin


class Operation(NamedTuple):
    """A ufunc or an ``opaque`` function, and for each operand the index of its value on the tape, or a ``Constant``."""

    function: Callable[..., Any]
    operands: tuple[Any, ...]

    @property
    def values(self) -> tuple[int, ...]:
        """Return the indices of those operands that are values of the tape, each once."""
        return tuple({i: None for i in self.operands if not isinstance(i, Constant)})


class Constant(NamedTuple):
    """A number in the code; its kind tells 1 from 1.0, and its text 0.0 from -0.0."""

    kind: type
    text: str
    number: Any


class Tape:
    """The operations of a piece of code; values are numbered, the arguments, which are arrays or numbers, first."""

    def __init__(self, is_array: Sequence[bool]) -> None:
        self.is_array = list(is_array)  # for each value, also of the operations
        self.arguments = [Recorded(self, index) for index in range(len(self.is_array))]
        self.operations: list[Operation] = []
        self._known: dict[Operation, int] = {}

    def values(self, function: Callable[..., Any]) -> list[int]:
        """Call a function of all arguments with recorded values and return the indices of its one or more results."""
        result = function(*self.arguments)
        results = result if isinstance(result, tuple) else (result,)
        return [(r if isinstance(r, Recorded) else self.note(np.positive, (r,))).index for r in results]

    def note(self, function: Callable[..., Any], operands: tuple[Any, ...]) -> Recorded:
        """Append an operation, unless it is on the tape, and return its value; TypeError for other operands."""
        if function in _SIGNED and len(operands) == 2:
            moved = self._without_signs(function, *operands)
            if moved is not None:
                return moved
        operation = Operation(function, tuple(map(self.operand, operands)))
        if operation not in self._known:
            self._known[operation] = len(self.is_array)
            self.operations.append(operation)
            self.is_array.append(any(self.is_array[index] for index in operation.values))
        return Recorded(self, self._known[operation])

    def _without_signs(self, function: Callable[..., Any], a: Any, b: Any) -> Any:
        """Return ``function(a, b)`` with the sign of a negated operand moved, or None if no operand is negated."""
        minus_a, minus_b = self._negated(a), self._negated(b)
        if function is np.add:
            if minus_b is not None:
                return self.note(np.subtract, (a, minus_b))
            return None if minus_a is None else self.note(np.subtract, (b, minus_a))
        if function is np.subtract:
            return None if minus_b is None else self.note(np.add, (a, minus_b))
        if minus_a is not None:
            return self.note(function, (minus_a, -b)) if _is_number(b) else -self.note(function, (minus_a, b))
        if minus_b is not None:
            return self.note(function, (-a, minus_b)) if _is_number(a) else -self.note(function, (a, minus_b))
        return None

    def _negated(self, value: Any) -> Any:
        """Return the array whose negative this is, or None; the sign of a number costs nothing where it is."""
        if not isinstance(value, Recorded) or value.index < len(self.arguments) or not self.is_array[value.index]:
            return None
        function, operands = self.operations[value.index - len(self.arguments)]
        return Recorded(self, operands[0]) if function is np.negative and isinstance(operands[0], int) else None

    def operand(self, value: Any) -> Any:
        """Return the index of a value of this tape, or a number as a ``Constant``."""
        if isinstance(value, Recorded) and value.tape is self:
            return value.index
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return Constant(type(value), repr(value), value)
        raise TypeError(f"an operation on {type(value).__name__} cannot be recorded")


_SIGNED = {np.add, np.subtract, np.multiply, np.divide}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float))


class Recorded(NDArrayOperatorsMixin):
    """A value of a tape, which records the operators and ufuncs that are applied to it."""

    __slots__ = ("index", "tape")

    def __init__(self, tape: Tape, index: int) -> None:
        self.tape, self.index = tape, index

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *operands: Any, **options: Any) -> Any:
        if method != "__call__" or options or ufunc.nout != 1:
            return NotImplemented
        return self.tape.note(ufunc, operands)

    def __bool__(self) -> bool:
        raise TypeError("the truth of a recorded value is not known")


def opaque(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of arrays such that a tape records a call of it as one operation."""

    @functools.wraps(function)
    def call(*operands: Any) -> Any:
        for operand in operands:
            if isinstance(operand, Recorded):
                return operand.tape.note(function, operands)
        return function(*operands)

    return call


def fused_as(steps: Callable[..., int]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that gives a function its meaning for the compiled core, a function of a ``Lowered``."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        function.fused = steps  # type: ignore[attr-defined]
        return function

    return decorate


def elementwise(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``opaque(function)`` for a function that takes an array for its result as ``out``, as a ufunc does."""
    _ELEMENTWISE.add(function)
    return opaque(function)


def takes_out(function: Callable[..., Any]) -> bool:
    """Return whether a recorded function can write its result into an array, which may be one of its operands."""
    return isinstance(function, np.ufunc) or function in _ELEMENTWISE


_ELEMENTWISE: set[Callable[..., Any]] = set()
