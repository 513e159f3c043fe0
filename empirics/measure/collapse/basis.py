r"""Class means after the first pass of neural collapse, with the singular values and directions of their spread.

With :math:`n_c` of N samples in class c, the rows :math:`\sqrt{n_c} (\mu_c - \bar\mu)` form M ``[C, D]`` and
:math:`N \Sigma_B = M^\top M`. A thin singular value decomposition :math:`M = U S V^\top` gives
:math:`\Sigma_B^+ = N V S^{-2} V^\top` without forming a D x D matrix and without squaring the condition number of M.

Where classes count equally, N/C takes the place of :math:`n_c`, also in the mean :math:`\bar\mu` of all classes.

One singular value of M is always zero, because the weighted rows add up to zero, and comes out as a rounding error:
never more than C - 1 (or D) are kept. Of these, a singular value counts only where it exceeds what rounding of the
features alone would produce. Independent relative errors of size eps in all features give M a random part whose
largest singular value is about :math:`\epsilon \, h (\sqrt D + \sqrt C)`, h the root mean square of a feature.
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


@dataclass(frozen=True)
class Basis:
    """Class means of all samples and a basis of their differences, on the CPU in float64."""

    classes: int
    counts: Tensor  # samples of each class, [C]
    reference: Tensor  # the point [D] from which means are measured
    means: Tensor  # relative to the reference, [C, D]; zero for a class without samples
    remainders: Tensor  # rounding errors of the means
    centred: Tensor  # class means minus the mean of all samples, [C, D]
    directions: Tensor  # F [D, rank]; orthonormal columns, up to rounding times the condition number
    between: float  # tr Σ_B, in squared units of the features
    sizes: Tensor  # the non-zero singular values of M, [rank], in descending order
    rounding: float  # the singular value that rounding of the features alone could produce
    grain: float  # largest shift of a feature or a mean along one direction that rounding can cause
    spans_means: bool  # whether the directions span the means up to rounding, which a tolerance may prevent

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
        checks.real_number("tolerance", tolerance, least=0, below=1)
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
    """Sum a pair over its rows."""
    total = (torch.zeros_like(pair[0][0]), torch.zeros_like(pair[0][0]))
    for row in zip(*pair, strict=True):
        total = add(total, row)
    return total
