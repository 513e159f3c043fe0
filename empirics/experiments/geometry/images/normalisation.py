"""Statistics of batch normalisation for a network that has not learned yet."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def settle(model: nn.Module, inputs: Tensor, batch_size: int) -> None:
    """Give the normalisation layers the statistics of ``inputs``: one pass in training mode, no weight changes.

    In evaluation mode a fresh network would divide by one whatever its activations are, and its features come out
    at 1e-7: the untrained network is to be compared as it will be used, normalised.

    Args:
        model: any network; the momentum of its normalisation layers and its mode are restored.
        inputs: ``[N, ...]``.
        batch_size: the statistics are the mean of those of the batches.
    """
    layers = [layer for layer in model.modules() if isinstance(layer, nn.BatchNorm2d)]
    before, training = [layer.momentum for layer in layers], model.training
    for layer in layers:
        layer.reset_running_stats()
        layer.momentum = None  # torch's sign for a plain average
    model.train()
    with torch.no_grad():
        for batch in inputs.tensor_split(-(-len(inputs) // batch_size)):
            model(batch)
    for layer, momentum in zip(layers, before, strict=True):
        layer.momentum = momentum
    model.train(training)
