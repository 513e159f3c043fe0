"""The stages of a tape: operations for one loop of machine code each, and the calls of numpy between them."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from theory.core.numbers.backends.program_code import Test, needed
from theory.core.numbers.backends.tape import Constant, Tape, takes_out

_NAMES: dict[Any, str] = {
    np.add: "fadd",
    np.subtract: "fsub",
    np.multiply: "fmul",
    np.divide: "fdiv",
    np.negative: "fneg",
    np.absolute: "fabs",
    np.sqrt: "sqrt",
    np.sign: "sign",
    np.equal: "equal",
    np.greater: "greater",
    np.positive: "copy",
}
_BOUNDS = {
    "0.0 <": 0.0,
    "0.0 <=": -5e-324,
    "-inf <": -np.inf,
    "< 0.0": 0.0,
    "<= 0.0": 5e-324,
    "< inf": np.inf,
    "": np.inf,
}


class Operation(NamedTuple):
    """An operation of a loop, by its name, or a call of numpy, on values; tests have no result."""

    function: Any
    result: int
    operands: tuple[int, ...]

    @property
    def is_call(self) -> bool:
        """Whether it is a call."""
        return not isinstance(self.function, str)


class Stage(NamedTuple):
    """The calls that come first, then a loop, with the values that it reads and writes."""

    calls: list[Operation]
    steps: list[Operation]
    reads: list[int]
    writes: list[int]


class Lowered:
    """The stages of a tape; its inputs are arrays, then numbers; NotImplementedError if a result is not an array.

    ``numbers`` are computed in advance. Values that a call or a later stage reads have a number of a buffer. ``late``
    are sums over rows and what depends on them.
    """

    def __init__(
        self,
        tape: Tape,
        results: Sequence[int],
        checks: Sequence[tuple[int, int, Test]],
        numbers: Sequence[int],
        is_finite: bool = False,
        is_array: Sequence[bool] | None = None,
    ) -> None:
        self._is_array = is_array or tape.is_array
        self.inputs = [v for v in range(len(tape.arguments)) if self._is_array[v]] + list(numbers)
        self.constants: dict[int, float] = {}
        self.steps: list[Operation] = []
        self.stages: list[Stage] = []
        self.buffers: dict[int, int] = {}
        self.late: set[int] = set()
        self._values = len(tape.is_array)
        value_of = self._record(tape, checks, needed(tape, [*results, *(value for _, value, _ in checks)]))
        self.results: list[int] = []
        for value in results:
            if not self._is_array[value]:
                raise NotImplementedError("a result that is one number")
            result = value_of[value]
            self.results.append(self.step("copy", result) if result in [*self.inputs, *self.results] else result)
        for result in self.results if is_finite else ():
            self.between(result, -np.inf, np.inf)
        self._divide()

    def _record(self, tape: Tape, checks: Sequence[tuple[int, int, Test]], wanted: set[int]) -> list[int]:
        """Append the steps of the operations that are wanted and of the tests; return the value of each on the tape."""
        value_of = list(range(len(tape.is_array)))
        for target, position in enumerate(range(len(tape.operations) + 1), len(tape.arguments)):
            for where, value, test in checks:
                if where == position and self._is_array[value]:
                    self._require(test, value_of[value])
            if target in wanted and self._is_array[target]:
                function, operands = tape.operations[position]
                given = [self.number(i.number) if isinstance(i, Constant) else value_of[i] for i in operands]
                fused = getattr(function, "fused", None)
                value_of[target] = fused(self, *given) if fused else self.step(_NAMES.get(function, function), *given)
        return value_of

    def number(self, number: float) -> int:
        """Return a constant as a value."""
        for value, known in self.constants.items():
            if repr(known) == repr(float(number)):
                return value
        self._values += 1
        self.constants[self._values] = float(number)
        return self._values

    def step(self, function: str | Callable[..., Any], *operands: int) -> int:
        """Append a step and return its value."""
        self._values += 1
        self.steps.append(Operation(function, self._values, operands))
        return self._values

    def between(self, value: int, low: float, high: float) -> None:
        """Append the test that a value is larger than one number and smaller than another."""
        self.step("between", value, self.number(low), self.number(high))

    def _require(self, test: Test, value: int) -> None:
        self.between(value, _BOUNDS[test.low], _BOUNDS[test.high])
        if test.is_integer:
            self.step("integer", value)
        if test.is_nonzero:
            self.step("nonzero", value)

    def _divide(self) -> None:
        """Divide the steps into stages: the value of a call, and what depends on it, belongs to the next one."""
        stage = dict.fromkeys([*self.inputs, *self.constants], 0)
        for step in self.steps:
            stage[step.result] = max(stage[value] for value in step.operands) + step.is_call
            if step.function == "sum" or not self.late.isdisjoint(step.operands):
                self.late.add(step.result)
                if step.is_call:
                    raise NotImplementedError("a function of a sum")
        stage |= dict.fromkeys(self.late, max(stage.values()))
        read: dict[int, int] = {}
        for step in reversed(self.steps):
            if stage[step.result] == 0:
                stage[step.result] = read.get(step.result, 0)
            for value in step.operands:
                read[value] = min(read.get(value, stage[step.result]), stage[step.result] - step.is_call)
        stored = dict.fromkeys(step.result for step in self.steps if step.is_call)
        stored |= {v: None for s in self.steps for v in s.operands if s.is_call or stage[v] != stage[s.result]}
        stored |= dict.fromkeys(self.results)
        for number in range(1 + max(stage.values())):
            here = [step for step in self.steps if stage[step.result] == number]
            self.stages.append(self._stage(here, stored))

        self._share({v for v in stored if v not in {*self.inputs, *self.constants, *self.results}})

    def _share(self, own: set[int]) -> None:
        """Give each of these values a buffer, which is used again when nothing reads the value any more."""
        last = {v: number for number, (calls, steps, _, _) in enumerate(self.stages)
                for step in (*calls, *steps) for v in step.operands}  # fmt: skip
        free: list[int] = []
        for number, stage in enumerate(self.stages):
            for step in stage.calls:
                given = step.operands[0]
                readers = sum(given in other.operands for other in self.steps)
                if step.result in own and given in own and readers == 1 and takes_out(step.function):
                    self.buffers[step.result] = self.buffers[given]  # ufuncs may write over their operands
                    own.discard(given)
            for value in (*(step.result for step in stage.calls), *stage.writes):
                if value in own and value not in self.buffers:
                    self.buffers[value] = free.pop() if free else len(set(self.buffers.values()))
            free += [self.buffers[v] for v in own if v in self.buffers and last.get(v, number) == number]

    def _stage(self, here: Sequence[Operation], stored: Collection[int]) -> Stage:
        steps = [step for step in here if not step.is_call]
        made = {step.result for step in steps}
        reads = dict.fromkeys(v for s in steps for v in s.operands if v not in made and v not in self.constants)
        return Stage([s for s in here if s.is_call], steps, list(reads), [v for v in stored if v in made])
