"""The code of programs for long arrays, written from the operations on a tape.

It is two functions: of the numbers, which computes in advance what depends on them alone, and of the arrays, which
writes the results of ufuncs into buffers and uses a buffer again when its value is not needed any more. The first is
written twice, for Python floats, whose operations take half the time, and for numbers and arrays of numpy.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from theory.core.numbers.backends.tape import Constant, Tape, takes_out

_OPERATORS = {np.add: "+", np.subtract: "-", np.multiply: "*", np.divide: "/"}
_OF_FLOATS: dict[Callable[..., Any], str] = {
    np.negative: "-{0}",
    np.absolute: "abs({0})",
    np.sqrt: "root({0})",
    np.sign: "sign({0})",
    np.equal: "{0} == {1}",
}


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
    "root": math.sqrt,
    "sign": lambda x: x if x == 0 or x != x else math.copysign(1.0, x),
}


def compiled(
    tape: Tape,
    results: Sequence[int],
    checks: Sequence[tuple[int, int, Test]] = (),
    overwrites: bool = False,
) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any], int]:
    """Return the functions of Python floats, of numpy's numbers and of a block of arrays, and the number of buffers.

    The first two take the arguments that are numbers and return a tuple, or None where a test fails; that of floats
    raises an error where numpy gives an infinity or NaN. The third takes arrays for the results, the arguments that are
    arrays, that tuple and the buffers, and returns whether all tests are passed.

    Args:
        tape: the operations.
        results: the values to compute.
        checks: tests, with the number of operations before each and the value that it tests. Default: none.
        overwrites: whether arguments that are arrays may be used as buffers. Default: False.
    """
    first = len(tape.arguments)
    is_array = tape.is_array
    needed = _needed(tape, [*results, *(value for _, value, _ in checks)])
    last_use: dict[int, float] = {}
    for index, operation in enumerate(tape.operations):
        if first + index not in needed:
            continue
        # The result of an opaque function may share the memory of its operands, whose buffers are therefore kept.
        keeps = not takes_out(operation.function)
        for value in operation.values:
            last_use[value] = math.inf if keeps else max(index, last_use.get(value, 0))
    for position, value, _ in checks:
        last_use[value] = max(position, last_use.get(value, 0))

    last_use.update(dict.fromkeys(results, math.inf))
    outputs = {value: f"out{index}" for index, value in enumerate(results)}

    names: dict[str, Any] = dict(NAMES)
    # The name of each value: an argument, a number, an array or, with "b", a buffer.
    place = [f"b_{i}" if overwrites and is_array[i] else f"v{i}" for i in range(first)]
    in_advance: list[str] = []
    of_floats: list[str] = []
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
                for lines in (in_advance, of_floats):
                    lines.append(f"if not ({test.of_number.format(place[value])}): return None")

    for index, operation in enumerate(tape.operations):
        write_tests(index)
        target = first + index
        if target not in needed:
            place.append("")
            continue
        operands = [name("c", i.number) if isinstance(i, Constant) else place[i] for i in operation.operands]
        # The first operand is last, so that its buffer is taken first.
        free += [place[i] for i in reversed(operation.values) if last_use[i] == index and place[i].startswith("b")]
        called = name("f", operation.function)
        if is_array[target] and takes_out(operation.function):
            if target in outputs:
                place.append(outputs[target])
            elif free:
                place.append(free.pop())
            else:
                place.append(f"b{buffers}")
                buffers += 1
            in_blocks.append(f"{called}({', '.join(operands)}, out={place[target]})")
        else:
            place.append(f"v{target}")
            call = f"v{target} = {_call(operation.function, called, operands)}"
            if is_array[target]:
                in_blocks.append(call)
            else:
                in_advance.append(call)
                code = _OF_FLOATS.get(operation.function)
                of_floats.append(f"v{target} = {code.format(*operands)}" if code else call)
    write_tests(len(tape.operations))
    for index, value in enumerate(results):
        if place[value] != f"out{index}":
            in_blocks.append(f"out{index}[...] = {place[value]}")
    in_blocks.append("return True")

    arrays = [place[i] for i in range(first) if is_array[i]]
    used = {i for index, operation in enumerate(tape.operations) if is_array[first + index] for i in operation.values}
    numbers = [place[i] for i in sorted(used | set(results)) if not is_array[i] and place[i]]
    for lines in (in_advance, of_floats):
        lines.append(f"return ({''.join(f'{number}, ' for number in numbers)})")
    given = [place[i] for i in range(first) if not is_array[i]]
    parameters = [
        *(f"out{index}" for index in range(len(results))),
        *arrays,
        *numbers,
        *(f"b{i}" for i in range(buffers)),
    ]
    of_numbers, of_any_numbers = (_function(given, lines, names) for lines in (of_floats, in_advance))
    return of_numbers, of_any_numbers, _function(parameters, in_blocks, names), buffers


def function_of_floats(function: Callable[..., Any], arguments: int) -> Callable[..., tuple[float, ...]]:
    """Return a function of Python floats without objects or calls in its code, which returns a tuple of its values.

    Args:
        function: function of values of a tape that returns one of them or a tuple of several.
        arguments: number of arguments.
    """
    tape = Tape([False] * arguments)
    results = tape.values(function)
    return compiled(tape, results)[0]


def _call(function: Callable[..., Any], name: str, operands: Sequence[str]) -> str:
    """Return the code of an operation on numbers, for which operators are faster than ufuncs."""
    if function in _OPERATORS and len(operands) == 2:
        return f"{operands[0]} {_OPERATORS[function]} {operands[1]}"
    return f"{name}({', '.join(operands)})"


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
