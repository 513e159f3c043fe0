"""A multilayer perceptron as a chain of stages: affine map and ReLU, then an affine readout."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from torch import nn

from closedform import checks
from empirics.networks.staged import StagedClassifier


def mlp(inputs: int, widths: Sequence[int] = (128, 128, 128), classes: int = 10) -> StagedClassifier:
    """Build a multilayer perceptron for inputs ``[batch, ...]``, which are flattened to ``inputs`` numbers.

    Args:
        inputs: number of entries of one input.
        widths: widths of the hidden layers, at least one, default (128, 128, 128).
        classes: number of logits C, default 10.

    Raises:
        ValueError: if there is no hidden layer or a size is not positive.
    """
    sizes = [checks.size("inputs", inputs), *checks.sizes("widths", widths, some=True)]
    stages = [nn.Sequential(nn.Flatten(), nn.Linear(a, b), nn.ReLU()) for a, b in pairwise(sizes)]
    return StagedClassifier(stages, nn.Linear(sizes[-1], classes))
