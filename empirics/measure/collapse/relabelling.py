"""Relabelling of samples within their class: the base-C digits of their index in the class (thesis, Algorithm 2).

Indices start at 0 here, so that n samples need the smallest number of digits k with C^k >= n, computed in exact
integers. The theory is ``theory.collapse.relabelling``.
"""

from __future__ import annotations

import torch
from jaxtyping import Int64
from torch import Tensor

from closedform import checks
from empirics import tensor_checks
from empirics.data.dataset import number_in_class


def relabelling_digits(labels: Int64[Tensor, " N"], classes: int) -> Int64[Tensor, "N digits"]:
    """Compute relabellings that distinguish the samples of one class and carry no information about the class.

    Args:
        labels: class indices ``[N]``, int64.
        classes: C >= 2, the base of the digits.

    Returns:
        New labels ``[N, digits]``, int64, 0 ... C - 1, the least significant digit first.

    Raises:
        ValueError: if there are fewer than two classes, a label is none of them, or no class has two samples (nothing
            to relabel).
        TypeError: if the labels are not integers.

    >>> relabelling_digits(torch.tensor([0, 0, 0, 1, 1]), classes=2).tolist()
    [[0, 0], [1, 0], [0, 1], [0, 0], [1, 0]]
    """
    checks.size("classes", classes, 2)  # the base of the digits
    labels = tensor_checks.class_indices("labels", labels).long()
    fits = labels.ndim == 1 and len(labels) > 0
    tensor_checks.shape("labels", labels, fits, "[N] with at least one sample")
    inside = bool(((labels >= 0) & (labels < classes)).all())
    checks.require(inside, "labels", "class indices outside of the classes", f"integers from 0 to {classes - 1}")
    largest = int(torch.bincount(labels, minlength=classes).max())
    if largest < 2:
        raise ValueError("labels: no class has two samples; there is nothing to relabel")
    number = number_in_class(labels, classes)
    digits = []
    reach = 1
    while reach < largest:
        digits.append(number % classes)
        number = number // classes
        reach *= classes
    return torch.stack(digits, dim=1)
