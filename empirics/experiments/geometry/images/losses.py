r"""The losses of Barlow Twins and of SimCLR, on the embeddings of two views of the same images.

Barlow Twins (Zbontar et al. 2021, arXiv 2103.03230, Eq. 1): :math:`\sum_i (1 - C_{ii})^2 + \lambda \sum_{i \ne j}
C_{ij}^2` with :math:`C_{ij}` the correlation over the batch of feature i of one view with feature j of the other.

SimCLR (Chen et al. 2020, arXiv 2002.05709, Eq. 1): each of the 2N embeddings, normalised to length one, is to identify
the other view of its image among the other 2N - 1. The loss is the cross-entropy of the cosines divided by a
temperature, in nats.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, normalize

from closedform import checks
from empirics import tensor_checks
from empirics.experiments.geometry.images.config import OFF_DIAGONAL, TEMPERATURE

EPSILON = 1e-5  # added to the variance of a feature, as in batch normalisation


def barlow_twins(first: Tensor, second: Tensor, off_diagonal: float = OFF_DIAGONAL) -> Tensor:
    """Return the loss of Barlow Twins of two views ``[batch, features]`` of the same images, dimensionless."""
    _check_pair(first, second)
    checks.nonnegative_number("off_diagonal", off_diagonal)
    a, b = (_standardised(z) for z in (first, second))
    correlation = a.T @ b / len(a)
    diagonal = correlation.diagonal()
    invariance = (1 - diagonal).square().sum()
    return invariance + off_diagonal * (correlation.square().sum() - diagonal.square().sum())


def simclr(first: Tensor, second: Tensor, temperature: float = TEMPERATURE) -> Tensor:
    """Return the loss of SimCLR (NT-Xent) of two views ``[batch, features]`` of the same images, in nats."""
    _check_pair(first, second)
    checks.positive_number("temperature", temperature)
    z = normalize(torch.cat([first, second]), dim=1)
    cosines = (z @ z.T / temperature).masked_fill(torch.eye(len(z), dtype=torch.bool, device=z.device), -torch.inf)
    partner = torch.arange(len(z), device=z.device).roll(len(first))
    return cross_entropy(cosines, partner)


def _check_pair(first: Tensor, second: Tensor) -> None:
    """Raise ValueError unless both are ``[batch, features]`` of the same shape with at least two images."""
    fits = first.ndim == 2 and first.shape == second.shape
    tensor_checks.shape("second", second, fits, f"[batch, features], the shape of first: {list(first.shape)}")
    checks.require(len(first) >= 2, "first", f"{len(first)} image", "at least two")


def _standardised(z: Tensor) -> Tensor:
    """Return features with mean zero and standard deviation one over the batch."""
    centred = z - z.mean(0)
    return centred / (centred.square().mean(0) + EPSILON).sqrt()
