r"""First pass of neural collapse: class means of representations, accumulated by batches and merged in any order.

All sums are taken relative to a reference point, the first sample, in double-double arithmetic. Rounding errors are
then relative to the distances between samples and not to their common offset. They are so small that a direction in
which the class means differ 1e8 times less than in another is still resolved to all digits. The accumulator stores
2·C·D numbers.
"""

from __future__ import annotations

import math
from copy import deepcopy
from typing import Any

import torch
from jaxtyping import Int, Real
from torch import Tensor

from closedform import checks
from closedform.rounding import two_sum
from empirics import tensor_checks
from empirics.measure.collapse import compiled_passes
from empirics.measure.collapse.checked_input import add_by_class, features_of, labels_of, pieces, precision, square
from empirics.measure.collapse.double_double import Pair, add, exact_parts, scale


class CollapseMeans:
    """Accumulator of class sums; the first of the two passes of the thesis' Algorithm 1, for any class sizes.

    ``update`` takes batches in any order; ``merge`` takes accumulators of other parts of the same data, from other
    workers or devices (accumulators can be pickled). :func:`empirics.measure.collapse.basis.freeze` then computes the
    means.

    Args:
        classes: number of classes C, at least 1. Classes without samples are left out of every result.

    Attributes:
        counts: number of samples of each class, ``[C]``, int64.
        reference: the point ``[D]`` relative to which all sums are taken; None before the first update.
        sums: sum of (feature - reference) over the samples of each class, ``[C, D]``, float64; its rounding errors are
            kept in ``remainders``.
        squares: sum of all squared features, from which the size of their rounding errors follows.
        precision: relative rounding error of the coarsest number type of the features so far.

    >>> CollapseMeans(2).update(torch.eye(4), torch.tensor([0, 0, 1, 1])).counts.tolist()
    [2, 2]
    """

    def __init__(self, classes: int) -> None:
        self.classes = checks.size("classes", classes)
        self.counts = torch.zeros(classes, dtype=torch.int64)
        self.reference: Tensor | None = None
        self.sums: Tensor | None = None
        self.remainders: Tensor | None = None
        self.squares = 0.0
        self.precision = torch.finfo(torch.float64).eps

    @property
    def dimension(self) -> int | None:
        """The dimension D of the flattened features; None before the first update."""
        return None if self.reference is None else len(self.reference)

    def update(self, features: Real[Tensor, "batch ..."] | Any, labels: Int[Tensor, " batch"] | Any) -> CollapseMeans:
        """Add a batch; returns the accumulator itself.

        Args:
            features: representations ``[batch, ...]``, flattened to ``[batch, D]``; any real type, on any device.
            labels: class indices ``[batch]``.

        Raises:
            TypeError: if an argument is of the wrong kind.
            ValueError: if shapes do not fit or a value is out of range or not finite; nothing was added then.
        """
        x = features_of(features, self.dimension)
        y = labels_of("labels", labels, len(x), self.classes, x.device)
        reference = x[0].double() if self.reference is None else self.reference.to(x.device)
        zero = torch.zeros(self.classes, x.shape[1], dtype=torch.float64, device=x.device)
        sums = (zero.clone(), zero)
        squares = compiled_passes.add_samples(x, y, reference, sums[0]) if compiled_passes.pays(x) else math.nan
        if not math.isfinite(squares):  # the ordinary way, which also explains what is wrong
            sums, squares = (zero.clone(), zero), 0.0
            for rows, part in pieces(x):
                squares += square(part)
                if x.dtype == torch.float64:
                    leading, rest = exact_parts(part, reference)
                    parts = (add_by_class(zero.clone(), y[rows], leading), add_by_class(zero.clone(), y[rows], rest))
                    sums = add(sums, parts)
                else:  # shorter types: plain float64 sums are accurate enough
                    add_by_class(sums[0], y[rows], part.sub_(reference))
        tensor_checks.finite("features", sums[0])
        if self.sums is None or self.remainders is None:
            self.reference = reference
        else:
            sums = add((self.sums, self.remainders), _on(self.sums.device, sums))
        self.sums, self.remainders = sums
        self.counts += torch.bincount(y, minlength=self.classes).cpu()
        self.squares += squares
        self.precision = max(self.precision, precision(x.dtype))
        return self

    def merge(self, other: CollapseMeans) -> CollapseMeans:
        """Add the samples of another accumulator, on any device; returns this one and leaves ``other`` unchanged.

        Raises:
            TypeError: if ``other`` is not a :class:`CollapseMeans`.
            ValueError: if ``other`` has another number of classes or another dimension.
        """
        checks.instance("other", other, CollapseMeans, "a CollapseMeans")
        checks.require(other.classes == self.classes, "other", f"{other.classes} classes", str(self.classes))
        if other.reference is None or other.sums is None:
            return self
        if self.reference is None or self.sums is None:
            self.__dict__.update(deepcopy(other.__dict__))
            return self
        checks.require(other.dimension == self.dimension, "other", f"D = {other.dimension}", str(self.dimension))
        assert self.remainders is not None
        assert other.remainders is not None
        device = self.sums.device
        offset = two_sum(other.reference.to(device), -self.reference)
        moved = scale(offset, other.counts.to(device, torch.float64)[:, None])
        shifted_sums = add(_on(device, (other.sums, other.remainders)), moved)
        self.sums, self.remainders = add((self.sums, self.remainders), shifted_sums)
        self.counts += other.counts
        self.squares += other.squares
        self.precision = max(self.precision, other.precision)
        return self


def _on(device: torch.device, pair: Pair) -> Pair:
    return pair[0].to(device), pair[1].to(device)
