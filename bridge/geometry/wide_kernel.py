r"""Kernels of infinitely wide networks with derivatives in their scales, for libraries of Gaussian processes.

The derivatives of the kernel in :math:`\log\sigma` and :math:`\log\zeta` are central differences of sixth order. The
kernel is an analytic function of both, computed to rounding, so that their relative error is about 1e-11 for a few
layers. The tangent kernel is linear in :math:`\xi^2`, which gives its derivative in :math:`\log\xi` exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from bridge.statistics.arrays import Array
from theory.activations import Activation
from theory.geometry import kernel_diagonal, kernel_matrix

STEP = 3e-3  # in the logarithm: errors of truncation and of rounding are both far below 1e-10
WEIGHTS = (3 / 4, -3 / 20, 1 / 60)  # of the differences over one, two and three steps


@dataclass(frozen=True)
class WideNetwork:
    """An infinitely wide network, of which only the scales are left open; see :func:`theory.geometry.kernel_matrix`."""

    activation: Activation | str
    depth: int = 1
    kind: Literal["nngp", "ntk"] = "nngp"

    def matrix(self, rows: Any, columns: Any = None, **scales: float) -> Array:
        """Return the kernel ``[N, M]`` between ``rows [N, d]`` and ``columns [M, d]`` (default: ``rows``)."""
        return np.asarray(
            kernel_matrix(
                self.activation,
                rows,
                columns,
                depth=self.depth,
                kind=self.kind,
                width=None,
                **scales,
            )
        )

    def diagonal(self, rows: Any, columns: Any = None, **scales: float) -> Array:
        """Return the kernel ``[N]`` of every row with the column of the same number (default: with itself)."""
        values = np.asarray(
            kernel_diagonal(self.activation, rows, depth=self.depth, kind=self.kind, **scales)
        )
        if columns is None:
            return values
        rows, columns = np.asarray(rows), np.asarray(columns)
        if rows.shape != columns.shape:
            raise ValueError(
                f"columns: got the shape {columns.shape}, needs that of rows, {rows.shape}"
            )
        for n in np.flatnonzero((rows != columns).any(axis=1)):
            values[n] = self.matrix(rows[n : n + 1], columns[n : n + 1], **scales).item()
        return values

    def derivative(
        self,
        scale: str,
        rows: Any,
        columns: Any = None,
        *,
        diagonal: bool = False,
        **scales: float,
    ) -> Array:
        """Return the derivative of matrix or ``diagonal`` in the logarithm of a scale; that of a zero is zero."""
        kernel = WideNetwork.diagonal if diagonal else WideNetwork.matrix
        if scale == "xi":
            features = WideNetwork(self.activation, self.depth)
            without = {name: value for name, value in scales.items() if name != "xi"}
            return 2 * (
                kernel(self, rows, columns, **scales) - kernel(features, rows, columns, **without)
            )

        total: Any = 0.0
        for step, weight in enumerate(WEIGHTS, start=1):
            for sign in (1, -1):
                term = kernel(
                    self,
                    rows,
                    columns,
                    **scales | {scale: scales[scale] * np.exp(sign * step * STEP)},
                )
                term *= sign * weight / STEP
                total = np.add(total, term, out=term)
        return np.asarray(total)
