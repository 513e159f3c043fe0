r"""The Hamiltonian of a Leaky ResNet, and its kinetic and potential energy.

.. math:: H = \tfrac{\tilde L}{2} \|B \sigma(A)^\top\|^2 - \tilde L \operatorname{Tr} B A^\top
   = \tfrac{1}{2 \tilde L} \|\partial_p A\|_K^2 - \tfrac{\tilde L}{2} \|A\|_K^2 ,

where the second form holds if the rows of *A* lie in the row space of :math:`\sigma(A)`. *H* is constant along a
geodesic. The stable Hamiltonian has :math:`K + \gamma I` in place of *K* in the second form and is not conserved:
:math:`\tfrac{2}{\tilde L} (H_\gamma - H) = \gamma \|B\|^2 - \gamma^2 \|B\|^2_{K+\gamma} - \tfrac{2 \gamma}{\tilde L}
\langle \partial_p A, B \rangle_{K+\gamma}`.
"""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike

from closedform.checks import boolean
from closedform.checks.arrays import Array
from theory.core.formula.arguments import matrices, one_for_each, positive_array, same_shape
from theory.leaky_resnet.norms import EPS, PROMISED, IllConditionedWarning, activated, norms


def _state(A: ArrayLike, B: ArrayLike, depth: ArrayLike) -> tuple[Array, Array, Array]:
    representations, momenta = matrices("A", A), matrices("B", B)
    same_shape("A", representations, "B", momenta)
    return representations, momenta, one_for_each("depth", positive_array("depth", depth), representations.shape[:-2])


def velocity(A: ArrayLike, B: ArrayLike, depth: ArrayLike, bias: bool = True) -> Array:
    r"""Return :math:`\partial_p A = \tilde L (B K - A)`, the velocity of the representations along a geodesic.

    The arguments are those of ``hamiltonian``; the velocity has the shape and unit of A.

    Source: Section 1.5.

    >>> velocity([[1.0, -1.0]], [[0.5, 0.0]], depth=2, bias=False).tolist()
    [[-1.0, 2.0]]
    """
    representations, momenta, effective = _state(A, B, depth)
    features = activated(representations, boolean("bias", bias))
    weights = momenta @ np.swapaxes(features, -1, -2)
    return effective[..., None, None] * (weights @ features - representations)


def hamiltonian(A: ArrayLike, B: ArrayLike, depth: ArrayLike, bias: bool = True) -> Array | np.float64:
    r"""Return :math:`H = \tfrac{\tilde L}{2} \|B \sigma(A)^\top\|_F^2 - \tilde L \operatorname{Tr} B A^\top`.

    Args:
        A: representations, [..., width, samples].
        B: momenta, the same shape: -1/strength times the gradient of the cost with respect to A.
        depth: effective depth, > 0, one number or one for each matrix.
        bias: whether sigma appends a row of ones (B has no row for it).

    Returns:
        One number for each matrix, dimensionless.

    Warns:
        IllConditionedWarning: if both terms cancel so far that the relative error may exceed 1e-12.

    Source: Section 1.5.

    >>> float(hamiltonian([[1.0, -1.0]], [[0.5, 0.0]], depth=2, bias=False))
    -0.75
    """
    representations, momenta, effective = _state(A, B, depth)
    features = activated(representations, boolean("bias", bias))
    weights = momenta @ np.swapaxes(features, -1, -2)
    magnitudes = np.abs(momenta) @ np.swapaxes(features, -1, -2)
    kept, pull = (weights**2).sum(axis=(-2, -1)) / 2, (momenta * representations).sum(axis=(-2, -1))
    value = kept - pull
    # The rounding error of a sum of n products is about sqrt(n) times that of a term.
    terms = (np.abs(weights) * magnitudes).sum(axis=(-2, -1)) + np.abs(momenta * representations).sum(axis=(-2, -1))
    error = np.sqrt(representations.shape[-1]) * EPS * terms
    if (error > PROMISED * np.abs(value)).any():
        with np.errstate(divide="ignore", invalid="ignore"):
            condition = np.nanmax(np.where(terms > 0, terms / np.abs(value), 0.0))
        warnings.warn(
            f"condition number {condition:.1e}: the two terms of the Hamiltonian cancel", IllConditionedWarning, 2
        )
    return (effective * value)[()]


def kinetic_energy(
    A: ArrayLike, velocity: ArrayLike, depth: ArrayLike, bias: bool = True, gamma: ArrayLike = 0.0
) -> Array | np.float64:
    r"""Return the kinetic energy :math:`\tfrac{1}{2 \tilde L} \|\partial_p A\|_{K + \gamma}^2`.

    Args:
        A, bias, gamma: as for ``cost_of_identity``.
        velocity: :math:`\partial_p A`, the same shape as A.
        depth: effective depth, > 0, one number or one for each matrix.

    Returns:
        One number for each matrix, dimensionless; ``inf`` at ``gamma`` = 0 off the row space of sigma(A).

    Warns:
        IllConditionedWarning: if the relative error may exceed 1e-12.

    Source: Section 1.3.

    >>> round(float(kinetic_energy([[1.0, 2.0]], [[0.5, 1.0]], depth=2, bias=False)), 4)
    0.0625
    """
    squared = np.asarray(norms(A, bias, gamma, ("velocity", velocity)))
    return (squared / (2 * one_for_each("depth", positive_array("depth", depth), squared.shape)))[()]
