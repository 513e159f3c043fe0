"""Changes of colour for whole batches of images in [0, 1], each image with its own strength; plain torch.

As torchvision defines them: brightness scales, contrast mixes with the image's mean grey, saturation mixes with its own
grey, hue turns the colour circle. The order is always this one (torchvision draws an order for each image). Images with
one channel have neither saturation nor hue.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import conv2d, pad

from empirics.experiments.geometry.images.augmentation import chosen, uniform

GREY = (0.299, 0.587, 0.114)  # ITU-R 601-2, as PIL and torchvision
REACH = 3  # standard deviations at which the blur is cut off
SIGMA = (0.1, 2.0)  # of the blur, pixels


def grey(images: Tensor) -> Tensor:
    """Luminance, ``[batch, channel, height, width] -> [batch, 1, height, width]``."""
    if images.shape[1] == 1:
        return images
    weights = torch.tensor(GREY, dtype=images.dtype, device=images.device)
    return (images * weights[:, None, None]).sum(1, keepdim=True)


def turned(images: Tensor, angle: Tensor) -> Tensor:
    """Hue turned by ``angle`` ``[batch, 1, 1, 1]`` in full turns; saturation and value stay what they are.

    Args:
        images: ``[batch, 3, height, width]`` in [0, 1].
        angle: one third takes red to green.
    """
    value, least = images.max(1).values, images.min(1).values
    spread = value - least
    safe = torch.where(spread > 0, spread, torch.ones_like(spread))
    r, g, b = images.unbind(1)
    sector = torch.where(
        value == r, ((g - b) / safe) % 6, torch.where(value == g, (b - r) / safe + 2, (r - g) / safe + 4)
    )
    sector = torch.where(spread > 0, sector, torch.zeros_like(sector)) + 6 * angle[:, 0]
    channels = []
    for offset in (5.0, 3.0, 1.0):  # the usual closed form of HSV to RGB
        k = (offset + sector) % 6
        channels.append(value - spread * torch.minimum(k, 4 - k).clamp(0, 1))
    return torch.stack(channels, dim=1)


def jitter(
    images: Tensor,
    stream: torch.Generator,
    *,
    brightness: float = 0.4,
    contrast: float = 0.4,
    saturation: float = 0.2,
    hue: float = 0.1,
    probability: float = 0.8,
) -> Tensor:
    """Colour jitter with the paper's strengths (arXiv 2301.11375, Appendix G 4); results are kept in [0, 1].

    Args:
        images: ``[batch, channel, height, width]`` in [0, 1].
        stream: of the random numbers; as many are drawn for grey images as for coloured ones.
        brightness: factors are uniform in 1 ± this; likewise for the next two.
        contrast: see above.
        saturation: see above.
        hue: turns are uniform in ± this, in full turns.
        probability: of changing an image at all.
    """
    factors = [uniform(stream, images, 1 - size, 1 + size) for size in (brightness, contrast, saturation)]
    angle = uniform(stream, images, -hue, hue)
    hit = chosen(stream, images, probability)
    out = (factors[0] * images).clamp(0, 1)
    mean = grey(out).mean(dim=(2, 3), keepdim=True)
    out = (mean + factors[1] * (out - mean)).clamp(0, 1)
    if images.shape[1] > 1:
        own = grey(out)
        out = turned((own + factors[2] * (out - own)).clamp(0, 1), angle)
    return torch.where(hit, out, images)


def grey_some(images: Tensor, stream: torch.Generator, probability: float = 0.2) -> Tensor:
    """Each image without its colour with ``probability``."""
    return torch.where(chosen(stream, images, probability), grey(images).expand_as(images), images)


def solarise_some(images: Tensor, stream: torch.Generator, probability: float) -> Tensor:
    """With ``probability``, an image's values of at least one half are inverted (v to 1 - v)."""
    hit = chosen(stream, images, probability) & (images >= 0.5)
    return torch.where(hit, 1 - images, images)


def blur_some(images: Tensor, stream: torch.Generator, probability: float) -> Tensor:
    """Each image blurred by a Gaussian of random width with ``probability``; the border is continued outwards.

    Args:
        images: ``[batch, channel, height, width]``.
        stream: of the random numbers.
        probability: of blurring an image.
    """
    sigma, hit = uniform(stream, images, *SIGMA), chosen(stream, images, probability)
    batch, channels, height, width = images.shape
    reach = int(REACH * SIGMA[1])
    at = torch.arange(-reach, reach + 1, dtype=images.dtype, device=images.device)
    kernel = torch.exp(-(at**2) / (2 * sigma[:, :, 0] ** 2))  # [batch, 1, taps]
    kernel = (kernel / kernel.sum(-1, keepdim=True)).repeat_interleave(channels, 0)[:, :, None]
    wide = pad(images.reshape(1, batch * channels, height, width), (reach,) * 4, mode="replicate")
    out = conv2d(wide, kernel, groups=batch * channels)
    out = conv2d(out, kernel.transpose(2, 3), groups=batch * channels)
    return torch.where(hit, out.reshape_as(images), images)
