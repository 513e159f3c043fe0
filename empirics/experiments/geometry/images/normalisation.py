"""Statistics of batch normalisation for untrained networks."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def refresh_batch_norm(model: nn.Module, inputs: Tensor, batch_size: int) -> None:
    """Set the running statistics of the normalisation layers to those of ``inputs``; the weights do not change.

    In evaluation mode a new network would divide by one whatever its activations are, and its features would be as
    small as 1e-7. With these statistics the untrained network is compared in its normalised form, as trained networks
    are.

    Args:
        model: any network; its mode and the momentum of its normalisation layers are restored.
        inputs: ``[N, ...]``.
        batch_size: largest number of inputs in a batch; the statistics are averages over the batches.
    """
    layers = [layer for layer in model.modules() if isinstance(layer, nn.BatchNorm2d)]
    momenta, training = [layer.momentum for layer in layers], model.training
    for layer in layers:
        layer.reset_running_stats()
    model.train()
    with torch.no_grad():
        for number, batch in enumerate(inputs.tensor_split(-(-len(inputs) // batch_size)), start=1):
            for layer in layers:
                layer.momentum = 1 / number  # the plain average; with None torch reads the number from the device
            model(batch)
    for layer, momentum in zip(layers, momenta, strict=True):
        layer.momentum = momentum
    model.train(training)
