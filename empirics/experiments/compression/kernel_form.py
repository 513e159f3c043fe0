r"""Two properties of a tangent kernel after compression: its form in the uninformative coordinates, and its RKHS norm.

After compression the kernel should be :math:`\Theta_1(x_\parallel, z_\parallel) + \Theta_2(x_\parallel, z_\parallel)\,
x_\perp\cdot z_\perp` (Eq. 10 of Paccolat et al. 2021): with the informative coordinates of both points held fixed, a
straight line in :math:`x_\perp\cdot z_\perp`. The RKHS norm of the labels is :math:`y^\top K^{-1} y`, with *K* divided
by its mean diagonal; the sum over all components of :math:`\omega^2/\lambda` is the same number. After training *K* is
singular, since many neurons are active at the same points, so that a small ridge is added to it before and after.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

RIDGE = 1e-3  # in units of the mean diagonal
ROUNDING = 1e-20  # of squared kernels
# Pairs of informative coordinates, and draws of the others for either point of a pair. The kernel bends where a pair is
# close to a neuron's hyperplane, and few pairs are: 12 of them gave shares that were off by a factor of a hundred.
PAIRS, COPIES = 120, 12


def beyond_linear(gram: Callable[[Tensor, Tensor], Tensor], x: Tensor) -> float:
    r"""Return the share of the variance over uninformative coordinates that :math:`x_\perp\cdot z_\perp` leaves open.

    Of at least 240 points ``[N, d]`` the first 240 give the first, informative coordinate of the pairs and others, in
    turn, the uninformative ones. The share is between 0 (the form of Eq. 10) and 1.
    """
    if len(x) < 2 * PAIRS:
        raise ValueError(f"x: got {len(x)} points, needs at least {2 * PAIRS}")
    left, right = (_copies(x, start) for start in (0, PAIRS))
    kernel = gram(left.reshape(-1, x.shape[1]), right.reshape(-1, x.shape[1])).double()
    blocks = kernel.reshape(PAIRS, COPIES, PAIRS, COPIES).diagonal(dim1=0, dim2=2).permute(2, 0, 1)
    across = left[..., 1:].double() @ right[..., 1:].double().mT
    values, slopes = (block.flatten(1) - block.flatten(1).mean(1, keepdim=True) for block in (blocks, across))
    explained = (values * slopes).sum(1).square() / slopes.square().sum(1)
    total = values.square().sum()
    varies = total > ROUNDING * blocks.square().sum()  # where nothing does, nothing is left open
    return float(1 - explained.sum() / total) if varies else 0.0


def _copies(x: Tensor, start: int) -> Tensor:
    """Return points ``[pair, copy, d]`` that share their informative coordinate within a pair."""
    rows = torch.arange(PAIRS * COPIES, device=x.device).reshape(PAIRS, COPIES)
    half = len(x) // 2 if start else 0  # so that no point takes its coordinates from the other one of its pair
    drawn = x[(rows * 7 + half) % len(x)].clone()
    drawn[..., :1] = x[start : start + PAIRS, None, :1]
    return drawn


def label_norm(gram: Tensor, labels: Tensor) -> float:
    """Return the squared RKHS norm of the labels, divided by their number, with the mean diagonal scaled to one."""
    matrix, y = (gram / gram.diagonal().mean()).double(), labels.double()
    factor = torch.linalg.cholesky(matrix + RIDGE * torch.eye(len(matrix), dtype=matrix.dtype, device=matrix.device))
    return float(y @ torch.cholesky_solve(y[:, None], factor)[:, 0]) / len(y)
