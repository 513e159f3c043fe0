"""New labels for the samples of each class: the digits of their number within the class (thesis, Algorithm 2).

Counting starts at 0 here, so that n samples need the fewest digits k with C^k >= n, found in exact integers. The theory
is ``theory.collapse.relabelling``.
"""

from __future__ import annotations

import torch
from jaxtyping import Int64
from torch import Tensor

from empirics import check


def relabelling_digits(labels: Int64[Tensor, " N"], classes: int) -> Int64[Tensor, "N digits"]:
    """Relabellings that tell apart the samples of one class and say nothing about the class.

    Args:
        labels: class indices ``[N]``, int64.
        classes: C >= 2, the base of the digits.

    Returns:
        ``[N, digits]``, int64, 0 ... C - 1, the least significant digit first.

    Raises:
        ValueError: if there are fewer than two classes, or no class has two samples (there is nothing to tell apart).
    """
    check.whole("classes", classes, 2)  # the base of the digits
    largest = int(torch.bincount(labels, minlength=classes).max())
    if largest < 2:
        raise ValueError("labels: no class has two samples; there is nothing to relabel")
    number = torch.zeros_like(labels)
    for c in range(classes):
        members = labels == c
        number[members] = torch.arange(int(members.sum()), device=labels.device)
    digits = []
    reach = 1
    while reach < largest:
        digits.append(number % classes)
        number = number // classes
        reach *= classes
    return torch.stack(digits, dim=1)
