"""Programs for long arrays: the operations of a compiled expression, written into buffers that are used again.

Temporary arrays cost more than the operations on them. A program takes a block of points through all operations and
tests in a few buffers that stay in the cache, and computes what depends only on numbers once.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from closedform.compiled import LANES, TRANSLATION, Account
from theory.core.numbers.backends.program_code import Test, compiled
from theory.core.numbers.backends.tape import Tape, fused_as, opaque

_BLOCK = 20480  # points
_OF_SUMS = 2**16  # numbers in each array where sums over sets are computed
_ROW = _BLOCK + 72  # buffers at distances of a power of two would compete for the same lines of the cache
CALL = 2e-7  # processor seconds of a call of numpy for a few numbers, which it saves
OWN_CALL = 1e-5  # processor seconds of a call of the compiled core for numbers alone
SAVED = 1e-10  # processor seconds that it saves per operation and point
SAVED_OF_SUMS = 3e-9  # processor seconds that it saves per set and point, next to products of matrices
SAVED_OF_SETS = 5e-10  # processor seconds that it saves per operation on the numbers of a set
TRANSLATED = 2.5e-4  # processor seconds that its translation takes per operation of a long tape
_WORKSPACES: list[np.ndarray] = []  # free buffers [buffer, point]; a program takes one away while it runs


class ArrayProgram:
    """A function of arguments some of which are arrays of one length and the others numbers, with tests of both.

    ``body`` returns a value or a tuple of several; TypeError if its operations cannot be recorded.
    """

    def __init__(
        self, is_array: Sequence[bool], body: Callable[..., Any], tests: Sequence[Test] = (), is_finite: bool = False
    ) -> None:
        tape = Tape(is_array)
        checks = []
        for test in tests:
            (value,) = tape.values(test.value)
            checks.append((len(tape.operations), value, test))
        results = tape.values(body)
        self._results, self._is_finite = len(results), is_finite
        self._of_floats, self._prepare, self._block, self._buffers, numbers = compiled(tape, results, checks)
        self._tape = tape, results, checks, numbers, is_finite
        self._loops: dict[bool, Any] = {}
        self._saved = SAVED * len(tape.operations)
        self._account = Account(max(TRANSLATION, TRANSLATED * len(tape.operations)))
        self._of_numbers_alone = sum(not is_array for is_array in tape.is_array[len(is_array) :])
        self._account_of_sets = Account(max(TRANSLATION, TRANSLATED * self._of_numbers_alone))

    def __call__(
        self, arrays: Sequence[np.ndarray], numbers: Sequence[float], out: np.ndarray | None = None
    ) -> np.ndarray | None:
        """Return the values at the points, float64 [result, point], or None if a test fails."""
        in_advance = self._of_numbers(numbers)
        if in_advance is None:
            return None
        if out is None:
            out = np.empty((self._results, arrays[0].size))
        fused = self._fused() if self._pays(out.shape[1], self._saved * out.shape[1]) else None
        if fused is not None and fused(out, [*arrays, *in_advance]):
            return out
        with np.errstate(all="ignore"), _Workspace(self._buffers) as workspace:
            return out if self._fill(out, arrays, in_advance, workspace) else None

    def of_sets(self, arrays: Sequence[np.ndarray], columns: Sequence[np.ndarray]) -> np.ndarray:
        """Return the values for several sets of numbers, float64 [result, set, point]; there are no tests.

        Arrays are ``[point]`` for all sets, or ``[set, point]``.
        """
        sets, size = columns[0].size, arrays[0].shape[-1]
        out = np.empty((self._results, sets, size))
        in_advance = self._of_columns(columns)
        fused = self._fused() if self._pays(size, self._saved * sets * size) else None
        in_advance = self._prepare(*columns) if in_advance is None else in_advance
        together = max(1, _BLOCK // size)
        with _Workspace(self._buffers) as workspace:
            for begin in range(0, sets, together):
                results = out[:, begin : begin + together]
                chosen = [x[begin : begin + together] if np.ndim(x) else x for x in in_advance]
                places = [x[begin : begin + together] if x.ndim > 1 else x for x in arrays]
                if fused is not None and fused(results, [*places, *chosen]):
                    continue
                if results.shape[1] == 1:
                    places = [x[0] if x.ndim > 1 else x for x in places]
                    self._fill(results[:, 0], places, [x[0] if np.ndim(x) else x for x in chosen], workspace)
                    continue
                buffers = workspace[: self._buffers, : results[0].size].reshape(-1, *results[0].shape)
                self._block(*results, *places, *(x[:, None] if np.ndim(x) else x for x in chosen), *buffers)
        return out

    def sums(self, arrays: Sequence[np.ndarray], columns: Sequence[Any], group: int) -> np.ndarray | None:
        """Return what depends on sums ``over_sets``, ``[result, point]``, or None if numpy should compute it.

        ``group`` sets are added at once, and then these sums. A column may also be one number for all sets.
        """
        sets, size = columns[0].size, arrays[0].size
        fused = self._fused() if self._pays(size, SAVED_OF_SUMS * sets * size) else None
        if fused is None:
            return None
        out = np.empty((self._results, size))
        numbers = self._of_columns(columns) or self._prepare(*columns)
        together = max(LANES, -(-size // -(-size * sets // _OF_SUMS)))
        for begin in range(0, size, together):
            part = slice(max(0, min(begin, size - together)), begin + together)
            if not fused(out[:, part], [*(x[part] for x in arrays), *numbers], sets, group):
                return None
        return out

    def _pays(self, points: int, saved: float) -> bool:
        """Return whether the compiled core pays for so many points, where it saves these seconds and calls of numpy."""
        return points >= LANES and self._account.pays(saved + CALL * len(self._tape[0].operations))

    def _fused(self, is_ahead: bool = False) -> Any:
        """Return the program of the compiled core, or that of the numbers in advance; None if there is none."""
        from theory.core.numbers.compiled import fused, lowering

        if is_ahead not in self._loops:
            self._loops[is_ahead] = None
            tape, *_, numbers, _ = self._tape
            parts: Any = (tape, numbers, [], [], False, [not x for x in tape.is_array]) if is_ahead else self._tape
            with suppress(NotImplementedError):
                self._loops[is_ahead] = fused.Fused(lowering.Lowered(*parts), () if is_ahead else numbers)
        return self._loops[is_ahead]

    def _of_columns(self, columns: Sequence[Any]) -> Sequence[np.ndarray] | None:
        """Return what depends on the numbers of each set alone by the compiled core, if it pays; else None."""
        sets, size = columns[0].size, max(columns[0].size, LANES)
        saved = self._of_numbers_alone * (CALL + SAVED_OF_SETS * sets) - OWN_CALL
        if saved < 0 or not self._account_of_sets.pays(saved):
            return None
        given, found = np.empty((len(columns), size)), np.empty((len(self._tape[3]), size))
        for row, column in zip(given, columns, strict=True):
            row[:sets] = column
        given[:, sets:] = given[:, sets - 1 : sets]
        return list(found[:, :sets]) if self._fused(is_ahead=True)(found, list(given)) else None

    def _of_numbers(self, numbers: Sequence[float]) -> Any:
        """Return what depends on single numbers alone, or None if a test fails."""
        try:
            return self._of_floats(*map(float, numbers))
        except (ArithmeticError, ValueError):  # such as a division by zero
            with np.errstate(all="ignore"):
                return self._prepare(*map(np.float64, numbers))

    def _fill(self, out: np.ndarray, arrays: Sequence[np.ndarray], numbers: Sequence[Any], workspace: Any) -> bool:
        """Compute the values at all points, block by block; return whether all tests are passed."""
        size = arrays[0].size
        length = -(-size // -(-size // _BLOCK))
        for start in range(0, size, length):
            if length == size:
                results, parts, buffers = out, arrays, workspace[: self._buffers, :size]
            else:
                part = slice(start, min(start + length, size))
                results, parts = out[:, part], [array[part] for array in arrays]
                buffers = workspace[: self._buffers, : part.stop - start]
            if not self._block(*results, *parts, *numbers, *buffers):
                return False
            if (
                self._is_finite
                and not -np.inf < np.minimum.reduce(results, None) <= np.maximum.reduce(results, None) < np.inf
            ):
                return False
        return True


@opaque
@fused_as(lambda program, x: int(program.step("sum", x)))
def over_sets(x: Any) -> Any:
    """Return the sum over sets of numbers, in a program for :meth:`ArrayProgram.sums`."""
    raise NotImplementedError("a sum over sets without the compiled core")


class _Workspace:
    """Free buffers, taken for the duration of a ``with``."""

    def __init__(self, buffers: int) -> None:
        self._array = _WORKSPACES.pop() if _WORKSPACES else np.empty((buffers, _ROW))
        if len(self._array) < buffers:
            self._array = np.empty((buffers, _ROW))

    def __enter__(self) -> np.ndarray:
        return self._array

    def __exit__(self, *error: Any) -> None:
        _WORKSPACES.append(self._array)
