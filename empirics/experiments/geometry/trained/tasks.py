"""The two tasks in the plane: exclusive or (Eq. G.1), and the side of a sinusoid (Eq. G.2)."""

from __future__ import annotations

from typing import get_args

import torch
from torch import Tensor

from closedform import checks
from empirics.experiments.geometry.trained.config import CORNERS, Task
from empirics.seeding import generator


def points(task: str, count: int, seed: int) -> tuple[Tensor, Tensor]:
    r"""Return training inputs ``[N, 2]`` in float64 and their labels ``[N]``, 0 or 1.

    Args:
        task: ``"xor"`` takes the four corners of the square of side 2, with label 1 where the signs differ;
            ``"sinusoid"`` takes ``count`` uniformly distributed points of that square, with label 1 above
            :math:`\tfrac12 \sin(7x - 1)`.
        count: number of points of the sinusoid task.
        seed: seed of the points, a non-negative integer.

    Raises:
        ValueError: if there is no such task.
    """
    if checks.one_of("task", task, get_args(Task)) == "xor":
        x = torch.tensor(CORNERS, dtype=torch.float64)
        return x, (x[:, 0] * x[:, 1] < 0).long()
    x = 2 * torch.rand(count, 2, generator=generator(seed, "subset"), dtype=torch.float64) - 1
    return x, (x[:, 1] > boundary(x[:, 0])).long()


def boundary(x: Tensor) -> Tensor:
    """Return the height of the sinusoid at abscissae ``x``."""
    return torch.sin(7 * x - 1) / 2
