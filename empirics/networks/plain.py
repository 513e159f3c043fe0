"""The thesis' plain network f₋ (section 2.3, figure 2.3b): f₊ without skip connections, with fewer convolutions.

Block l, with d/4 = (16, 32, 64): relu ∘ pool(3x3) ∘ bn ∘ conv(5x5, d_l / 4). After three of them an image of 28 or 32
pixels is down to one, and the readout is an affine map. Convolutions are padded and have no biases; batch normalisation
uses the batch's statistics and stores none, as in :mod:`empirics.networks.residual`.
"""

from __future__ import annotations

from torch import nn

from empirics.networks import names
from empirics.networks.staged import StagedClassifier, checked_depths

DEPTHS = (16, 32, 64)
KERNEL, POOL = 5, names.POOL["plain"]


def plain_cnn(
    channels: int = 3, size: int = 32, classes: int = 10, depths: tuple[int, ...] = DEPTHS
) -> StagedClassifier:
    """Build f₋ for images ``[batch, channels, size, size]``.

    Args:
        channels: number of channels of the images, default 3.
        size: height and width of the images in pixels, default 32.
        classes: number of logits C, default 10.
        depths: number of channels after each block; the default is that of the thesis.

    Raises:
        ValueError: if a number is not positive, or the image is too small for the blocks.
        TypeError: if a number is not an integer.
    """
    depths = checked_depths(channels, size, classes, depths, POOL)
    final_size = size // POOL ** len(depths)
    blocks = [
        nn.Sequential(
            nn.Conv2d(a, b, KERNEL, padding="same", bias=False),
            nn.BatchNorm2d(b, track_running_stats=False),
            nn.MaxPool2d(POOL),
            nn.ReLU(),
        )
        for a, b in zip((channels, *depths), depths, strict=False)
    ]
    return StagedClassifier(blocks, nn.Sequential(nn.Flatten(), nn.Linear(final_size**2 * depths[-1], classes)))
