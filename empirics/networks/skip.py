"""Skip connections over two layers: h_l = φ(h_{l-1} W_l + b_l) + h_{l-2}."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from empirics.networks.architecture import Architecture
from empirics.networks.shapes import Activations, Affine


@dataclass(frozen=True)
class Skip(Architecture):
    """A fully connected network that adds the output of the layer two below after the activation.

    Skip connections start and end at hidden layers only (the input has another dimension). "Jumping over the next two
    layers" (appendix B.1) is read as in the released code: layer l receives the output of layer l - 2.
    """

    def hidden(self, layer: int, affine: Affine, earlier: Sequence[Tensor]) -> Activations:
        """Return the output of hidden layer ``layer``, ``[seed, point, width]``; see :meth:`Architecture.hidden`."""
        output = super().hidden(layer, affine, earlier)
        return output + earlier[layer - 2] if layer >= 3 else output
