r"""How much more the first layer weighs informative directions than the others.

.. math:: \Lambda^2 = \frac{d_\perp}{d_\parallel}\,
          \frac{\sum_n \|\omega_{n,\parallel}\|^2}{\sum_n \|\omega_{n,\perp}\|^2},

one for isotropic weights. Source: Paccolat et al. (2021), Eq. (9), there for one informative direction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import Tensor

from empirics.measure.real_input import real_tensor


def amplification(weights: Any, informative: Sequence[int] = (0,)) -> Tensor:
    r"""The global amplification factor :math:`\Lambda`, dimensionless.

    Args:
        weights: of the first layer, ``[..., neurons, d]``; a tensor or array.
        informative: indices of the informative directions, some but not all of the d.

    Returns:
        ``[...]``, float64; infinite where no weight is across the informative directions.

    Raises:
        TypeError, ValueError: for weights of wrong shape or not finite, all zero, or indices that are not some of the
            directions.
    """
    values = real_tensor("weights", weights)
    if values.ndim < 2 or not values.numel():
        raise ValueError(f"weights: got shape {tuple(values.shape)}, needs [..., neurons, d]")
    if not hasattr(informative, "__iter__"):
        raise TypeError(f"informative: got {informative!r}, needs a sequence of indices")
    d = values.shape[-1]
    chosen = sorted({_direction(index, d) for index in informative})
    if not 0 < len(chosen) < d:
        raise ValueError(f"informative: got {tuple(informative)}, needs some but not all of the {d} directions")
    across = [index for index in range(d) if index not in chosen]
    along_sum = values[..., chosen].square().sum(dim=(-2, -1))
    across_sum = values[..., across].square().sum(dim=(-2, -1))
    if ((along_sum == 0) & (across_sum == 0)).any():
        raise ValueError("weights: all zero, so that nothing is weighed")
    return (len(across) / len(chosen) * along_sum / across_sum).sqrt()


def _direction(index: Any, d: int) -> int:
    if isinstance(index, bool) or not hasattr(index, "__index__"):
        raise TypeError(f"informative: got {index!r}, needs whole numbers")
    if not 0 <= int(index) < d:
        raise ValueError(f"informative: got {int(index)}, needs indices from 0 to {d - 1}")
    return int(index)
