"""The exponent in the width of a root mean square that is a sum over the units of a layer."""

from __future__ import annotations

import numpy as np

from bridge.statistics.arrays import Array

CORRECTED = 4  # widths from which the correction is fitted, too


def exponents(widths: Array, values: Array) -> Array:
    """Return the exponent p of ``A n^p (1 + c/n)^(1/2)`` for each repetition, by least squares of logarithms.

    A sum of n terms whose mean does not vanish has the size of its mean, and a scatter that is smaller by the root of
    n; at the widths that one can afford the scatter is seen. To first order its logarithm is linear in 1/n. With
    three widths or two, c is 0. Squares have the weight n, since a mean over n units scatters by the root of 1/n.

    Args:
        widths: widths n, ``[width]``.
        values: positive numbers, ``[width, repetition]``.
    """
    logarithm = np.log(widths)
    columns = [logarithm - logarithm.mean(), np.ones_like(logarithm)]
    if len(widths) >= CORRECTED:
        columns.append(widths.min() / widths)
    weights = np.sqrt(widths / widths.min())[:, None]
    design = np.stack(columns, axis=1)
    solution = np.linalg.lstsq(weights * design, weights * np.log(values), rcond=None)[0]
    return np.asarray(solution[0])
