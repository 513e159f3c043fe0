"""The recursion of a kernel through the layers of a deep network, for all pairs of a few inputs at once.

A kernel that depends on the correlation of the pre-activations alone, as that of erf does, needs fewer operations: what
is computed of each input is computed once, and the entries are bounded if the diagonal is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from closedform.compiled import LANES
from theory.geometry.kernel_compiled import SAVED, CompiledRecursion, compiled_recursion
from theory.geometry.kernel_layers import OfCorrelation, WideLayer

Array = NDArray[np.float64]
Program = CompiledRecursion | None


class Side(NamedTuple):
    """The inputs ``[n, d]`` of rows or columns: for every layer the variance, or the factor of covariances, of each."""

    inputs: Array
    levels: list[Array]
    is_parallel: list[bool]
    numbers: list[Array]

    def part(self, where: slice) -> Side:
        """Return some of the inputs."""
        levels, numbers = ([array[where] for array in arrays] for arrays in (self.levels, self.numbers))
        return Side(self.inputs[where], levels, self.is_parallel, numbers)


@dataclass(frozen=True)
class Recursion:
    """The recursion through all layers: variances of weights, biases and readout, and gains of the tangent kernel."""

    layer: WideLayer
    slopes: bool
    depth: int
    weights: float
    biases: float
    readout: float
    gains: tuple[float, float, float] = (1.0, 1.0, 1.0)

    @cached_property
    def correlated(self) -> OfCorrelation | None:
        """The kernel as a function of the correlation, if it is one and the slopes are not needed."""
        return None if self.slopes else self.layer.of_correlation

    @property
    def is_bounded(self) -> bool:
        """Whether every entry is finite if the variances and the diagonal are."""
        return self.correlated is not None

    @property
    def buffers(self) -> int:
        """Return how many buffers ``fill`` needs."""
        program = (self.correlated or self.layer).program
        return (4 if self.slopes else 1) + (program.buffers if program else 0)

    def diagonal(self, squared: Array) -> tuple[list[Array], Array]:
        """Return the variances of the pre-activations of every layer and the kernel, from squared norms ``[n]``."""
        variances: list[Array] = []
        kernel, tangent = squared, self.gains[1] + self.gains[0] * squared if self.slopes else squared
        for level in range(self.depth):
            variances.append(self.weights * kernel + self.biases)
            kernel, *slopes = self.layer.diagonal(variances[level], self.biases > 0)
            tangent = self.above(level, kernel, slopes, tangent)
        return variances, tangent

    def compiled(self, entries: int) -> Program:
        """Return the recursion for the compiled core if that pays for so many entries."""
        if self.layer.program is None:
            return None
        program = compiled_recursion(self.layer, self.slopes, self.depth)
        return program if program and program.account.pays(SAVED * self.depth * entries) else None

    def side(self, inputs: Array, variances: list[Array], kind: int, program: CompiledRecursion | None) -> Side:
        """Return what is needed of inputs ``[n, d]`` for their kernels with others; rows have the kind ``COLUMN``."""
        levels, is_parallel = variances, [True] * self.depth
        if self.correlated is not None:
            levels = [self.correlated.factor(v) for v in variances]
            rounding = 4 * (inputs.shape[1] + 16) * np.finfo(float).eps
            is_parallel = [bool((f * f * v).max() > 1 - rounding) for f, v in zip(levels, variances, strict=True)]
        numbers = program.of_side(kind, self._scales, levels) if program else []
        return Side(inputs, levels, is_parallel, numbers)

    @property
    def _scales(self) -> tuple[float, ...]:
        return self.weights, self.biases, self.readout, *self.gains

    def fill(self, tile: Array, rows: Side, columns: Side, buffers: Array, program: Program, is_square: bool) -> None:
        """Write the kernel of some rows and columns into a tile ``[n, m]``, off the diagonal if square."""
        if program and tile.shape[1] < LANES:
            program, buffers = None, np.empty((self.buffers, *tile.shape))
        first, *others = buffers
        kernel = np.matmul(rows.inputs, columns.inputs.T, out=first)
        if is_square and self.layer.program is None:
            np.fill_diagonal(kernel, 0)  # equal inputs would need a double integral each
        if program:
            program.fill(tile, kernel, self._scales, rows.numbers, columns.numbers)
            return
        levels = [(v[:, None], w[None]) for v, w in zip(rows.levels, columns.levels, strict=True)]
        if self.slopes:
            self._fill_tangent(tile, levels, kernel, *others)
            return
        for level, (v, w) in enumerate(levels):
            result = tile if level == self.depth - 1 else kernel
            self._to_covariances(kernel)
            if self.correlated is None:
                self.layer.write([result], v, w, kernel, others)
                continue
            kernel *= v
            kernel *= w
            if rows.is_parallel[level] and columns.is_parallel[level]:
                np.clip(kernel, -1, 1, out=kernel)
            self.correlated.program([result], None, None, kernel, others)

    def _fill_tangent(
        self,
        tile: Array,
        levels: Sequence[tuple[Array, Array]],
        kernel: Array,
        above: Array,
        tangent: Array,
        slopes: Array,
        *others: Array,
    ) -> None:
        self._of_layer(kernel, tangent)
        for level, (v, w) in enumerate(levels):
            is_last = level == self.depth - 1
            self._to_covariances(kernel)
            self.layer.write([above, slopes], v, w, kernel, others)
            kernel, above = above, kernel
            slopes *= self.readout if is_last else self.weights
            slopes *= tangent
            if is_last:
                if self.gains[2] != 1:
                    kernel *= self.gains[2]
                np.add(kernel, slopes, out=tile)
            else:
                self._of_layer(kernel, tangent)
                tangent += slopes

    def _of_layer(self, kernel: Array, out: Array) -> None:
        """Write the part of the tangent kernel of one layer's own weights and biases, from the kernel of its inputs."""
        if self.gains[0] != 1:
            kernel = np.multiply(kernel, self.gains[0], out=out)
        np.add(kernel, self.gains[1], out=out)

    def _to_covariances(self, kernel: Array) -> None:
        """Overwrite a kernel by the covariances of the pre-activations above it."""
        kernel *= self.weights
        kernel += self.biases

    def above(self, level: int, kernel: Array | float, slopes: list[Array], tangent: Array | float) -> Any:
        """Return the tangent kernel above a layer; without slopes, the kernel of the features."""
        if not slopes:
            return kernel
        if level == self.depth - 1:
            return self.gains[2] * kernel + self.readout * slopes[0] * tangent
        return self.gains[1] + self.gains[0] * kernel + self.weights * slopes[0] * tangent
