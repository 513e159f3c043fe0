r"""Labels of Gaussian points that depend on only a few of their coordinates: stripes, cylinders, shells.

For points :math:`x \sim N(0, I_d)`, stripes alternate along the first coordinate, and shells with the distance from the
origin in the first ``d_parallel`` coordinates. Source: Paccolat et al. (2021), sections 2.1, 3 and 4.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from closedform import checks
from empirics import tensor_checks

if TYPE_CHECKING:  # a configuration takes the boundaries, without torch
    from torch import Tensor

# holds half of the points: erf(x_max/sqrt 2) = 1 + erf(x_min/sqrt 2)
STRIPE = (-0.3, 1.18549233272)
CYLINDER = (math.sqrt(2 * math.log(2)),)  # holds half of the points of two informative coordinates


def stripe_labels(
    inputs: Tensor, boundaries: Sequence[float] = STRIPE, leftmost: int = 1
) -> Tensor:
    """Return labels +1 or -1 ``[...]`` that alternate along the first coordinate; a boundary belongs to its right."""
    _require(inputs, boundaries, leftmost, "leftmost")
    return _alternating(inputs[..., 0], boundaries, leftmost)


def shell_labels(
    inputs: Tensor, radii: Sequence[float] = CYLINDER, d_parallel: int = 2, innermost: int = -1
) -> Tensor:
    """Return labels +1 or -1 ``[...]`` that alternate with the distance from the origin in the first coordinates."""
    _require(inputs, radii, innermost, "innermost")
    checks.integer("d_parallel", d_parallel, 1, inputs.shape[-1])
    checks.require(min(radii) > 0, "radii", tuple(radii), "positive numbers")
    return _alternating(inputs[..., :d_parallel].norm(dim=-1), radii, innermost)


def _alternating(coordinates: Tensor, boundaries: Sequence[float], first: int) -> Tensor:
    import torch

    places = torch.tensor(tuple(boundaries), dtype=torch.float64, device=coordinates.device)
    cell = torch.searchsorted(places, coordinates.to(torch.float64).contiguous(), right=True)
    return (first * (1 - 2 * (cell % 2))).to(coordinates.dtype)


def _require(inputs: Tensor, boundaries: Sequence[float], sign: int, name: str) -> None:
    checks.require(
        inputs.is_floating_point() and inputs.ndim >= 1 and inputs.shape[-1] > 0, "inputs",
        f"{inputs.dtype} of shape {list(inputs.shape)}", "real numbers [..., d]",
    )  # fmt: skip
    tensor_checks.finite("inputs", inputs)
    values = tuple(boundaries)
    increasing = all(low < high for low, high in itertools.pairwise(values))
    if not (values and increasing and all(map(math.isfinite, values))):
        raise ValueError(
            f"boundaries: got {values}, needs at least one, finite and strictly increasing"
        )
    if sign not in (1, -1):
        raise ValueError(f"{name}: got {sign!r}, needs +1 or -1")
