"""Skip connections: a hidden layer's output jumps over the next two, h_l = φ(h_{l-1} W_l + b_l) + h_{l-2}."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from empirics.networks.architecture import Architecture
from empirics.networks.shapes import Activations, Affine


@dataclass(frozen=True)
class Skip(Architecture):
    """Fully connected, with the output of the layer two before added after the nonlinearity.

    The input and the readout take no part in it (the input has another dimension). "Jumping over the next two layers"
    (appendix B.1) is read as the released code reads it: what arrives at layer l comes from layer l - 2.
    """

    def hidden(self, layer: int, affine: Affine, earlier: Sequence[Tensor]) -> Activations:
        """Output of hidden layer ``layer``, ``[seed, point, width]``; see :meth:`Architecture.hidden`."""
        own = super().hidden(layer, affine, earlier)
        return own + earlier[layer - 2] if layer >= 3 else own
