"""Programs for tiles of matrices: the operations of a function of a column, a row and a matrix, in buffers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from theory.core.numbers.backends.program_code import compiled
from theory.core.numbers.backends.tape import Tape

Array = NDArray[np.float64]
SMALLEST_BUFFER = 16  # of numpy, in entries


class TileProgram:
    """A function of a column ``[n, 1]``, a row ``[1, m]`` and a matrix ``[n, m]``, with one value or several."""

    def __init__(self, body: Callable[..., Any]) -> None:
        tape = Tape((False, False, True))
        results = tape.values(body)
        _, self._prepare, self._block, self.buffers, _ = compiled(tape, results, overwrites=True)

    def __call__(
        self, results: Sequence[Array], column: Array | None, row: Array | None, matrix: Array, buffers: Sequence[Array]
    ) -> None:
        """Write the values into ``results``, each ``[n, m]``; a single one may be ``matrix``, which is overwritten.

        ``buffers`` has at least as many arrays ``[n, m]`` as the attribute of this name says.
        """
        self._block(*results, matrix, *self._prepare(column, row), *buffers[: self.buffers])
