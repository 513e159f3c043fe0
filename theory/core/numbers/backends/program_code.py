"""The code of programs for long arrays, written from the operations on a tape.

One function computes in advance what depends on numbers alone, for Python floats and for numpy; the other writes the
results of ufuncs into buffers, and uses a buffer again when its value is not needed any more.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from theory.core.numbers.backends.tape import Constant, Operation, Tape, takes_out

_OPERATORS = {np.add: "+", np.subtract: "-", np.multiply: "*", np.divide: "/"}
_OF_FLOATS: dict[Callable[..., Any], str] = {
    np.negative: "-{0}",
    np.absolute: "abs({0})",
    np.sqrt: "root({0})",
    np.sign: "sign({0})",
    np.equal: "{0} == {1}",
    np.greater: "{0} > {1}",
}


class Test(NamedTuple):
    """A test of a value, which NaN does not pass: of its ends, and whether it is an integer, or different from zero."""

    value: Callable[..., Any]
    low: str
    high: str = "< inf"
    is_integer: bool = False
    is_nonzero: bool = False

    def of_array(self, name: str) -> str:
        """Return Python code, true where the array of that name is allowed, with the names of ``NAMES``."""
        code = f"{self.low} least({name}) and largest({name}) {self.high}" if self.high else f"{self.low} least({name})"
        if (self.low, self.high) == ("0.0 <=", "< inf"):
            # The bits of the numbers from 0 to inf, as integers, are in the same order; those of others are larger.
            code = f"largest({name}.view(bits)) < {np.float64(np.inf).view(np.uint64)}"
        return code + f" and (floor({name}) == {name}).all()" * self.is_integer + f" and {name}.all()" * self.is_nonzero

    def of_number(self, name: str) -> str:
        """Return the same for a number."""
        more = f" and {name} % 1 == 0" * self.is_integer + f" and {name} != 0" * self.is_nonzero
        return f"{self.low} {name} {self.high}{more}"


NAMES: dict[str, Any] = {
    "least": np.minimum.reduce,
    "largest": np.maximum.reduce,
    "floor": np.floor,
    "bits": np.uint64,
    "inf": math.inf,
    "root": math.sqrt,
    "sign": lambda x: x if x == 0 or x != x else math.copysign(1.0, x),
}


def compiled(
    tape: Tape, results: Sequence[int], checks: Sequence[tuple[int, int, Test]] = (), overwrites: bool = False
) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any], int, list[int]]:
    """Return functions of Python floats, numpy's numbers and a block of arrays; the numbers of buffers and of values.

    The first two take the arguments that are numbers and return a tuple, or None where a test fails; that of floats
    raises an error where numpy gives an infinity or NaN. The third takes arrays for the results, the arguments that are
    arrays, that tuple and the buffers, and returns whether all tests are passed. ``checks`` has the number of
    operations before each test and the value that it tests.
    """
    code = _Code(tape, results, checks, overwrites)
    for index, operation in enumerate(tape.operations):
        code.write_tests(index)
        code.write(index, operation)
    code.write_tests(len(tape.operations))
    return code.functions()


class _Code:
    """The lines of the three functions, written operation by operation, and the name of each value in them."""

    def __init__(
        self, tape: Tape, results: Sequence[int], checks: Sequence[tuple[int, int, Test]], overwrites: bool
    ) -> None:
        self.tape, self.results, self.checks = tape, results, checks
        self.first = len(tape.arguments)
        self.needed = needed(tape, [*results, *(value for _, value, _ in checks)])
        self.last_use = self._last_uses()
        self.outputs = {value: f"out{index}" for index, value in enumerate(results)}
        self.names = dict(NAMES)
        self.place = [f"b_{i}" if overwrites and tape.is_array[i] else f"v{i}" for i in range(self.first)]
        self.in_advance: list[str] = []
        self.of_floats: list[str] = []
        self.in_blocks: list[str] = []
        self.free: list[str] = []
        self.buffers = 0

    def _last_uses(self) -> dict[int, float]:
        """Return the number of the last operation that uses each value, infinite where its buffer is kept."""
        last: dict[int, float] = {}
        for index, operation in enumerate(self.tape.operations):
            if self.first + index in self.needed:
                # The result of an opaque function may share the memory of its operands.
                keeps = not takes_out(operation.function)
                for value in operation.values:
                    last[value] = math.inf if keeps else max(index, last.get(value, 0))
        for position, value, _ in self.checks:
            last[value] = max(position, last.get(value, 0))
        return last | dict.fromkeys(self.results, math.inf)

    def write_tests(self, position: int) -> None:
        """Write the tests that come before the operation at ``position``."""
        for where, value, test in self.checks:
            if where == position and self.tape.is_array[value]:
                self.in_blocks.append(f"if not ({test.of_array(self.place[value])}): return False")
            elif where == position:
                line = f"if not ({test.of_number(self.place[value])}): return None"
                self.in_advance.append(line)
                self.of_floats.append(line)

    def write(self, index: int, operation: Operation) -> None:
        """Write one operation, unless nothing needs its value."""
        target = self.first + index
        if target not in self.needed:
            self.place.append("")
            return
        operands = [self._name("c", i.number) if isinstance(i, Constant) else self.place[i] for i in operation.operands]
        self._free_operands(index, operation)
        function = self._name("f", operation.function)
        is_array = self.tape.is_array[target]
        if is_array and takes_out(operation.function):
            self.place.append(self.outputs.get(target) or self._buffer())
            self.in_blocks.append(f"{function}({', '.join(operands)}, out={self.place[target]})")
            return
        self.place.append(f"v{target}")
        call = f"v{target} = {_call(operation.function, function, operands)}"
        if is_array:
            self.in_blocks.append(call)
        else:
            code = _OF_FLOATS.get(operation.function)
            self.in_advance.append(call)
            self.of_floats.append(f"v{target} = {code.format(*operands)}" if code else call)

    def _name(self, prefix: str, thing: Any) -> str:
        """Return the name of a constant or function in the code."""
        known = next((key for key, value in self.names.items() if value is thing), None)
        name = known or f"{prefix}{len(self.names)}"
        self.names[name] = thing
        return name

    def _free_operands(self, index: int, operation: Operation) -> None:
        """Free the buffers that are used for the last time; the first operand is last, so that its is taken first."""
        for value in reversed(operation.values):
            if self.last_use[value] == index and self.place[value].startswith("b"):
                self.free.append(self.place[value])

    def _buffer(self) -> str:
        """Return a free buffer, or a new one."""
        if self.free:
            return self.free.pop()
        self.buffers += 1
        return f"b{self.buffers - 1}"

    def functions(self) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any], int, list[int]]:
        """Return what ``compiled`` does."""
        copies = [
            f"out{index}[...] = {self.place[value]}"
            for index, value in enumerate(self.results)
            if self.place[value] != f"out{index}"
        ]
        is_array, arguments = self.tape.is_array, range(self.first)
        in_advance = [i for i in self._used_with_arrays() if not is_array[i] and self.place[i]]
        numbers = [self.place[i] for i in in_advance]
        parameters = [
            *(f"out{index}" for index in range(len(self.results))),
            *(self.place[i] for i in arguments if is_array[i]),
            *numbers,
            *(f"b{i}" for i in range(self.buffers)),
        ]
        given = [self.place[i] for i in arguments if not is_array[i]]
        end = f"return ({''.join(f'{number}, ' for number in numbers)})"
        return (
            _function(given, [*self.of_floats, end], self.names),
            _function(given, [*self.in_advance, end], self.names),
            _function(parameters, [*self.in_blocks, *copies, "return True"], self.names),
            self.buffers,
            in_advance,
        )

    def _used_with_arrays(self) -> list[int]:
        """Return the values that are results or operands of operations on arrays, in order."""
        used = set(self.results)
        for index, operation in enumerate(self.tape.operations):
            if self.tape.is_array[self.first + index]:
                used.update(operation.values)
        return sorted(used)


def function_of_floats(function: Callable[..., Any], arguments: int) -> Callable[..., tuple[float, ...]]:
    """Return a function of Python floats without objects or calls in its code, which returns a tuple of its values."""
    tape = Tape([False] * arguments)
    results = tape.values(function)
    return compiled(tape, results)[0]


def _call(function: Callable[..., Any], name: str, operands: Sequence[str]) -> str:
    """Return the code of an operation on numbers, for which operators are faster than ufuncs."""
    if function in _OPERATORS and len(operands) == 2:
        return f"{operands[0]} {_OPERATORS[function]} {operands[1]}"
    return f"{name}({', '.join(operands)})"


def needed(tape: Tape, wanted: Sequence[int]) -> set[int]:
    """Return the values from which the wanted ones are computed, and these."""
    needed = set(wanted)
    for index in range(len(tape.operations) - 1, -1, -1):
        if len(tape.arguments) + index in needed:
            needed.update(tape.operations[index].values)
    return needed


def _function(parameters: Sequence[str], lines: Sequence[str], names: dict[str, Any]) -> Callable[..., Any]:
    scope = dict(names)
    exec("\n    ".join([f"def function({', '.join(parameters)}):", *lines]), scope)
    return scope["function"]
