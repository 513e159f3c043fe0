"""The recursion of a kernel through all layers as one program of the compiled core, for tiles of kernel matrices.

What depends on the inputs of the rows or of the columns alone is computed once for each input. For each tile there
remain the transcendental functions of numpy and one loop between two of them, with the bits of ``kernel_recursion``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from closedform.compiled import Account
from theory.core.numbers.backends.program_code import needed
from theory.core.numbers.backends.tape import Constant, Tape
from theory.core.numbers.compiled.fused import Fused
from theory.core.numbers.compiled.lowering import Lowered
from theory.geometry.kernel_layers import WideLayer, within_one

Array = NDArray[np.float64]
SCALAR, COLUMN, ROW, MATRIX = 0, 1, 2, 3  # a value that depends on column and row is a matrix
SCALES = 6  # variances and gains
SAVED = 1.5e-9  # processor seconds per entry and layer


class CompiledRecursion:
    """The recursion through some layers for tiles; ``account`` has what it would have saved so far."""

    def __init__(self, layer: WideLayer, slopes: bool, depth: int) -> None:
        self.account = Account()
        self._kinds = [SCALAR] * SCALES + [COLUMN, ROW] * depth + [MATRIX]
        self._tape = Tape([kind == MATRIX for kind in self._kinds])
        body = _tangent if slopes else _features if layer.of_correlation is None else _correlated
        results = self._tape.values(lambda *given: body(layer, given[:SCALES], given[SCALES:-1], given[-1]))
        for operation in self._tape.operations:
            self._kinds.append(reduce(or_, [self._kinds[i] for i in operation.values], SCALAR) or MATRIX)
        is_matrix = [kind == MATRIX for kind in self._kinds]
        matrices = needed(self._tape, results)
        first = len(self._tape.arguments)
        used = {i for t, operation in enumerate(self._tape.operations, first) if t in matrices and is_matrix[t]
                for i in operation.values}  # fmt: skip
        self._numbers = sorted(i for i in used if not is_matrix[i])
        lowered = Lowered(self._tape, results, (), self._numbers, is_array=is_matrix)
        self._fused = Fused(lowered, scalars=[i for i in self._numbers if self._kinds[i] != ROW])

    def of_side(self, kind: int, scales: Sequence[float], levels: Sequence[Array]) -> list[Array]:
        """Return the numbers of the inputs of one side, ``COLUMN`` for those of the rows, each ``[input]``."""
        values: dict[int, Any] = dict(enumerate(scales)) | {
            SCALES - 1 + kind + 2 * k: level for k, level in enumerate(levels)
        }
        for target, operation in enumerate(self._tape.operations, len(self._tape.arguments)):
            if self._kinds[target] == kind:
                given = [i.number if isinstance(i, Constant) else values[i] for i in operation.operands]
                values[target] = operation.function(*given)
        return [values[i] for i in self._numbers if self._kinds[i] == kind]

    def fill(self, tile: Array, kernel: Array, scales: Sequence[float], rows: Sequence[Array], columns: Any) -> None:
        """Write the kernel into a tile ``[n, m]`` of at least eight columns, from the numbers of both sides."""
        left, right = iter(rows), iter(columns)
        of_kind: dict[int, Callable[[int], Any]] = {
            SCALAR: lambda index: scales[index],
            COLUMN: lambda index: next(left),
            ROW: lambda index: next(right),
        }
        self._fused(tile[None], [kernel, *(of_kind[self._kinds[index]](index) for index in self._numbers)])


def _correlated(layer: WideLayer, scales: Sequence[Any], levels: Sequence[Any], kernel: Any) -> Any:
    assert layer.of_correlation is not None
    for v, w in zip(levels[::2], levels[1::2], strict=True):
        kernel = layer.of_correlation.function(within_one((kernel * scales[0] + scales[1]) * v * w))
    return kernel


def _features(layer: WideLayer, scales: Sequence[Any], levels: Sequence[Any], kernel: Any) -> Any:
    for v, w in zip(levels[::2], levels[1::2], strict=True):
        (kernel,) = layer.pair(v, w, kernel * scales[0] + scales[1])
    return kernel


def _tangent(layer: WideLayer, scales: Sequence[Any], levels: Sequence[Any], kernel: Any) -> Any:
    weights, biases, readout, *gains = scales
    tangent = kernel * gains[0] + gains[1]
    for level in range(0, len(levels), 2):
        is_last = level == len(levels) - 2
        kernel, slopes = layer.pair(levels[level], levels[level + 1], kernel * weights + biases)
        slopes = slopes * (readout if is_last else weights) * tangent
        tangent = (kernel * gains[2] if is_last else kernel * gains[0] + gains[1]) + slopes
    return tangent


@lru_cache(maxsize=64)
def compiled_recursion(layer: WideLayer, slopes: bool, depth: int) -> CompiledRecursion | None:
    """Return the recursion, recorded once since ``wide_layer`` gives the same layer again; None if it cannot be."""
    try:
        return CompiledRecursion(layer, slopes, depth)
    except (AttributeError, NotImplementedError, TypeError):
        return None
