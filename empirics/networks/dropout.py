"""Dropout: in training, every input of every affine map is zeroed with probability p, the rest is scaled by 1/(1-p).

"A dropout probability of 0.1 was used on all units" (appendix B.1) includes the input, as in the released code.
Measurements are made without dropout (in evaluation mode), again as in the released code; the loss in a trace is
therefore that of the noiseless network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from empirics.networks.architecture import Architecture, Outputs, Parameters, Points


@dataclass(frozen=True)
class Dropout(Architecture):
    """A fully connected network in whose training an input of an affine map is zeroed with a probability below 1."""

    probability: float = 0.1

    trains_with_noise = True

    def masks(self, generators: Sequence[torch.Generator], like: Points) -> list[Tensor]:
        """Draw one mask per affine map, ``[seed, point, fan_in]``, with a separate generator for every seed."""
        sizes = [shape.inputs for shape in self.shapes()]
        draws = [
            torch.rand(like.shape[-2], sum(sizes), generator=g, dtype=like.dtype, device=like.device)
            for g in generators
        ]
        keep = (torch.stack(draws) >= self.probability).to(like.dtype).div_(1 - self.probability)
        return list(torch.split(keep, sizes, dim=-1))

    def forward_with_noise(self, parameters: Parameters, x: Points, masks: Sequence[Tensor]) -> Outputs:
        """Return the output ``[seed, point, output]`` with the inputs of every affine map multiplied by ``masks``."""
        activity = x
        for layer in range(1, self.depth + 1):
            activity = super().hidden(1, parameters[layer - 1], [activity * masks[layer - 1]])
        return self.readout(parameters[-1], activity * masks[-1])
