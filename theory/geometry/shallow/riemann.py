r"""Riemann tensor of a shallow network.

.. math:: R_{ijkl} = \tfrac14 g^{mn} ( T_{mil} T_{njk} - T_{mik} T_{njl} ), \quad T_{ijk} = \partial_k g_{ij},

with the sign for which :math:`R_{1212} > 0` on a sphere.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from theory.activations import ActivationLike
from theory.geometry.shallow.frame import WhenSingular, checked_for_curvature, frames
from theory.geometry.shallow.scalar_curvature import derivatives


def riemann(
    weights: ArrayLike, biases: ArrayLike, x: ArrayLike, act: ActivationLike, when_singular: WhenSingular = "raise"
) -> NDArray[np.float64]:
    r"""Return the Riemann tensor with all indices down, at every input.

    Args:
        weights, biases, x, act, when_singular: as for ``scalar_curvature``.

    Returns:
        The tensor, [..., d, d, d, d], in 1/input^4.

    Raises:
        TypeError, ValueError: as ``scalar_curvature``.
        ArithmeticError: where the metric is singular to working precision, or the tensor exceeds double precision.

    Source: derived here; corrects Zavatone-Veth et al. (2023), Eqs. (A.9) and (B.29), by a factor -1/3 or 1/3,
        depending on the order of indices.
    """
    layer = checked_for_curvature(weights, biases, x, act)
    n, d = layer.width, layer.dimension
    bend = layer.act.function(2)
    first, second = np.triu_indices(d)
    result = np.empty((len(layer.points), d, d, d, d))
    for frame in frames(layer, 2 * d**4 + n * (2 * d + d**2 + 8), when_singular):
        packed = derivatives(layer, frame, 2 / n * frame.slopes * bend(frame.preactivations))
        tensor = np.empty((len(packed), d, d, d))
        tensor[:, :, first, second] = tensor[:, :, second, first] = packed
        # Two indices return to the coordinates of the inputs; the index that is summed over stays orthonormal.
        with np.errstate(over="ignore", invalid="ignore"):
            tensor = np.einsum("pmij,pik,pjl->pmkl", tensor, frame.triangle, frame.triangle, optimize=True)
            crossed = np.einsum("pmil,pmjk->pijkl", tensor, tensor, optimize=True)
            found = (crossed - crossed.swapaxes(3, 4)) / 4
        if not np.isfinite(found[~frame.singular]).all():
            raise ArithmeticError("the Riemann tensor exceeds the range of double precision")
        found[frame.singular] = np.nan
        result[frame.points] = found
    return result.reshape(*layer.shape, d, d, d, d)
