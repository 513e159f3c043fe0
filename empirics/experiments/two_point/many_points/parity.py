r"""How linear encoder and decoder are between two points: the odd and the even part of each around the middle.

Between :math:`x_1` and :math:`x_2` with the middle :math:`\bar x`, the encoder's odd part is :math:`\tfrac12 (h(x_2) -
h(x_1))` and its even part :math:`\tfrac12 (h(x_1) + h(x_2)) - h(\bar x)`. For a smooth map these are the first-order
and the second-order term of Taylor's expansion in :math:`\tfrac12 (x_2 - x_1)`, with relative errors of second order.
They also exist for a ReLU, whose second derivative is zero almost everywhere. The decoder's are those of the map from
representations to outputs between :math:`h(x_1)` and :math:`h(x_2)`.
"""

from __future__ import annotations

import torch
from torch import Tensor

from empirics.networks.architecture import Architecture
from empirics.networks.shapes import Outputs, Parameters


def representation(architecture: Architecture, parameters: Parameters, layer: int, x: Tensor) -> Tensor:
    """Return the representation ``[seed, point, width]`` of the inputs ``[seed, point, input]`` in a hidden layer."""
    hidden, _ = architecture.forward(parameters, x)
    return hidden[layer - 1]


def decoded(architecture: Architecture, parameters: Parameters, layer: int, h: Tensor) -> Outputs:
    """Return the outputs ``[seed, point, output]`` of a fully connected network at representations of ``layer``."""
    activity = [h] * (layer + 1)
    for above in range(layer + 1, architecture.depth + 1):
        activity.append(architecture.hidden(above, parameters[above - 1], activity))
    return architecture.readout(parameters[-1], activity[-1])


@torch.no_grad()
def parts(architecture: Architecture, parameters: Parameters, layer: int, first: Tensor, second: Tensor) -> Tensor:
    """Return lengths of the odd and even parts between pairs of points.

    Args:
        architecture: a fully connected network.
        parameters: its weights and biases, of all seeds.
        layer: hidden layer of the representation, counted from 1.
        first: one point of every pair, ``[pair, input]``.
        second: the other point of every pair, ``[pair, input]``.

    Returns:
        ``[4, seed, pair]``: encoder odd, encoder even, decoder odd, decoder even, in float64.
    """
    weight = parameters[0][0]
    ends = [x.to(weight).expand(weight.shape[0], *x.shape) for x in (first, second)]
    h1, h2, h_middle = (representation(architecture, parameters, layer, x) for x in (*ends, (ends[0] + ends[1]) / 2))
    y1, y2, y_middle = (decoded(architecture, parameters, layer, h) for h in (h1, h2, (h1 + h2) / 2))
    vectors = []
    for one, other, middle in ((h1, h2, h_middle), (y1, y2, y_middle)):
        one, other, middle = one.double(), other.double(), middle.double()
        vectors += [(other - one) / 2, (one + other) / 2 - middle]
    return torch.stack([vector.norm(dim=-1) for vector in vectors])
