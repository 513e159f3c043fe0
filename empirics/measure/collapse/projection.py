r"""Deviations of samples from their class means, projected on the span of these means.

This is the arithmetic of the second pass. One product gives the coordinates :math:`z = F^\top (h - \mu_y)`, from which
both NC1 and the nearest class mean follow: with the centred class means :math:`m_c = \mu_c - \bar\mu = F b_c`, the mean
nearest to a sample of class y is that of the class with the largest
:math:`b_c \cdot z - \lVert m_c - m_y \rVert^2/2`.

A class mean is subtracted as a rounded float64 point, and its product with what is rounded away from the coordinates.

If two class means coincide, or a sample lies half-way between them, the order of the scores depends on the last bits
and thus on the processor. Counts over samples are therefore expectations: every tied class has the probability with
which it would be drawn from the tied classes.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from empirics.measure.collapse.basis import Basis


def shares_of_first_place(scores: Tensor, rounding: Tensor) -> Tensor:
    """Return each class's share of the first place, ``[sample, class]``: 1/k for k classes tied up to ``rounding``."""
    tied = scores >= scores.amax(1, keepdim=True) - rounding[:, None]
    return tied.double() / tied.sum(1, keepdim=True)


PRODUCTS = 4  # rounding errors of the products behind a score, in units of that of float64


@dataclass(frozen=True)
class Projection:
    """Class means and the directions of projection on the device of the samples, in float64."""

    rank: int  # number of coordinates that enter NC1
    points: Tensor  # class means rounded to float64, [C, D]
    rows: Tensor  # [k, D]: the directions, then the centred means if a tolerance has left these outside their span
    error: Tensor  # projections of what is rounded away from the class means, [C, k]
    coefficients: Tensor  # b, coordinates of the centred class means, [C, k]
    offsets: Tensor  # the term of the scores without z, [y, c]; minus infinity for a class c without samples
    farthest: float  # largest distance of a class mean from the mean of all samples
    grain: float  # largest shift of a sample relative to the class means that rounding can cause

    def nearest(self, coordinates: Tensor, own_class: Tensor, lengths: Tensor) -> Tensor:
        """Return each class's share in being nearest ``[batch, C]``, from coordinates and lengths of the deviations."""
        scores = torch.addmm(self.offsets[own_class], coordinates, self.coefficients.T)
        return shares_of_first_place(scores, self.grain * (lengths + 2 * self.farthest))


def projection(basis: Basis, device: torch.device) -> Projection:
    """Prepare the second pass over samples on ``device`` from the result of the first."""
    directions, centred = basis.directions, basis.centred
    coefficients = torch.linalg.lstsq(directions, centred.T).solution.T if basis.rank else centred[:, :0]
    rows = directions.T
    if not basis.spans_means:
        rows = torch.cat([rows, centred])
        coefficients = torch.cat([torch.zeros_like(coefficients), torch.eye(basis.classes).double()], 1)
    offsets = -torch.cdist(basis.means, basis.means, compute_mode="donot_use_mm_for_euclid_dist").square() / 2
    offsets[:, basis.counts == 0] = -torch.inf
    farthest = float(centred.norm(dim=1).amax())
    grain = basis.grain + PRODUCTS * torch.finfo(torch.float64).eps * farthest
    return Projection(
        rank=basis.rank,
        points=basis.points.to(device),
        rows=rows.contiguous().to(device),
        error=(basis.rounded_away @ rows.T).to(device),
        coefficients=coefficients.to(device),
        offsets=offsets.to(device),
        farthest=farthest,
        grain=grain,
    )
