r"""The losses of Barlow Twins and of SimCLR, on the embeddings of two views of the same images.

Barlow Twins (Zbontar et al. 2021, arXiv 2103.03230, Eq. 1): with :math:`C_{ij}` the correlation over the batch of
feature i of one view with feature j of the other, :math:`\sum_i (1 - C_{ii})^2 + \lambda \sum_{i \ne j} C_{ij}^2`.

SimCLR (Chen et al. 2020, arXiv 2002.05709, Eq. 1): every one of the 2N embeddings, normalised to length one, has to
find the other view of its image among the other 2N - 1; cross-entropy of the cosines over a temperature, in nats.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, normalize

from empirics import check

OFF_DIAGONAL = 5e-3  # lambda of the Barlow Twins paper
TEMPERATURE = 0.5  # of SimCLR on CIFAR-10 (its Appendix B.9)
EPSILON = 1e-5  # added to a feature's variance, as batch normalisation does


def barlow_twins(first: Tensor, second: Tensor, off_diagonal: float = OFF_DIAGONAL) -> Tensor:
    """Loss of Barlow Twins.

    Args:
        first: embeddings of one view, ``[batch, features]``.
        second: of the other view of the same images, in the same order.
        off_diagonal: weight of the redundancy term, lambda, dimensionless.

    Returns:
        A number, dimensionless.

    Raises:
        ValueError: if the shapes differ or there are fewer than two images.
    """
    _check_pair(first, second)
    check.real("off_diagonal", off_diagonal, at_least=0)
    a, b = (_standardised(z) for z in (first, second))
    correlation = a.T @ b / len(a)
    diagonal = correlation.diagonal()
    on = (1 - diagonal).square().sum()
    return on + off_diagonal * (correlation.square().sum() - diagonal.square().sum())


def simclr(first: Tensor, second: Tensor, temperature: float = TEMPERATURE) -> Tensor:
    """Loss of SimCLR (NT-Xent).

    Args:
        first: embeddings of one view, ``[batch, features]``.
        second: of the other view of the same images, in the same order.
        temperature: cosines are divided by it, dimensionless.

    Returns:
        A number, in nats.

    Raises:
        ValueError: if the shapes differ or there are fewer than two images.
    """
    _check_pair(first, second)
    check.real("temperature", temperature, positive=True)
    z = normalize(torch.cat([first, second]), dim=1)
    cosines = (z @ z.T / temperature).masked_fill(torch.eye(len(z), dtype=torch.bool, device=z.device), -torch.inf)
    partner = torch.arange(len(z), device=z.device).roll(len(first))
    return cross_entropy(cosines, partner)


def _check_pair(first: Tensor, second: Tensor) -> None:
    """ValueError unless both are ``[batch, features]`` of one shape with at least two images."""
    fits = first.ndim == 2 and first.shape == second.shape
    check.shape("second", second, fits, f"[batch, features] as first has, {list(first.shape)}")
    check.require(len(first) >= 2, "first", f"{len(first)} image", "at least two to compare")


def _standardised(z: Tensor) -> Tensor:
    centred = z - z.mean(0)
    return centred / (centred.square().mean(0) + EPSILON).sqrt()
