"""Training sets, test sets and initial networks of every seed, drawn on the CPU in float64 for all devices."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from empirics.data.invariant import shell_labels, stripe_labels
from empirics.experiments.compression.config import Config
from empirics.seeding import generator


@dataclass(frozen=True)
class Realisations:
    """Data and initial networks of all seeds of a run, in float64 on the CPU.

    Attributes:
        inputs: training points ``[seed, point, d]``.
        labels: their labels ``[seed, point]``, +1 or -1.
        hidden: initial weights and, last, biases of the hidden layer, ``[seed, neuron, d + 1]``.
        output: initial weights of the output layer, ``[seed, neuron]``.
        test_inputs: test points ``[seed, test point, d]``.
        test_labels: their labels ``[seed, test point]``.
    """

    inputs: Tensor
    labels: Tensor
    hidden: Tensor
    output: Tensor
    test_inputs: Tensor
    test_labels: Tensor


def realisations(config: Config) -> Realisations:
    """Return the data and initial networks of ``config``; those of a seed do not depend on the other seeds."""
    d, kind = config.dimension, torch.float64
    drawn = []
    for seed in config.seed_numbers:
        data, weights, test = (generator(seed, purpose) for purpose in ("teacher", "weights", "subset"))
        inputs = torch.randn(config.points, d, generator=data, dtype=kind)
        hidden = torch.randn(config.width, d + 1, generator=weights, dtype=kind)
        output = torch.randn(config.width, generator=weights, dtype=kind)
        tests = torch.randn(config.test_points, d, generator=test, dtype=kind)
        drawn.append((inputs, labelled(config, inputs), hidden, output, tests, labelled(config, tests)))
    return Realisations(*(torch.stack(tensors) for tensors in zip(*drawn, strict=True)))


def labelled(config: Config, inputs: Tensor) -> Tensor:
    """Return the labels of ``inputs`` ``[..., d]`` under ``config``, +1 or -1, ``[...]``."""
    assert config.boundaries is not None
    assert config.first_label is not None
    assert config.d_parallel is not None
    if config.labels == "stripes":
        return stripe_labels(inputs, config.boundaries, config.first_label)
    return shell_labels(inputs, config.boundaries, config.d_parallel, config.first_label)
