r"""Metrics that two kernel-learning algorithms induce on the inputs.

1. Radhakrishnan et al. learn a matrix M. With a translation-invariant kernel :math:`h(\|x - y\|_M^2)` the metric is
   :math:`-2 h'(0) M`, the same at every input, and hence flat for every M. With any other kernel
   :math:`k(M^{1/2} x, M^{1/2} y)` it is :math:`M^{1/2} g(M^{1/2} x) M^{1/2}`, so that
   :math:`\det g_M = \det M \cdot \det g`.
2. Simon et al. learn from pairs of inputs :math:`(x_a, x_a')` a kernel :math:`\kappa(x)^\top Q\, \kappa(y)` in the
   kernel's values at all training inputs. Its metric is :math:`\partial\kappa^\top Q\, \partial\kappa`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from theory.core import Step
from theory.core.formula.arguments import integer, metrics, real_array, real_number

# Eigenvalues below this fraction of the largest one are rounding errors of a singular kernel matrix.
_RANK_TOLERANCE = 1e-12


def mahalanobis_metric(slope_at_zero: float, matrix: ArrayLike) -> NDArray[np.float64]:
    """Return the metric of the kernel ``h(|x - y|_M^2)``, which is the same at every input.

    Args:
        slope_at_zero: value of h'(0), negative for a kernel that decays, in 1/input^2 for a dimensionless M.
        matrix: the learned matrix M, symmetric and positive semi-definite, [d, d].

    Returns:
        The metric, [d, d], in the unit of ``slope_at_zero * matrix``.

    Raises:
        TypeError, ValueError: if the slope is not negative, or the matrix is not symmetric positive semi-definite.

    Source: Zavatone-Veth et al. (2023), Eq. (F.7).
    """
    return -2 * real_number("slope_at_zero", slope_at_zero, below=0) * _one_matrix(matrix)


def transformed_metric(
    base: Callable[[NDArray[np.float64]], ArrayLike], matrix: ArrayLike, x: ArrayLike
) -> NDArray[np.float64]:
    """Return the metric of the kernel ``k(M^(1/2) x, M^(1/2) y)``.

    Args:
        base: function from inputs [..., d] to the metric of k there, [..., d, d], in 1/input^2.
        matrix: the learned matrix M, symmetric and positive semi-definite, [d, d], dimensionless.
        x: inputs, [..., d].

    Returns:
        The metric, [..., d, d], in 1/input^2.

    Raises:
        TypeError, ValueError: for arguments that are not finite real arrays of fitting shapes.

    Source: Zavatone-Veth et al. (2023), Eq. (F.10).
    """
    matrix = _one_matrix(matrix)
    x = real_array("x", x, last=len(matrix))
    root = symmetric_root(matrix)
    return root @ metrics("base(x)", base(x @ root)) @ root


def symmetric_root(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the symmetric square root of a symmetric positive semi-definite matrix, [d, d]."""
    values, axes = np.linalg.eigh(matrix)
    return (axes * np.sqrt(np.maximum(values, 0))) @ axes.T


def self_supervised_matrix(
    kernel_xx: ArrayLike, kernel_xp: ArrayLike, kernel_pp: ArrayLike, rank: int
) -> NDArray[np.float64]:
    r"""Return the matrix Q of the kernel that Simon et al. learn from positive pairs.

    :math:`Q = K^{-1/2} (K_\Gamma^{\le r})^+ K^{-1/2}` with :math:`K_\Gamma = K^{-1/2} Z K^{-1/2}`; Z correlates the
    kernel's columns at the two members of every pair. Inverse roots are pseudo-inverses.

    Args:
        kernel_xx: values k(x_a, x_b) between first members, [pair, pair], dimensionless.
        kernel_xp: values k(x_a, x_b') between first and second members, [pair, pair], dimensionless.
        kernel_pp: values k(x_a', x_b') between second members, [pair, pair], dimensionless.
        rank: number of leading eigenvalues of K_Gamma to keep.

    Returns:
        The matrix Q, [2 pair, 2 pair], symmetric.

    Raises:
        TypeError, ValueError: for arrays of other shapes, a kernel matrix with negative eigenvalues, or a rank that
            exceeds the number of positive eigenvalues of K_Gamma.

    Source: Zavatone-Veth et al. (2023), Eqs. (F.13) to (F.18).
    """
    xx, xp, pp = (
        real_array(name, value)
        for name, value in (("kernel_xx", kernel_xx), ("kernel_xp", kernel_xp), ("kernel_pp", kernel_pp))
    )
    if not xx.ndim == 2 or not xx.shape == xp.shape == pp.shape or xx.shape[0] != xx.shape[1]:
        raise ValueError(
            f"kernel_xx, kernel_xp and kernel_pp: got shapes {xx.shape}, {xp.shape} and {pp.shape}, "
            "needs one [pair, pair]"
        )
    kernel = metrics("the kernel matrix of all inputs", np.block([[xx, xp], [xp.T, pp]]))
    pairs = len(xx)
    first, second = kernel[:, :pairs], kernel[:, pairs:]
    correlation = (first @ second.T + second @ first.T) / (2 * pairs)
    values, axes = np.linalg.eigh(kernel)
    kept = values > _RANK_TOLERANCE * values[-1]
    inverse_root = (axes[:, kept] / np.sqrt(values[kept])) @ axes[:, kept].T
    spectrum, modes = np.linalg.eigh(inverse_root @ correlation @ inverse_root)
    usable = int((spectrum > _RANK_TOLERANCE * np.abs(spectrum).max()).sum())
    rank = integer("rank", rank, 1, usable)  # the number of positive eigenvalues
    leading = inverse_root @ modes[:, -rank:]
    return (leading / spectrum[-rank:]) @ leading.T


def self_supervised_metric(gradients: ArrayLike, matrix: ArrayLike) -> NDArray[np.float64]:
    """Return the metric of the kernel ``K_x' Q K_y``.

    Args:
        gradients: gradients of the base kernel k(x, x_a) in x, one for every training input, [..., 2 pair, d].
        matrix: the matrix Q, [2 pair, 2 pair].

    Returns:
        The metric, [..., d, d], in 1/input^2.

    Raises:
        TypeError, ValueError: for arguments that are not finite real arrays of fitting shapes.

    Source: Zavatone-Veth et al. (2023), Eq. (F.21).
    """
    matrix = _one_matrix(matrix)
    gradients = real_array("gradients", gradients)
    if gradients.ndim < 2 or gradients.shape[-2] != len(matrix):
        raise ValueError(f"gradients: got shape {gradients.shape}, needs [..., {len(matrix)}, d]")
    return gradients.swapaxes(-1, -2) @ matrix @ gradients


def _one_matrix(matrix: ArrayLike) -> NDArray[np.float64]:
    found = metrics("matrix", matrix)
    if found.ndim != 2:
        raise ValueError(f"matrix: got shape {found.shape}, needs [d, d]")
    return found


def _kernel_metric(kernel: sp.Expr, x: tuple[sp.Symbol, ...], y: tuple[sp.Symbol, ...]) -> sp.Matrix:
    """Return the metric of Eq. (1) from the kernel: half the Hessian of k(x, x) minus the Hessian in y at y = x."""
    same = dict(zip(y, x, strict=True))
    on_diagonal = kernel.subs(same)
    return sp.Matrix(
        len(x), len(x), lambda i, j: sp.diff(on_diagonal, x[i], x[j]) / 2 - sp.diff(kernel, y[i], y[j]).subs(same)
    )


def steps() -> tuple[Step, ...]:
    """Steps for Eqs. (F.7), (F.10), (F.11) and (F.21) in two dimensions, for symbolic kernels and matrices."""
    x, y = sp.symbols("x1 x2", real=True), sp.symbols("y1 y2", real=True)
    m = sp.Matrix(2, 2, lambda i, j: sp.Symbol(f"m_{min(i, j) + 1}{max(i, j) + 1}", real=True))
    h0, h1, h2 = sp.symbols("h_0 h_1 h_2", real=True)
    offset = sp.Matrix(x) - sp.Matrix(y)
    distance = (offset.T * m * offset)[0]
    # values of the base kernel at two training inputs, to second order around the origin
    values = sp.Matrix(
        [
            sum(sp.Symbol(f"K{i}_{m}{n}", real=True) * x[0] ** m * x[1] ** n for m in range(3) for n in range(3 - m))
            for i in range(2)
        ]
    )
    origin = dict.fromkeys(x, 0)
    there = values.subs(dict(zip(x, y, strict=True)))
    q = sp.Matrix(2, 2, lambda i, j: sp.Symbol(f"q_{min(i, j) + 1}{max(i, j) + 1}", real=True))
    jacobian = values.jacobian(x)
    # any map with a symmetric linear part; features as quadratic polynomials with symbolic coefficients
    c = sp.symbols("c1:6", real=True)

    def features(u: sp.Expr, v: sp.Expr) -> sp.Matrix:
        return sp.Matrix([c[0] * u + c[1] * v**2, c[2] * u * v + c[3] * v + c[4] * u**2])

    moved = m * sp.Matrix(x)
    inner = features(*x).jacobian(x).subs(dict(zip(x, moved, strict=True)), simultaneous=True)
    outer = features(*moved).jacobian(x)
    return (
        Step(
            "metric of a translation-invariant kernel",
            _kernel_metric(h0 + h1 * distance + h2 * distance**2 / 2, x, y),
            -2 * h1 * m,
            because="h to second order around 0; higher orders vanish at y = x",
        ),
        Step(
            "metric of a linearly transformed kernel",
            outer.T * outer,
            m * inner.T * inner * m,
            because="the chain rule, with m for the root of M",
        ),
        Step(
            "determinant of a linearly transformed metric",
            (m * inner.T * inner * m).det(),
            (m * m).det() * (inner.T * inner).det(),
            because="determinants multiply",
        ),
        Step(
            "metric of a learned kernel",
            _kernel_metric((values.T * q * there)[0], x, y).subs(origin),
            (jacobian.T * q * jacobian).subs(origin),
            because="the chain rule; second derivatives cancel",
        ),
    )
