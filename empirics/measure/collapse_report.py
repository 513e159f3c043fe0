r"""NC1 to NC4 from class means and scatter, with a note wherever a measure is undefined.

NC2 and NC3 are those of Papyan, Han and Donoho (2020), as distances that vanish at perfect collapse.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from empirics import check
from empirics.measure.collapse_basis import Basis

NAN = math.nan


@dataclass(frozen=True)
class NeuralCollapse:
    """How far the representations of a labelled sample have collapsed; everything dimensionless unless said.

    Attributes:
        nc1: tr(Σ_W Σ_B⁺), within-class over between-class variance in the directions that tell classes apart. Infinite
            where the class means coincide; NaN where there is nothing to compare (see ``note``).
        nc2_norm: spread of the lengths of the centred class means: their standard deviation over their mean.
        nc2_angle: mean over pairs of classes of |cos + 1/(C-1)|.
        nc3: squared distance of the classifier's weights from the centred class means, both of Frobenius norm one:
            2 - 2 cos, in [0, 4]; NaN without weights.
        nc4: share of samples whose predicted class is not the nearest class mean; NaN without predictions. Where k
            class means are equally near to rounding, each counts as the nearest with weight 1/k.
        rank: rank of Σ_B, at most C - 1 and at most D; below that some class means are indistinguishable.
        within: tr Σ_W, in squared units of the features.
        between: tr Σ_B, in squared units of the features.
        nearest_centre_error: share of samples nearer to another class mean than to their own, ties counted as for
            ``nc4``; NaN after one pass.
        counts: samples of each class, C integers.
        sizes: square roots of the non-zero eigenvalues of Σ_B, in units of the features, falling.
        note: what the numbers cannot say here; empty where there is nothing to add.
    """

    nc1: float
    nc2_norm: float
    nc2_angle: float
    nc3: float
    nc4: float
    rank: int
    within: float
    between: float
    nearest_centre_error: float
    counts: tuple[int, ...]
    sizes: tuple[float, ...]
    note: str


def report(
    basis: Basis,
    scatter: Tensor,
    total: float,
    misplaced: float | None,
    disagreeing: float | None,
    weights: Tensor | None,
    divide_by_classes: bool,
    centre: str,
) -> NeuralCollapse:
    """Put the measures together.

    Args:
        basis: class means and their spread.
        scatter: sum of squared deviations from the class means along each of its directions, ``[rank]``.
        total: sum of all squared deviations from the class means.
        misplaced: share of samples that are nearest to another class mean; None where not counted.
        disagreeing: share of predictions that are not the nearest class mean; None where there were none.
        weights: of the classifier ``[C, D]``, or None.
        divide_by_classes: whether to divide NC1 by the number of classes.
        centre: ``"samples"`` or ``"classes"``.

    Raises:
        ValueError: if ``centre`` is neither.
    """
    check.one_of("centre", centre, ("samples", "classes"))
    present = basis.present
    size = int(basis.counts.sum())
    nc1, notes = _first(basis, scatter, total)
    means = basis.centred[present]
    means = means - means.mean(0) if centre == "classes" else means
    least = basis.rounding / basis.counts[present].double().sqrt()
    norm, angle = _second(means, least) if basis.rank else (NAN, NAN)
    absent = basis.classes - len(present)
    if absent:
        notes.append(f"{absent} of {basis.classes} classes do not occur and are left out")
    return NeuralCollapse(
        nc1=nc1 / len(present) if divide_by_classes else nc1,
        nc2_norm=norm,
        nc2_angle=angle,
        nc3=NAN if weights is None or not basis.rank else _third(means, weights[present]),
        nc4=NAN if disagreeing is None else disagreeing,
        rank=basis.rank,
        within=total / size,
        between=float((basis.counts.double()[:, None] * basis.centred**2).sum()) / size,
        nearest_centre_error=NAN if misplaced is None else misplaced,
        counts=tuple(basis.counts.tolist()),
        sizes=tuple((basis.sizes / math.sqrt(size)).tolist()),
        note="; ".join(notes),
    )


def _first(basis: Basis, scatter: Tensor, total: float) -> tuple[float, list[str]]:
    """NC1, and what it cannot say."""
    present, counts = len(basis.present), basis.counts
    if present == 1:
        return NAN, ["one class: there is no between-class variance to compare with"]
    if int(counts.max()) == 1:
        return NAN, ["one sample a class: there is no within-class variance to see"]
    if basis.rank == 0:
        if total <= int(counts.sum()) * basis.means.shape[1] * basis.grain**2:
            return NAN, ["all representations are the same to rounding: neither variance exists"]
        return math.inf, ["the class means coincide to rounding: no collapse, NC1 is infinite"]
    notes = []
    if (most := min(present - 1, basis.means.shape[1])) > basis.rank:
        notes.append(f"rank {basis.rank} of {most}: NC1 says nothing about the missing directions")
    if int((counts == 1).sum()):
        notes.append(f"{int((counts == 1).sum())} classes have one sample, so no variance")
    return float((scatter / basis.sizes**2).sum()), notes


def _second(means: Tensor, least: Tensor) -> tuple[float, float]:
    """Both parts of NC2 from centred class means ``[C, D]``; one no longer than ``least`` ``[C]`` has no direction."""
    lengths = means.norm(dim=1)
    norm = float(lengths.std(correction=0) / lengths.mean())
    if bool((lengths <= least).any()):
        return norm, NAN
    unit = means / lengths[:, None]
    pairs = torch.triu_indices(len(means), len(means), 1)
    cosines = (unit @ unit.T)[pairs[0], pairs[1]]
    return norm, float((cosines + 1 / (len(means) - 1)).abs().mean())


def _third(means: Tensor, weights: Tensor) -> float:
    """Squared Frobenius distance of the two after normalisation."""
    length = float(weights.norm())
    return float((weights / length - means / means.norm()).square().sum()) if length else NAN
