"""The recursion of a kernel through the layers of a deep network, for all pairs of a few inputs at once.

A kernel that depends on the correlation of the pre-activations alone, as that of erf does, needs fewer operations: what
is computed of each input is computed once, and the entries are bounded if the diagonal is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np

from closedform.checks.arrays import Array
from theory.geometry.kernel_layers import OfCorrelation, WideLayer, within_one
from theory.geometry.kernel_tiles import RecordedRecursion


@dataclass(frozen=True)
class Recursion:
    """The recursion through all layers: variances of weights, biases and readout; three gains of a tangent kernel."""

    layer: WideLayer
    slopes: bool
    depth: int
    weights: float
    biases: float
    readout: float
    gains: tuple[float, ...] = ()

    @property
    def correlated(self) -> OfCorrelation | None:
        """The kernel of a layer as a function of the correlation, which bounds all entries, if that is all of it."""
        return None if self.slopes else self.layer.of_correlation

    @property
    def scales(self) -> tuple[float, ...]:
        """Return what ``through`` takes."""
        return self.weights, self.biases, self.readout, *self.gains

    def diagonal(self, squared: Array) -> tuple[list[Array], Array]:
        """Return the variances of the pre-activations of every layer and the kernel, from squared norms ``[n]``."""
        variances: list[Array] = []

        def layer(level: int, variance: Array) -> tuple[Array, ...]:
            variances.append(variance)
            return self.layer.diagonal(variance, self.biases > 0)

        return variances, through(self.scales, self.depth, squared, layer)

    def tiles(
        self, rows: Array, columns: Array, sides: Sequence[list[Array]], matrix: Array, most: int
    ) -> Callable[[Array, int, int], bool]:
        """Return what ``RecordedRecursion.tiles`` does, from the variances of both sides, the same if symmetric.

        Where the kernel of a layer is an integral, that of inputs with themselves is left out.
        """
        symmetric, clips = sides[0] is sides[1], True
        if self.correlated is not None:
            factors: list[list[Array]] = []
            for side in sides[:1] if symmetric else sides:
                factors.append([self.correlated.factor(v) for v in side])
                largest = max((f * f * v).max() for f, v in zip(factors[-1], side, strict=True))
                clips &= bool(largest > 1 - 4 * (len(columns) + 16) * np.finfo(float).eps)
            sides = factors[0], factors[-1]
        levels = [level for v, w in zip(*sides, strict=True) for level in (v[:, None], w[None])]
        options = self.correlated or self.layer, self.depth, clips
        if program := recorded(*options, len(self.scales)):
            entries = len(rows) * columns.shape[1] / (2 if symmetric else 1)
            return program.tiles(rows, columns, [*self.scales, *levels], matrix, most, entries)

        def fill(tile: Array, top: int, left: int) -> bool:
            down, right = (slice(at, at + size) for at, size in zip((top, left), tile.shape, strict=True))
            kernel = rows[down] @ columns[:, right]
            if symmetric and top == left:
                np.fill_diagonal(kernel, 0)  # equal inputs would need a double integral each
            parts = [level[:, right] if index % 2 else level[down] for index, level in enumerate(levels)]
            tile[...] = _kernel(*options, self.scales, parts, kernel)
            return False

        return fill


def through(scales: Sequence[Any], depth: int, kernel: Any, layer: Callable[[int, Any], Sequence[Any]]) -> Any:
    """Return the kernel above all layers, from that of the inputs.

    ``layer`` has the kernel of the features, and of the slopes if wanted, for a level and covariances below it.
    """
    weights, biases, readout, *gains = scales
    tangent = gains[1] + gains[0] * kernel if gains else None
    for level in range(depth):
        kernel, *slopes = layer(level, weights * kernel + biases)
        if gains and level == depth - 1:
            return gains[2] * kernel + readout * slopes[0] * tangent
        if gains:
            tangent = gains[1] + gains[0] * kernel + weights * slopes[0] * tangent
    return kernel


def _kernel(
    of: WideLayer | OfCorrelation, depth: int, clips: bool, scales: Sequence[Any], levels: Sequence[Any], kernel: Any
) -> Any:
    """Return the kernel of tiles, arrays or recorded, from the levels of both sides, in turns."""

    def layer(level: int, covariance: Any) -> tuple[Any, ...]:
        v, w = levels[2 * level : 2 * level + 2]
        if isinstance(of, WideLayer):
            return of.pair(v, w, covariance)
        correlation = covariance * v * w
        return (of.function(within_one(correlation) if clips else correlation),)

    return through(scales, depth, kernel, layer)


@lru_cache(maxsize=64)
def recorded(of: WideLayer | OfCorrelation, depth: int, clips: bool, scales: int) -> RecordedRecursion | None:
    """Return the recursion, recorded once since ``wide_layer`` gives the same layer again; None if it cannot be."""
    try:
        return RecordedRecursion(partial(_kernel, of, depth, clips), scales, depth)
    except (AttributeError, TypeError):
        return None
