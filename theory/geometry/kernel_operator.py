r"""The kernel matrix of many inputs as a linear operator that never holds it: products, its diagonal, regression.

A product computes the kernel in blocks of rows and drops them, so that the memory is that of the inputs and of one
block. ``solve`` finds :math:`(K + \text{noise} \cdot 1)^{-1} y` by conjugate gradients. They are preconditioned by the
pivoted Cholesky factor :math:`L` of ``rank`` columns, :math:`(L L^\top + \text{noise} \cdot 1)^{-1}`, which takes the
largest eigenvalues out of the problem; all columns of *y* share the products.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg
from scipy.sparse.linalg import LinearOperator

from closedform.checks.arrays import Array
from closedform.checks.plain import shown
from closedform.networks import Network
from theory.activations import ActivationLike
from theory.core.numbers.arguments import integer, positive_number, real_array
from theory.geometry.kernel_arrays import inputs, number
from theory.geometry.kernel_matrices import images, kernel_diagonal, kernel_matrix

BLOCK = 2**25  # entries of a block of rows, 256 MiB
RANK = 100  # columns of the preconditioner


class KernelOperator(LinearOperator):
    """The kernel of the rows of ``X`` as a symmetric operator ``[N, N]`` in float64, made by :func:`kernel_operator`.

    Attributes:
        residual: largest of ``|K x + noise x - y| / |y|`` over the columns of the last ``solve``, computed afresh by a
            product; NaN before.
        products: number of products with the kernel that the last ``solve`` took.
    """

    residual = float("nan")
    products = 0

    def __init__(
        self, inputs: Array, rows: Callable[[Array], Array], diagonal: Callable[[], Array]
    ) -> None:
        super().__init__(np.dtype(np.float64), (len(inputs), len(inputs)))
        self._inputs, self._rows, self._diagonal = inputs, rows, diagonal

    def diagonal(self) -> Array:
        """Return the kernel of every input with itself, ``[N]``."""
        return self._diagonal()

    def _matmat(self, X: Array) -> Array:
        count = len(self._inputs)
        size = max(1, BLOCK // count)
        parts = [
            self._rows(self._inputs[first : first + size]) @ X for first in range(0, count, size)
        ]
        return np.concatenate(parts)

    def _adjoint(self) -> KernelOperator:
        return self

    def solve(
        self,
        y: ArrayLike,
        noise: float,
        *,
        tolerance: float = 1e-8,
        rank: int = RANK,
        most: int = 1000,
    ) -> Array:
        """Return the solution x of ``K x + noise x = y``, the weights of Gaussian-process or kernel ridge regression.

        Targets are ``[N]`` or ``[N, outputs]``; the variance of the noise is positive, in the unit of the kernel. The
        tolerance is relative to the norm of each column, and the preconditioner has ``rank`` columns, 0 for none.
        ArithmeticError if the residual is not reached in ``most`` products.
        """
        targets = real_array("y", y)
        if targets.ndim not in (1, 2) or len(targets) != self.shape[0]:
            raise ValueError(
                f"y: got {shown(targets)}, needs [{self.shape[0]}] or [{self.shape[0]}, outputs]"
            )
        noise, tolerance = positive_number("noise", noise), positive_number("tolerance", tolerance)
        rank, most = integer("rank", rank, 0), integer("most", most, 1)
        columns = targets.reshape(len(targets), -1)
        precondition = _woodbury(self._factor(min(rank, len(columns))), noise)
        solution, self.products = _gradients(
            lambda x: self._matmat(x) + noise * x, precondition, columns, tolerance, most
        )
        norms = np.linalg.norm(columns, axis=0)
        missed = np.linalg.norm(self._matmat(solution) + noise * solution - columns, axis=0)
        self.residual = float(np.max(missed / np.where(norms > 0, norms, 1)))
        if not self.residual <= 10 * tolerance:
            raise ArithmeticError(
                f"solve: got a residual of {self.residual:.2g} after {self.products} products, needs {tolerance:.2g}; "
                "raise noise, rank, most or tolerance"
            )
        return solution.reshape(targets.shape)

    def _factor(self, rank: int) -> Array:
        """Return the pivoted Cholesky factor of some columns, ``[N, rank]``; fewer where the rest is rounding."""
        rest = self.diagonal().copy()
        factor = np.zeros((len(rest), rank))
        floor = rest.max(initial=0) * np.finfo(float).eps * len(rest)
        for column in range(rank):
            pivot = int(np.argmax(rest))
            if not rest[pivot] > floor:
                return factor[:, :column]
            known = factor[:, :column]
            row = self._rows(self._inputs[pivot : pivot + 1])[0] - known @ known[pivot]
            factor[:, column] = row / np.sqrt(rest[pivot])
            rest -= factor[:, column] ** 2
            rest[pivot] = 0
        return factor


def kernel_operator(
    activation: ActivationLike | Network,
    X: Any,
    *,
    depth: int = 1,
    kind: str = "nngp",
    **scales: float,
) -> KernelOperator:
    """Return the kernel matrix of ``X`` as a ``scipy.sparse.linalg.LinearOperator`` that never holds the matrix.

    Args:
        activation: as for ``kernel_matrix``.
        X: inputs ``[N, d]``.
        depth: as for ``kernel_matrix``. Default: 1.
        kind: as for ``kernel_matrix``. Default: "nngp".
        scales: ``sigma``, ``zeta`` and ``xi`` of ``kernel_matrix``.

    Raises:
        TypeError, ValueError, ArithmeticError: as ``kernel_matrix``.

    >>> operator = kernel_operator("relu", np.eye(3), zeta=0.1)
    >>> bool(np.allclose(operator @ np.ones(3), kernel_matrix("relu", np.eye(3), zeta=0.1).sum(axis=1)))
    True
    """
    # The operator keeps its own inputs and numbers, which no later change of an array or a tensor reaches.
    read = images if isinstance(activation, Network) else inputs
    kept = np.array(read("X", X), order="C")
    numbers = {name: number(name, value) for name, value in scales.items()}
    chosen: dict[str, Any] = {"depth": depth, "kind": kind, **numbers}
    # what is wrong is said now, and not in the first product
    kernel_diagonal(activation, kept[:1], **chosen)
    return KernelOperator(
        kept,
        lambda rows: np.asarray(kernel_matrix(activation, rows, kept, **chosen)),
        lambda: np.asarray(kernel_diagonal(activation, kept, **chosen)),
    )


def _woodbury(factor: Array, noise: float) -> Callable[[Array], Array]:
    """Return the product with the inverse of ``factor factor' + noise``."""
    inner = linalg.cho_factor(noise * np.eye(factor.shape[1]) + factor.T @ factor)
    return lambda x: (x - factor @ linalg.cho_solve(inner, factor.T @ x)) / noise


def _gradients(
    apply: Callable[[Array], Array],
    precondition: Callable[[Array], Array],
    y: Array,
    tolerance: float,
    most: int,
) -> tuple[Array, int]:
    """Return the solution by conjugate gradients of all columns at once, and the number of products."""
    goal = tolerance * np.linalg.norm(y, axis=0)
    x, residual = np.zeros_like(y), y.copy()
    ahead = precondition(residual)
    direction, gain = ahead.copy(), np.einsum("nc,nc->c", residual, ahead)
    for count in range(1, most + 1):
        is_open = np.linalg.norm(residual, axis=0) > goal
        if not is_open.any():
            return x, count - 1
        image = apply(direction)
        step = np.where(
            is_open, gain / np.where(is_open, np.einsum("nc,nc->c", direction, image), 1), 0
        )
        x += step * direction
        residual -= step * image
        ahead = precondition(residual)
        earlier, gain = gain, np.einsum("nc,nc->c", residual, ahead)
        direction = (
            ahead + np.where(is_open, gain / np.where(earlier != 0, earlier, 1), 0) * direction
        )
    return x, most
