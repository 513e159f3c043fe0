"""One network of a batch as an ordinary ``nn.Module``, for measurements, hooks and other tools that need a module.

Hidden layer l is the submodule ``hidden.l`` (counted from 1) and its output is the representation after that layer's
activation; the last map is ``readout``.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from closedform import checks
from empirics.networks.architecture import Architecture, Dropout, Parameters


class NetworkLayer(nn.Module):
    """A hidden layer with its activation, or the readout if ``layer`` is depth + 1."""

    def __init__(
        self, architecture: Architecture, layer: int, weight: Tensor, bias: Tensor
    ) -> None:
        super().__init__()
        self.architecture, self.layer = architecture, layer
        self.weight, self.bias = (
            nn.Parameter(weight.detach().clone()),
            nn.Parameter(bias.detach().clone()),
        )

    def forward(self, earlier: Sequence[Tensor]) -> Tensor:
        """Return the output of this layer, ``[point, ...]``, from the input and the outputs of all earlier layers."""
        affine = (self.weight.unsqueeze(0), self.bias.unsqueeze(0))
        batched = [h.unsqueeze(0) for h in earlier]
        if self.layer > self.architecture.depth:
            return self.architecture.readout(affine, batched[-1]).squeeze(0)
        return self.architecture.hidden(self.layer, affine, batched).squeeze(0)


class SingleNetwork(nn.Module):
    """A single network ``[point, input] -> [point, output]``."""

    def __init__(self, architecture: Architecture, parameters: Parameters, index: int) -> None:
        super().__init__()
        self.architecture = architecture
        layers = [
            NetworkLayer(architecture, l, w[index], b[index])
            for l, (w, b) in enumerate(parameters, start=1)
        ]
        self.hidden = nn.ModuleDict({str(layer.layer): layer for layer in layers[:-1]})
        self.readout = layers[-1]

    def forward(self, x: Tensor) -> Tensor:
        """Return the output ``[point, output]`` at ``x`` ``[point, input]``, with dropout in training mode only."""
        noisy = isinstance(self.architecture, Dropout) and self.training
        p = self.architecture.probability if isinstance(self.architecture, Dropout) else 0.0
        earlier = [x]
        for layer in self.hidden.values():
            seen = [*earlier[:-1], nn.functional.dropout(earlier[-1], p)] if noisy else earlier
            earlier.append(layer(seen))
        out: Tensor = self.readout(
            [nn.functional.dropout(earlier[-1], p)] if noisy else earlier[-1:]
        )
        return out


def linear_map(weight: Tensor, bias: Tensor | None = None) -> nn.Linear:
    """Return the linear map with copies of a weight ``[out, in]`` and a bias ``[out]``; no random number is drawn."""
    outputs, inputs = weight.shape
    linear: nn.Linear = nn.utils.skip_init(  # type: ignore[no-untyped-call]
        nn.Linear, inputs, outputs, bias=bias is not None, dtype=weight.dtype, device=weight.device
    )
    with torch.no_grad():
        linear.weight.copy_(weight)
        if bias is not None:
            linear.bias.copy_(bias)
    return linear


def _has_tensors(pair: object) -> bool:
    return isinstance(pair, list | tuple) and all(isinstance(part, Tensor) for part in pair)


def single(architecture: Architecture, parameters: Parameters, index: int = 0) -> SingleNetwork:
    """Return network number ``index`` of a batch, as an ``nn.Module`` with its own copy of the parameters.

    Args:
        architecture: the architecture of the networks.
        parameters: parameters of the batch, as :func:`empirics.networks.initial_weights` returns them.
        index: position in the batch (not the seed), default 0.

    Returns:
        A module ``[point, input] -> [point, output]`` with submodules ``hidden.1`` ... ``hidden.depth`` and
        ``readout``.

    Raises:
        TypeError: if the architecture or the parameters are of the wrong type.
        IndexError: if the batch has no such network.

    >>> from empirics.networks import build, initial_weights
    >>> network = build("fully_connected", inputs=2, width=8, depth=3)
    >>> single(network, initial_weights(network, 1.0, seeds=[0, 1]), index=1)(torch.zeros(5, 2).double()).shape
    torch.Size([5, 1])
    """
    checks.instance(
        "architecture", architecture, Architecture, "an architecture of empirics.networks"
    )
    pairs = parameters if isinstance(parameters, list | tuple) else []
    if not pairs or not all(map(_has_tensors, pairs)):
        needs = "a list with a pair of weight and bias for each layer and the readout"
        raise TypeError(f"parameters: got {type(parameters).__name__}, needs {needs}")
    seeds = parameters[0][0].shape[0]
    if not 0 <= index < seeds:
        raise IndexError(
            f"index: got {index}, needs 0 <= index < {seeds} (the networks in the batch)"
        )
    with torch.no_grad():
        return SingleNetwork(architecture, parameters, index)
