"""Features and classes of points, or of positions of tokens and pixels, for measures of collapse."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class LabelledPoints:
    """Features and classes, renumbered so that a large vocabulary takes no more memory than the words that occur."""

    features: Tensor  # [n, D]
    labels: Tensor  # numbers of the classes among ``occurring``, [n]
    decisions: Tensor | None  # of predicted classes, [n], one more than the last for those that do not occur
    occurring: Tensor  # the classes that occur among the labels

    @classmethod
    def of(cls, features: Tensor, labels: Tensor, decisions: Tensor | None) -> LabelledPoints:
        """Return points with the given class indices, renumbered."""
        occurring, numbers = torch.unique(labels, return_inverse=True)
        if decisions is not None:
            place = torch.searchsorted(occurring, decisions.contiguous()).clamp(max=len(occurring) - 1)
            decisions = torch.where(occurring[place] == decisions, place, len(occurring))
        return cls(features, numbers, decisions, occurring)

    @property
    def classes(self) -> int:
        """Number of classes, with one for all decisions that do not occur among the labels."""
        return max([len(self.occurring), *([] if self.decisions is None else [int(self.decisions.max()) + 1])])
