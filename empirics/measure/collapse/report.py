r"""NC1 to NC4, computed from class means and scatter, with a note wherever a measure is undefined.

NC2 and NC3 follow Papyan, Han and Donoho (2020), written as distances that vanish at perfect collapse.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from closedform import checks
from empirics.measure.collapse.basis import Basis
from empirics.measure.measurement_result import MeasurementResult

NAN = math.nan
WORTH_A_NOTE = 1e-8  # fraction of NC1 that rounding may change


@dataclass(frozen=True, repr=False)
class NeuralCollapse(MeasurementResult):
    """Neural collapse of the representations of a labelled sample; dimensionless unless a unit is given.

    Attributes:
        nc1: tr(Σ_W Σ_B⁺), within-class over between-class variance in the span of the class means. Infinite where the
            class means coincide; NaN where it is undefined (see ``note``).
        nc2_norm: coefficient of variation (standard deviation over mean) of the lengths of the centred class means.
        nc2_angle: mean over pairs of classes of |cos + 1/(C-1)|, cos being that of the angle between their means.
        nc2_spread: standard deviation of that cosine over pairs of classes, 0 where all angles are equal.
        simplex_distance: Frobenius distance of the Gram matrix of the centred class means from that of a regular
            simplex, both of Frobenius norm one, in [0, 2]; it sees lengths and angles.
        nc3: squared distance of the classifier's weights from the centred class means, both of Frobenius norm one:
            2 - 2 cos, in [0, 4]; NaN without weights.
        nc4: fraction of samples whose predicted class differs from the class with the nearest mean; NaN without
            predictions. Where k class means are equally near up to rounding, all k count as nearest with weight 1/k.
        rank: rank of Σ_B, at most min(C - 1, D); a smaller rank means that class means are linearly dependent.
        within: tr Σ_W, in squared units of the features.
        between: tr Σ_B, in squared units of the features.
        nearest_centre_error: fraction of samples nearer to another class mean than to their own, with ties as for
            ``nc4``; NaN after a single pass.
        counts: number of samples of each class, C integers.
        sizes: square roots of the non-zero eigenvalues of Σ_B, in units of the features, in descending order.
        note: a sentence on each measure that is undefined or unreliable here; empty if there is none.
    """

    nc1: float
    nc2_norm: float
    nc2_angle: float
    nc2_spread: float
    simplex_distance: float
    nc3: float
    nc4: float
    rank: int
    within: float
    between: float
    nearest_centre_error: float
    counts: tuple[int, ...]
    sizes: tuple[float, ...]
    note: str

    @property
    def trace_ratio(self) -> float:
        """Tr Σ_W / tr Σ_B, which also counts directions that do not tell classes apart; infinite where Σ_B = 0."""
        return (
            self.within / self.between
            if self.between > 0
            else (math.inf if self.within > 0 else NAN)
        )


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
    """Compute all measures from the results of the two passes.

    ``scatter`` ``[rank]`` are the sums of squared deviations from the class means along the directions of the basis,
    ``total`` is that along all, ``misplaced`` and ``disagreeing`` are fractions of samples, or None.
    """
    checks.boolean("divide_by_classes", divide_by_classes)
    checks.one_of("centre", centre, ("samples", "classes"))
    present = basis.present
    size = int(basis.counts.sum())
    nc1, notes = _first(basis, scatter, total)
    means = basis.centred[present]
    means = means - means.mean(0) if centre == "classes" else means
    least = basis.rounding / basis.counts[present].double().sqrt()
    norm, angle, spread = _second(means, least) if basis.rank else (NAN, NAN, NAN)
    absent = basis.classes - len(present)
    if absent:
        notes.append(f"{absent} of {basis.classes} classes do not occur and are left out")
    return NeuralCollapse(
        nc1=nc1 / len(present) if divide_by_classes else nc1,
        nc2_norm=norm,
        nc2_angle=angle,
        nc2_spread=spread,
        simplex_distance=_from_simplex(means) if basis.rank else NAN,
        nc3=NAN if weights is None or not basis.rank else _third(means, weights[present]),
        nc4=NAN if disagreeing is None else disagreeing,
        rank=basis.rank,
        within=total / size,
        between=basis.between,
        nearest_centre_error=NAN if misplaced is None else misplaced,
        counts=tuple(basis.counts.tolist()),
        sizes=tuple((basis.sizes / math.sqrt(size)).tolist()),
        note="; ".join(notes),
    )


def _first(basis: Basis, scatter: Tensor, total: float) -> tuple[float, list[str]]:
    """Return NC1 and notes on why it is undefined or unreliable."""
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
    most = min(present - 1, basis.means.shape[1])
    if most > basis.rank:
        notes.append(f"rank {basis.rank} of {most}: NC1 says nothing about the missing directions")
    if int((counts == 1).sum()):
        notes.append(f"{int((counts == 1).sum())} classes have one sample, so no variance")
    nc1 = float((scatter / basis.sizes**2).sum())
    # of a root of NC1
    loss = torch.finfo(torch.float64).eps * math.sqrt(total) / float(basis.sizes[-1])
    if loss > WORTH_A_NOTE * math.sqrt(nc1) > 0:
        notes.append(
            f"NC1 may be wrong by a fraction of {loss / math.sqrt(nc1):.0e}: along some feature the samples spread far "
            "more than the class means differ; rescale the features"
        )
    return nc1, notes


def _second(means: Tensor, least: Tensor) -> tuple[float, float, float]:
    """Return NC2 of lengths and angles and the spread of cosines; means up to ``least`` long have no direction."""
    lengths = means.norm(dim=1)
    norm = float(lengths.std(correction=0) / lengths.mean())
    if bool((lengths <= least).any()):
        return norm, NAN, NAN
    unit = means / lengths[:, None]
    pairs = torch.triu_indices(len(means), len(means), 1)
    cosines = (unit @ unit.T)[pairs[0], pairs[1]]
    return (
        norm,
        float((cosines + 1 / (len(means) - 1)).abs().mean()),
        float(cosines.std(correction=0)),
    )


def _from_simplex(means: Tensor) -> float:
    """Return the distance of the Gram matrix of ``means`` ``[C, D]`` from that of a simplex, both of norm one."""
    size = len(means)
    gram = means @ means.T
    simplex = torch.eye(size, dtype=gram.dtype) - 1 / size
    return float((gram / gram.norm() - simplex / simplex.norm()).norm())


def _third(means: Tensor, weights: Tensor) -> float:
    """Return the squared Frobenius distance of ``means`` and ``weights``, both scaled to norm one."""
    length = float(weights.norm())
    return float((weights / length - means / means.norm()).square().sum()) if length else NAN
