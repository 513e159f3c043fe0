"""The recursion of a kernel through all layers, recorded once, for tiles of kernel matrices.

What depends on the inputs of the rows or of the columns alone is computed once for each input. For each tile there
remain ufuncs, or with the compiled core the transcendental ones and a loop between two of them, with the same bits.
"""

from collections.abc import Callable, Sequence
from functools import cached_property, reduce
from operator import or_
from typing import Any

import numpy as np

from closedform.checks.arrays import Array
from closedform.compiled import LANES, TRANSLATION, Account
from theory.core.numbers.backends.array_program import SAVED, TRANSLATED
from theory.core.numbers.backends.program_code import compiled
from theory.core.numbers.backends.tape import Tape
from theory.core.numbers.compiled.fused import Fused
from theory.core.numbers.compiled.lowering import Lowered

SCALAR, COLUMN, ROW, MATRIX = 0, 1, 2, 3  # a value that depends on column and row is a matrix
_APART = 72  # entries; buffers at distances of a power of two would compete for the same lines of the cache


class RecordedRecursion:
    """A function of some scales, two numbers of the inputs for each of some layers, in turns, and the first kernel."""

    def __init__(self, function: Callable[..., Any], scales: int, depth: int) -> None:
        kinds = [SCALAR] * scales + [COLUMN, ROW] * depth + [MATRIX]
        self._tape = Tape([kind == MATRIX for kind in kinds])
        self._results = self._tape.values(lambda *given: function(given[:scales], given[scales:-1], given[-1]))
        for operation in self._tape.operations:
            kinds.append(reduce(or_, [kinds[i] for i in operation.values], SCALAR))
        self._account = Account(max(TRANSLATION, TRANSLATED * len(self._tape.operations)))
        self._tape.is_array[:] = [kind == MATRIX for kind in kinds]
        if kinds[self._results[0]] != MATRIX:
            raise TypeError("a kernel that does not depend on both inputs")
        program = compiled(self._tape, self._results, overwrites=True)
        _, self._prepare, self._block, self._buffers, self._numbers = program
        self._kinds = [kinds[i] for i in self._numbers]

    @cached_property
    def _fused(self) -> Fused:
        lowered = Lowered(self._tape, self._results, (), self._numbers, is_finite=True)
        return Fused(lowered, [i for i, kind in zip(self._numbers, self._kinds, strict=True) if kind != ROW])

    def tiles(
        self, rows: Array, columns: Array, numbers: Sequence[Any], matrix: Array, most: int, entries: float
    ) -> Callable[[Array, int, int], bool]:
        """Return a function that writes the kernel into a tile of the matrix, which it takes with its top and left.

        It returns whether all entries are known to be finite. Rows are ``[N, d]``, columns ``[d, M]``, and ``numbers``
        scales and what is ``[N, 1]`` or ``[1, M]``. The matrix is ``[N, M]``, or ``[number]`` for one tile after
        another. A tile has at ``most`` so many entries, and all have so many ``entries``.
        """
        numbers = self._prepare(*numbers)
        pays = columns.shape[1] >= LANES and self._account.pays(SAVED * len(self._tape.operations) * entries)
        workspace = np.empty((1 if pays else 1 + self._buffers, most + _APART))
        write = self._fused.tiles(matrix, [workspace[0], *numbers]) if pays else None

        def fill(tile: Array, top: int, left: int) -> bool:
            height, width = tile.shape
            down, right = slice(top, top + height), slice(left, left + width)
            kernel, *others = workspace[:, : tile.size].reshape(-1, height, width)
            np.matmul(rows[down], columns[:, right], out=kernel)
            if write and width >= LANES:
                return write(top, left, height, width)
            part = {COLUMN: (down,), ROW: (slice(None), right)}
            parts = [x[part[kind]] if kind else x for kind, x in zip(self._kinds, numbers, strict=True)]
            self._block(tile, kernel, *parts, *(others or np.empty((self._buffers, height, width))))
            return False

        return fill
