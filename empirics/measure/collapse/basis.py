r"""Class means after the first pass of neural collapse, with the singular values and directions of their spread.

With :math:`n_c` of N samples in class c, the rows :math:`\sqrt{n_c} (\mu_c - \bar\mu)` form M ``[C, D]`` and
:math:`N \Sigma_B = M^\top M`. A thin singular value decomposition :math:`M = U S V^\top` gives
:math:`\Sigma_B^+ = N V S^{-2} V^\top` without forming a D x D matrix and without squaring the condition number of M.

Where classes count equally, N/C takes the place of :math:`n_c`, also in the mean :math:`\bar\mu` of all classes.

One singular value of M is always zero, because the weighted rows add up to zero, and comes out as a rounding error:
never more than C - 1 (or D) are kept. Of these, a singular value counts only where it exceeds what rounding of the
features alone would produce. Independent relative errors of size eps in all features give M a random part whose
largest singular value is about :math:`\epsilon \, h (\sqrt D + \sqrt C)`, h the root mean square of a feature.

In the second pass one product gives the coordinates :math:`z = F^\top (h - \mu_y)` of a sample, from which both NC1 and
the nearest class mean follow: with the centred class means :math:`m_c = \mu_c - \bar\mu = F b_c`, the mean nearest to a
sample of class y is that of the class with the largest :math:`b_c \cdot z - \lVert m_c - m_y \rVert^2/2`.

A class mean is subtracted as a rounded float64 point, and its product with what is rounded away from the coordinates.

If two class means coincide, or a sample lies half-way between them, the order of the scores depends on the last bits
and thus on the processor. Counts over samples are therefore expectations: every tied class has the probability with
which it would be drawn from the tied classes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from closedform import checks
from closedform.rounding import two_sum
from empirics.measure.collapse.double_double import Pair, add, divide, dual_directions
from empirics.measure.collapse.means import CollapseMeans

PRODUCTS = 4  # rounding errors of the products behind a score, in units of that of float64


@dataclass(frozen=True)
class Basis:
    """Class means of all samples and a basis of their differences, on the CPU in float64."""

    classes: int
    counts: Tensor  # samples of each class, [C]
    reference: Tensor  # the point [D] from which means are measured
    means: Tensor  # relative to the reference, [C, D]; zero for a class without samples
    remainders: Tensor  # rounding errors of the means
    centred: Tensor  # class means minus the mean of all samples, [C, D]
    directions: (
        Tensor  # F [D, rank]; orthonormal columns, up to rounding times the condition number
    )
    between: float  # tr Σ_B, in squared units of the features
    sizes: Tensor  # the non-zero singular values of M, [rank], in descending order
    rounding: float  # the singular value that rounding of the features alone could produce
    grain: (
        float  # largest shift of a feature or a mean along one direction that rounding can cause
    )
    spans_means: (
        bool  # whether the directions span the means up to rounding, which a tolerance may prevent
    )

    @property
    def points(self) -> Tensor:
        """The class means rounded to float64, ``[C, D]``."""
        rounded: Tensor = two_sum(self.reference, self.means)[0]
        return rounded

    @property
    def rounded_away(self) -> Tensor:
        """The class means minus ``points``, ``[C, D]``."""
        error: Tensor = two_sum(self.reference, self.means)[1]
        return error + self.remainders

    @property
    def rank(self) -> int:
        """The rank of the between-class covariance."""
        return len(self.sizes)

    @property
    def present(self) -> Tensor:
        """The indices of the classes that have samples."""
        return torch.nonzero(self.counts).flatten()


def freeze(
    accumulated: CollapseMeans,
    tolerance: float | None = None,
    class_weights: Literal["samples", "equal"] = "samples",
) -> Basis:
    """Compute the class means and a basis of their differences; ``tolerance`` None is what rounding would produce."""
    if accumulated.reference is None or accumulated.sums is None or accumulated.remainders is None:
        raise ValueError("features: none were given in the first pass")
    if tolerance is not None:
        tolerance = checks.real_number("tolerance", tolerance, least=0, below=1)
    checks.one_of("class_weights", class_weights, ("samples", "equal"))
    counts = accumulated.counts.clone()
    n = counts.double()[:, None]
    sums = (accumulated.sums.cpu(), accumulated.remainders.cpu())
    means = divide(sums, n.clamp(min=1))
    has_samples = (n > 0).double()
    present = int((counts > 0).sum())
    centred = _about(means, divide(_sum(sums), n.sum()), has_samples)
    spread_out, weights = centred, n
    if class_weights == "equal":
        spread_out = _about(means, divide(_sum(means), has_samples.sum()), has_samples)
        weights = has_samples * n.sum() / present
    dimension = means[0].shape[1]
    _, triangle = torch.linalg.qr((weights.sqrt() * spread_out[0]).T, mode="r")
    _, sizes, turned = torch.linalg.svd(triangle, full_matrices=False)
    left = turned.T
    sizes = sizes[: present - 1]  # fewer where D is smaller
    largest = float(sizes[0]) if len(sizes) else 0.0
    feature = math.sqrt(accumulated.squares / (float(n.sum()) * dimension))
    spread = math.sqrt(dimension) + math.sqrt(present)
    eps = torch.finfo(torch.float64).eps
    rounding = max(accumulated.precision * feature, eps * largest) * spread
    grain = max(accumulated.precision * feature, eps * float(means[0].norm(dim=1).max()))
    smallest = rounding if tolerance is None else tolerance * largest
    rank = int((sizes > smallest).sum())
    directions = dual_directions(left[:, :rank], sizes[:rank], weights.sqrt()[:, 0], spread_out)
    between = float((weights * spread_out[0] ** 2).sum() / n.sum())
    return Basis(
        accumulated.classes, counts, accumulated.reference.cpu(), *means, centred[0], directions, between,
        sizes[:rank], rounding, grain, spans_means=rank >= int((sizes > rounding).sum()),
    )  # fmt: skip


def _about(means: Pair, centre: Pair, has_samples: Tensor) -> Pair:
    """Return ``means`` ``[C, D]`` minus ``centre`` ``[1, D]``, with zeros for classes without samples."""
    apart = add(means, (-centre[0], -centre[1]))
    return apart[0] * has_samples, apart[1] * has_samples


def _sum(pair: Pair) -> Pair:
    total = (torch.zeros_like(pair[0][0]), torch.zeros_like(pair[0][0]))
    for row in zip(*pair, strict=True):
        total = add(total, row)
    return total


def shares_of_first_place(scores: Tensor, rounding: Tensor) -> Tensor:
    """Return each class's share of the first place, ``[sample, class]``: 1/k for k classes tied up to ``rounding``."""
    tied = scores >= scores.amax(1, keepdim=True) - rounding[:, None]
    return tied.double() / tied.sum(1, keepdim=True)


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
    coefficients = (
        torch.linalg.lstsq(directions, centred.T).solution.T if basis.rank else centred[:, :0]
    )
    rows = directions.T
    if not basis.spans_means:
        rows = torch.cat([rows, centred])
        coefficients = torch.cat(
            [torch.zeros_like(coefficients), torch.eye(basis.classes).double()], 1
        )
    offsets = (
        -torch.cdist(
            basis.means, basis.means, compute_mode="donot_use_mm_for_euclid_dist"
        ).square()
        / 2
    )
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
