"""The thesis' stronger network f₊ (section 2.3, figure 2.3a): three residual blocks and a linear readout.

Block l, with d₀ input channels and d = (64, 128, 256):
relu ∘ pool(2x2) ∘ bn ∘ conv(3x3, d_l) (relu(x + bn(conv(3x3, d_{l-1})(x)))).
The readout takes the maximum of each channel over the remaining pixels, followed by an affine map. Convolutions are
padded and have no biases. Batch normalisation uses the statistics of the batch and stores none, in training and
evaluation alike, so that outputs depend on the composition of the batches.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from empirics.networks import names
from empirics.networks.staged import StagedClassifier, checked_depths

DEPTHS = (64, 128, 256)
POOL = names.POOL["residual"]


class ResidualBlock(nn.Module):
    """A residual block ``[batch, inputs, h, w] -> [batch, outputs, h // 2, w // 2]``."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.same = nn.Conv2d(inputs, inputs, 3, padding="same", bias=False)
        self.same_norm = nn.BatchNorm2d(inputs, track_running_stats=False)
        self.wider = nn.Conv2d(inputs, outputs, 3, padding="same", bias=False)
        self.wider_norm = nn.BatchNorm2d(outputs, track_running_stats=False)

    def forward(self, x: Tensor) -> Tensor:
        """Return the representation after the block's last ReLU."""
        x = torch.relu(x + self.same_norm(self.same(x)))
        return torch.relu(nn.functional.max_pool2d(self.wider_norm(self.wider(x)), POOL))


def residual_cnn(
    channels: int = 3, size: int = 32, classes: int = 10, depths: tuple[int, ...] = DEPTHS
) -> StagedClassifier:
    """Build f₊ for images ``[batch, channels, size, size]``, with the arguments of :func:`empirics.networks.plain_cnn`.

    Raises:
        ValueError: if a number is not positive, or the image is too small for the blocks.
        TypeError: if a number is not an integer.
    """
    depths = checked_depths(channels, size, classes, depths, POOL)
    blocks = [ResidualBlock(a, b) for a, b in zip((channels, *depths), depths, strict=False)]
    final_size = size // POOL ** len(depths)
    return StagedClassifier(
        blocks, nn.Sequential(nn.MaxPool2d(final_size), nn.Flatten(), nn.Linear(depths[-1], classes))
    )
