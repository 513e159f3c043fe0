"""Programs for long arrays: the operations of a compiled expression, written into buffers that are used again.

Temporary arrays cost more than the operations on them, because each of them is new memory. A program takes a block of
points through all operations in a few buffers that stay in the cache, makes its tests of the block while it is there,
and computes what depends only on numbers once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from theory.core.backends.recording import Constant, Tape

_BLOCK = 20480  # points
_ROW = _BLOCK + 72  # buffers at distances of a power of two would compete for the same lines of the cache
_WORKSPACES: list[np.ndarray] = []  # free buffers [buffer, point]; a program takes one away while it runs


class Test(NamedTuple):
    """A test that a program makes of a value.

    Args:
        value: function of all arguments of the program.
        of_array: Python code, true where the array ``{0}`` is allowed. It may use the names of ``NAMES``.
        of_number: the same for a number.
    """

    value: Callable[..., Any]
    of_array: str
    of_number: str


NAMES = {
    "least": np.minimum.reduce,
    "largest": np.maximum.reduce,
    "floor": np.floor,
    "bits": np.uint64,
    "inf": math.inf,
}


class Program:
    """A function of arguments some of which are arrays of one length and the others numbers.

    Args:
        is_array: for each argument whether it is an array. At least one is.
        body: function of all arguments, which computes the values with operators, ufuncs and opaque functions.
        tests: tests of the arguments and of functions of them.
        of_result: Python code that is true where the result ``{0}`` is allowed. Default: always.

    Raises:
        TypeError: if the operations of a function cannot be recorded.
    """

    def __init__(
        self, is_array: Sequence[bool], body: Callable[..., Any], tests: Sequence[Test] = (), of_result: str = "True"
    ) -> None:
        tape = Tape(len(is_array))
        checks = []
        for test in tests:
            value = tape.value(test.value)
            checks.append((len(tape.operations), value, test))
        self._prepare, self._block, self._buffers = _compiled(tape, is_array, tape.value(body), checks, of_result)

    def __call__(self, arrays: Sequence[np.ndarray], numbers: Sequence[np.float64]) -> np.ndarray | None:
        """Return the values at the points, float64 [point], or None if a test fails.

        Args:
            arrays: the arguments that are arrays, each float64 [point].
            numbers: the others.
        """
        in_advance = self._prepare(*numbers)
        if in_advance is None:
            return None
        size = arrays[0].size
        out = np.empty(size)
        workspace = _WORKSPACES.pop() if _WORKSPACES else np.empty((self._buffers, _ROW))
        if len(workspace) < self._buffers:
            workspace = np.empty((self._buffers, _ROW))
        try:
            if size <= _BLOCK:
                return out if self._block(out, *arrays, *in_advance, *workspace[: self._buffers, :size]) else None
            length = -(-size // -(-size // _BLOCK))
            for start in range(0, size, length):
                part = slice(start, min(start + length, size))
                buffers = workspace[: self._buffers, : part.stop - start]
                if not self._block(out[part], *[array[part] for array in arrays], *in_advance, *buffers):
                    return None
        finally:
            _WORKSPACES.append(workspace)
        return out


def _compiled(
    tape: Tape, is_array_argument: Sequence[bool], result: int, checks: Sequence[tuple[int, int, Test]], of_result: str
) -> tuple[Callable[..., Any], Callable[..., Any], int]:
    """Return the function of the numbers, that of a block of the arrays, and the number of its buffers."""
    first = len(tape.arguments)
    is_array = list(is_array_argument)
    needed = _needed(tape, [result, *(value for _, value, _ in checks)])
    last_use: dict[int, float] = {result: math.inf}
    for index, operation in enumerate(tape.operations):
        is_array.append(any(is_array[i] for i in operation.values))
        if first + index not in needed:
            continue
        # The result of an opaque function may share the memory of its operands, whose buffers are therefore kept.
        keeps = not isinstance(operation.function, np.ufunc)
        for value in operation.values:
            last_use[value] = math.inf if keeps else max(index, last_use.get(value, 0))
    for position, value, _ in checks:
        last_use[value] = max(position, last_use.get(value, 0))

    names: dict[str, Any] = dict(NAMES)
    place = [f"v{i}" for i in range(first)]  # of each value: the name of an argument, a number, an array or a buffer
    in_advance: list[str] = []
    in_blocks: list[str] = []
    free: list[str] = []
    buffers = 0

    def name(prefix: str, thing: Any) -> str:
        return next((key for key, known in names.items() if known is thing), None) or _added(names, prefix, thing)

    def write_tests(position: int) -> None:
        for where, value, test in checks:
            if where == position and is_array[value]:
                in_blocks.append(f"if not ({test.of_array.format(place[value])}): return False")
            elif where == position:
                in_advance.append(f"if not ({test.of_number.format(place[value])}): return None")

    for index, operation in enumerate(tape.operations):
        write_tests(index)
        target = first + index
        if target not in needed:
            place.append("")
            continue
        operands = [name("c", i.number) if isinstance(i, Constant) else place[i] for i in operation.operands]
        free += [place[i] for i in operation.values if last_use[i] == index and place[i].startswith("b")]
        called = name("f", operation.function)
        if is_array[target] and isinstance(operation.function, np.ufunc):
            if target == result:
                place.append("out")
            elif free:
                place.append(free.pop())
            else:
                place.append(f"b{buffers}")
                buffers += 1
            in_blocks.append(f"{called}({', '.join(operands)}, out={place[target]})")
        else:
            place.append(f"v{target}")
            lines = in_blocks if is_array[target] else in_advance
            lines.append(f"v{target} = {called}({', '.join(operands)})")
    write_tests(len(tape.operations))
    if place[result] != "out":
        in_blocks.append(f"out[...] = {place[result]}")
    in_blocks.append(f"return {of_result.format('out')}")

    arrays = [place[i] for i in range(first) if is_array[i]]
    numbers = [place[i] for i in range(len(is_array)) if not is_array[i] and place[i]]
    in_advance.append(f"return ({''.join(f'{number}, ' for number in numbers)})")
    given = [place[i] for i in range(first) if not is_array[i]]
    parameters = ["out", *arrays, *numbers, *(f"b{i}" for i in range(buffers))]
    return _function(given, in_advance, names), _function(parameters, in_blocks, names), buffers


def _needed(tape: Tape, wanted: Sequence[int]) -> set[int]:
    """Return the values from which the wanted ones are computed, and these."""
    needed = set(wanted)
    for index in range(len(tape.operations) - 1, -1, -1):
        if len(tape.arguments) + index in needed:
            needed.update(tape.operations[index].values)
    return needed


def _added(names: dict[str, Any], prefix: str, thing: Any) -> str:
    names[f"{prefix}{len(names)}"] = thing
    return f"{prefix}{len(names) - 1}"


def _function(parameters: Sequence[str], lines: Sequence[str], names: dict[str, Any]) -> Callable[..., Any]:
    scope = dict(names)
    exec("\n    ".join([f"def function({', '.join(parameters)}):", *lines]), scope)
    return scope["function"]
