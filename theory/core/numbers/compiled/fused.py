"""The call of a lowered program: addresses of arrays, memory for other values, loops and the calls of numpy between."""

import math
import sys
from collections.abc import Callable, Sequence
from ctypes import addressof, c_double, c_int64
from typing import Any, NamedTuple

import numpy as np

from theory.core.numbers.backends.tape import takes_out
from theory.core.numbers.compiled.loops import COLUMNS, loop
from theory.core.numbers.compiled.lowering import Lowered

BLOCK = 20480  # points of a long array that numpy's functions get at once
APART = 72  # buffers at distances of a power of two would compete for the same lines of the cache


class Fused:
    """A lowered program that can be called; ``scalars`` are the inputs that are one number in each row: ``[row]``."""

    def __init__(self, lowered: Lowered, scalars: Sequence[int]) -> None:
        self._lowered = lowered
        self._given = len(lowered.inputs) + len(lowered.results)
        index = {v: i for i, v in enumerate([*lowered.inputs, *lowered.results])}
        index |= {value: self._given + buffer for value, buffer in lowered.buffers.items()}
        self._buffers = len(set(lowered.buffers.values()))
        self._stages = []
        for stage in lowered.stages:
            calls = [(function, takes_out(function), _Value(index[result]),
                      [lowered.constants[v] if v in lowered.constants else _Value(index[v], v in scalars)
                       for v in operands]) for function, result, operands in stage.calls]  # fmt: skip
            run = loop(lowered, stage, index, set(scalars)) if stage.steps else None
            self._stages.append((calls, run))
        self._calls = sum(len(calls) for calls, _ in self._stages)
        self._free: list[_Memory] = []  # a call takes one away while it runs

    def __call__(self, results: np.ndarray, inputs: Sequence[Any], rows: int = 0, group: int = 1) -> bool:
        """Write the values into ``[result, point]`` or ``[result, row, point]``; return whether all tests are passed.

        What depends on sums over ``rows`` is ``[result, point]``; a ``group`` is added at once, and then these sums.
        """
        columns, is_tile = results.shape[-1], rows > 0 or results.ndim > 2
        rows = rows or (len(results[0]) if is_tile else 1)
        size = columns if is_tile or not self._lowered.buffers else -(-columns // -(-columns // BLOCK))
        try:
            memory = self._free.pop()
        except IndexError:
            memory = _Memory(len(self._lowered.inputs), self._given, self._buffers)
        memory.hold(inputs, results, (rows, size) if is_tile else (size,))
        try:
            if self._calls:
                with np.errstate(all="ignore"):
                    return self._run(memory, rows, columns, size, group)
            return self._run(memory, rows, columns, size, group)
        finally:
            memory.release()
            self._free.append(memory)

    def tiles(self, result: np.ndarray, inputs: Sequence[Any]) -> Callable[[int, int, int, int], bool]:
        """Return a function that writes the values into a tile of a matrix, from its top, left, rows and columns.

        It returns whether all tests are passed. The first input, and the result if not the matrix, are ``[number]`` for
        one tile of at least eight columns after another; others are numbers, ``[row, 1]`` or ``[1, column]``.
        """
        memory, arrays = _Memory(self._given, self._given, self._buffers), [*inputs, result]
        memory.hold(inputs, result[None], ())
        memory.held, table = list(arrays), memory.table
        own = [place for place, x in enumerate(arrays) if np.ndim(x) == 1]
        moved = [(COLUMNS * place, table[COLUMNS * place], x.strides[0] * (len(x) > 1), 8 * (x.shape[1] > 1))
                 for place, x in enumerate(arrays) if np.ndim(x) == 2]  # fmt: skip
        values = (x for calls, _ in self._stages for _, _, out, operands in calls for x in (out, *operands))
        in_calls = {x.place for x in values if type(x) is _Value and x.place < self._given}

        def write(top: int, left: int, rows: int, columns: int) -> bool:
            for at, first, down, right in moved:
                table[at] = first + top * down + left * right
            for place in own:
                table[COLUMNS * place + 1] = 8 * columns
            for place in in_calls:
                memory.held[place] = _tile(arrays[place], top, left, rows, columns)
            memory.give((rows, columns))
            return self._run(memory, rows, columns, columns, 1)

        return write

    def _run(self, memory: "_Memory", rows: int, columns: int, size: int, group: int) -> bool:
        """Do all stages, block by block."""
        for start in range(0, columns, size):
            count = min(size, columns - start)
            for calls, run in self._stages:
                for function, is_in_place, result, operands in calls:
                    values = [memory.part(x, start, count) if type(x) is _Value else x for x in operands]
                    out = memory.part(result, start, count)
                    if is_in_place:
                        function(*values, out=out)
                    else:
                        out[...] = function(*values)
                if run is not None and not run(memory.address, start, rows, count, group):
                    return False
        return True


def _reads_head() -> bool:
    """Return whether the address stands behind the head of the object, as in numpy's binary interface for CPython."""
    if sys.implementation.name != "cpython":
        return False
    whole = np.zeros(4)
    heads = [c_int64.from_address(id(part) + object.__basicsize__).value for part in (whole, whole[2:])]
    return heads == [part.__array_interface__["data"][0] for part in (whole, whole[2:])]


def _address(array: np.ndarray) -> int:
    """Return the address of the first number, by what :data:`_READS_HEAD` found on this interpreter."""
    if _READS_HEAD:
        return c_int64.from_address(id(array) + object.__basicsize__).value
    return int(array.__array_interface__["data"][0])


_READS_HEAD = _reads_head()


def _tile(x: Any, top: int, left: int, rows: int, columns: int) -> Any:
    if np.ndim(x) < 2:
        return x[: rows * columns].reshape(rows, columns) if np.ndim(x) else x
    top, left = top if len(x) > 1 else 0, left if x.shape[1] > 1 else 0
    return x[top : top + rows, left : left + columns]


class _Value(NamedTuple):
    """A value that a call of numpy reads or writes, and whether it is one number in each row."""

    place: int
    is_scalar: bool = False


class _Memory:
    """The arrays and numbers of one call, and the table in which the loops find them."""

    def __init__(self, inputs: int, given: int, buffers: int) -> None:
        self._inputs, self._given = inputs, given
        self._numbers = (c_double * inputs)()
        self._first = addressof(self._numbers)
        self.table: Any = (c_int64 * (COLUMNS * (given + buffers)))()
        self.address = addressof(self.table)
        self.held: Any = ()
        self._results: Any = None
        self._buffers: list[np.ndarray] = []
        self._shape: tuple[int, ...] = ()
        self._memory = np.empty((buffers, 0))
        self._rows: list[np.ndarray] = []

    def hold(self, given: Sequence[Any], results: np.ndarray, shape: tuple[int, ...]) -> None:
        """Take the inputs and results of a call, with buffers of this shape."""
        entries: list[int] = []
        for index, value in enumerate(given):
            if type(value) is not np.ndarray:
                self._numbers[index] = value
                entries += (self._first + 8 * index, 0, 0)
            elif value.strides == (8,):  # most arrays
                entries += (_address(value), 0, 8)
            else:
                if value.strides[-1] != 8 and value.shape[-1] > 1:
                    given = [*given[:index], value := np.ascontiguousarray(value), *given[index + 1 :]]
                entries += (_address(value), value.strides[0] if value.ndim > 1 and value.shape[0] > 1 else 0, 8)
        address, (step, *above, _) = _address(results), results.strides
        for index in range(len(results)):
            entries += (address + index * step, above[0] if above else 0, 8)
        self.table[: len(entries)] = entries
        self.held, self._results = given, results
        self.give(shape)

    def give(self, shape: tuple[int, ...]) -> None:
        """Give the buffers a shape."""
        if shape != self._shape:
            self._shape, points = shape, math.prod(shape)
            if self._memory.shape[1] < points:
                self._memory = np.empty((len(self._memory), points + APART))
                self._rows = list(self._memory)
            self._buffers = [row[:points].reshape(shape) for row in self._rows]
            for index, row in enumerate(self._rows, self._given):
                self.table[COLUMNS * index : COLUMNS * index + 2] = [_address(row), 8 * shape[-1]]

    def release(self) -> None:
        """Forget the arrays of the call, which their owners may want to free."""
        self.held, self._results = (), None

    def part(self, value: _Value, start: int, count: int) -> Any:
        """Return what a call of numpy reads or writes: all of a tile, or the points of a block."""
        is_tile = len(self._shape) > 1
        if value.place >= self._given:
            buffer = self._buffers[value.place - self._given]
            return buffer if is_tile else buffer[:count]
        of = self.held[value.place] if value.place < self._inputs else self._results[value.place - self._inputs]
        if is_tile:
            return of[:, None] if value.is_scalar and np.ndim(of) == 1 else of
        return of[start : start + count] if np.ndim(of) else of
