r"""First pass of neural collapse: class means of representations, accumulated by batches and merged in any order.

All sums are taken relative to a reference point, the first sample, in double-double arithmetic. Rounding errors are
then relative to the distances between samples and not to their common offset. They are so small that a direction in
which the class means differ 1e8 times less than in another is still resolved to all digits. The accumulator stores
2·C·D numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import torch
from jaxtyping import Int, Real
from torch import Tensor

from closedform import checks, loops
from closedform.rounding import two_sum
from empirics import tensor_checks
from empirics.measure.collapse.double_double import Pair, add, exact_parts, scale

MODERATE = 1e-135, 1e150  # sizes of numbers whose squares and products are in the range of float64
# entries converted to float64 at once: 3 MB, which stays in a processor's cache
PIECE = 24 * 16_384
FEWEST = 2**22  # numbers of a batch for which loops are used
MOST_DIRECTIONS = 12  # for which loops are used; a matrix product is faster for many
ON_DEVICE = 64  # factor by which pieces are larger on an accelerator, where a kernel launch costs more than memory


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
        with tensor_checks.memory_for(classes=self.classes):
            self.counts = torch.zeros(self.classes, dtype=torch.int64)
        self.reference: Tensor | None = None
        self.sums: Tensor | None = None
        self.remainders: Tensor | None = None
        self.squares = 0.0
        self.precision = torch.finfo(torch.float64).eps

    @property
    def dimension(self) -> int | None:
        """The dimension D of the flattened features; None before the first update."""
        return None if self.reference is None else len(self.reference)

    def update(
        self, features: Real[Tensor, "batch ..."] | Any, labels: Int[Tensor, " batch"] | Any
    ) -> CollapseMeans:
        """Add a batch; returns the accumulator itself.

        Args:
            features: representations ``[batch, ...]``, flattened to ``[batch, D]``; any real type, on any device.
            labels: class indices ``[batch]``.

        Raises:
            TypeError: if an argument is of the wrong kind.
            ValueError: if shapes do not fit, a value is out of range or not finite, or there is no memory for so many
                classes and dimensions; nothing was added then.
        """
        x = features_of(features, self.dimension)
        y = labels_of("labels", labels, len(x), self.classes, x.device)
        reference = x[0].double() if self.reference is None else self.reference.to(x.device)
        with tensor_checks.memory_for(classes=self.classes, features=x.shape[1]):
            zero = torch.zeros(self.classes, x.shape[1], dtype=torch.float64, device=x.device)
            sums = (zero.clone(), zero)
        squares = math.nan
        if by_loops(x):
            from empirics.measure.collapse import pass_loops

            squares = pass_loops.add_samples(x, y, reference, sums[0])
        if not math.isfinite(squares):  # the ordinary way, which also explains what is wrong
            sums, squares = (zero.clone(), zero), 0.0
            for rows, part in pieces(x):
                squares += square(part)
                if x.dtype == torch.float64:
                    leading, rest = exact_parts(part, reference)
                    parts = (
                        add_by_class(zero.clone(), y[rows], leading),
                        add_by_class(zero.clone(), y[rows], rest),
                    )
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
        checks.require(
            other.classes == self.classes, "other", f"{other.classes} classes", str(self.classes)
        )
        if other.reference is None or other.sums is None:
            return self
        if self.reference is None or self.sums is None:
            self.__dict__.update(deepcopy(other.__dict__))
            return self
        checks.require(
            other.dimension == self.dimension,
            "other",
            f"D = {other.dimension}",
            str(self.dimension),
        )
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


def features_of(value: Any, dimension: int | None = None) -> Tensor:
    """Return representations as ``[batch, D]`` on their device and in their precision; D as given, if it is."""
    tensor = tensor_checks.real_numbers("features", value)
    tensor_checks.shape(
        "features", tensor, tensor.ndim >= 2 and tensor.numel() > 0, "[batch, D], not empty"
    )
    tensor = tensor.flatten(1)
    if tensor.device.type == "mps":  # MPS has no float64
        tensor = tensor.cpu()
    if dimension is not None and tensor.shape[1] != dimension:
        raise ValueError(f"features: got D = {tensor.shape[1]}, needs {dimension} as before")
    return tensor


def labels_of(name: str, value: Any, size: int, classes: int, device: torch.device) -> Tensor:
    """Return ``size`` class indices from 0 to ``classes`` - 1 as int64 ``[batch]`` on ``device``."""
    labels = tensor_checks.class_indices(name, value)
    tensor_checks.shape(
        name, labels, labels.shape == (size,), f"[{size}], one for each row of features"
    )
    least, largest = int(labels.min()), int(labels.max())
    there = least >= 0 and largest < classes
    checks.require(there, name, f"{least} ... {largest}", f"0 ... {classes - 1} (classes - 1)")
    return labels.to(device, torch.int64)


def by_loops(x: Tensor, directions: int = 0) -> bool:
    """Return whether a pass over features ``[N, D]`` is made by loops: its size decides, and not what was before.

    Args:
        x: features.
        directions: number of directions on which they are projected.
    """
    fits = x.device.type == "cpu" and x.dtype == torch.float32 and x.is_contiguous()
    return fits and x.numel() >= FEWEST and directions <= MOST_DIRECTIONS and loops.is_installed()


def square(part: Tensor) -> float:
    """Return the sum of the squares of finite representations in float64; ValueError if they leave its range."""
    length = float(torch.linalg.vector_norm(part))
    if not length <= MODERATE[1]:
        tensor_checks.finite("features", part)
    largest = (
        length
        if MODERATE[0] <= length <= MODERATE[1]
        else float(torch.linalg.vector_norm(part, torch.inf))
    )
    fits = largest == 0 or MODERATE[0] <= largest <= MODERATE[1]
    needs = "numbers whose squares are in the range of float64; multiply them by a constant"
    checks.require(fits, "features", f"numbers up to {largest:.0e}", needs)
    return length**2


def pieces(features: Tensor) -> Iterator[tuple[slice, Tensor]]:
    """Yield slices of rows with a float64 copy of these rows, which the next piece overwrites."""
    limit = PIECE if features.device.type == "cpu" else ON_DEVICE * PIECE
    rows = min(len(features), max(1, limit // features.shape[1]))
    memory = features.new_empty(rows, features.shape[1], dtype=torch.float64)
    for start in range(0, len(features), rows):
        part = features[start : start + rows]
        yield slice(start, start + rows), memory[: len(part)].copy_(part)


def add_by_class(sums: Tensor, labels: Tensor, values: Tensor) -> Tensor:
    """Add the rows of ``values`` ``[batch, D]`` to the rows of ``sums`` ``[C, D]`` of their classes, in place."""
    if values.device.type == "cpu":
        return sums.index_add_(0, labels, values)
    member = torch.nn.functional.one_hot(labels, len(sums)).to(values.dtype)
    return sums.addmm_(member.T, values)  # index_add_ adds in a random order on an accelerator


def precision(dtype: torch.dtype) -> float:
    """Return the relative rounding error of features of this type; zero for integers, which are exact."""
    exact = not dtype.is_floating_point
    return torch.finfo(torch.float64 if exact else dtype).eps
