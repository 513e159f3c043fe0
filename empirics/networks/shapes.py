"""Named shapes of the tensors of batched networks, for readers and editors; they are not checked during training."""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor

Points = Float[Tensor, "#seed point input"]
Outputs = Float[Tensor, "seed point output"]
Activations = Float[Tensor, "seed point *unit"]  # a convolutional layer has two unit axes: position, channel
Weight = Float[Tensor, "seed fan_in fan_out"]
Bias = Float[Tensor, "seed 1 fan_out"]
Affine = tuple[Weight, Bias]
Parameters = list[Affine]  # layers 1 ... depth, then the readout
