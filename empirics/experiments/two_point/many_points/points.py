"""The data sets of Sections 4.4 to 4.6: XOR, Gaussian blobs with two contexts, and MNIST."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from empirics import data
from empirics.data.names import CLASSES
from empirics.experiments.two_point.many_points.config import CONTEXTS, MOST_IMAGES, Config

BYTE = 255
PIXELS = 5  # along each side of the image of a blob
SPREAD = 1.0  # standard deviation of a blob; the places of pixels and blobs run from -1 to 1 (not printed; as released)
# of the pixels of MNIST's training images, by which the released code normalises
MEAN, DEVIATION = (0.1307, 0.3081)


@dataclass(frozen=True, eq=False)
class Points:
    """The points that a network learns.

    Attributes:
        x: inputs ``[point, input]``, float64.
        y: targets ``[point, output]``, float64.
        recorded: indices of the points whose distances are recorded, ``[recorded]``.
        labels: what the recorded points are, ``{name: [recorded]}``: digit, or context and place of a blob.
        origin: description of the data.
    """

    x: Tensor
    y: Tensor
    recorded: Tensor
    labels: dict[str, Tensor]
    origin: str


def points(config: Config) -> Points:
    """Return the points of a configuration.

    Args:
        config: the configuration, which names the data set.

    Raises:
        ValueError: if the images are asked for and no data directory is named, or it has too few of them.
        FileNotFoundError: if the data files are not in the directory.

    >>> from empirics.experiments.two_point.many_points import Config
    >>> points(Config(dataset="xor")).x.shape
    torch.Size([4, 2])
    """
    return {"xor": xor, "blobs": blobs, "mnist": mnist}[config.dataset](config)


def xor(_: Config) -> Points:
    """Return the four points of XOR, in the order of appendix B.2."""
    x = torch.tensor([[0, 0], [1, 0], [0, 1], [1, 1]], dtype=torch.float64)
    y = (x.sum(dim=1, keepdim=True) == 1).double()
    return Points(x, y, torch.arange(len(x)), {"output": y[:, 0]}, "XOR")


def blobs(config: Config) -> Points:
    """Return images of Gaussian blobs, 5 x 5 pixels of sum one, each with the one-hot contexts of both coordinates."""
    coordinate = torch.linspace(-1, 1, config.side, dtype=torch.float64)
    pixel = torch.linspace(-1, 1, PIXELS, dtype=torch.float64)
    centres = torch.cartesian_prod(coordinate, coordinate)  # [blob, coordinate]
    # [blob, coordinate, pixel]
    profile = torch.exp(-((pixel - centres[:, :, None]) ** 2) / (2 * SPREAD**2))
    image = (profile[:, 0, :, None] * profile[:, 1, None, :]).flatten(1)
    image = image / image.sum(dim=1, keepdim=True)
    contexts = torch.eye(CONTEXTS, dtype=torch.float64)
    x = torch.cat(
        [torch.cat([image, context.expand(len(image), -1)], dim=1) for context in contexts]
    )
    y = torch.cat([centres[:, :1], centres[:, 1:]])
    side = min(int((config.recorded / CONTEXTS) ** 0.5), config.side)
    kept = torch.tensor(np.unique(np.linspace(0, config.side - 1, side).round().astype(np.int64)))
    among = (kept[:, None] * config.side + kept).flatten()
    recorded = torch.cat([among + context * len(image) for context in range(CONTEXTS)])
    labels = {
        "context": recorded // len(image),
        "first": centres[recorded % len(image), 0],
        "second": centres[recorded % len(image), 1],
    }
    return Points(
        x,
        y,
        recorded,
        labels,
        f"{config.side}×{config.side} places of a blob in {CONTEXTS} contexts",
    )


def mnist(config: Config) -> Points:
    """Return the first training images of MNIST, normalised, with one-hot targets."""
    loaded = data.load("mnist", split="train", flatten=True, dtype=torch.uint8)
    if config.images > len(loaded):
        raise ValueError(
            f"images: got {config.images}, the data directory has {len(loaded)} (of {MOST_IMAGES})"
        )
    x = (loaded.images[: config.images].double() / BYTE - MEAN) / DEVIATION
    digits = loaded.labels[: config.images]
    y = torch.nn.functional.one_hot(digits, CLASSES).double()
    first = digits[: config.recorded]
    recorded = torch.argsort(first, stable=True)
    origin = f"{loaded.origin}, the first {config.images:,}"
    return Points(x, y, recorded, {"digit": first[recorded]}, origin)
