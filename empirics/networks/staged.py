"""Classifiers as a chain of stages and a readout, which can be cut into an encoder and a decoder after any stage.

Stage l is the submodule ``hidden.l`` (counted from 1), and its output is the representation of layer l; the last map is
``readout``. The readout returns logits, since the softmax is part of the loss.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from closedform import checks
from empirics.seeding import generator


def checked_depths(
    channels: int, size: int, classes: int, depths: Sequence[int], pool: int
) -> tuple[int, ...]:
    """Return the numbers of channels after each block; all sizes must be integers, and the image divisible so often."""
    checks.size("channels", channels)
    checks.size("classes", classes)
    checked = checks.sizes("depths", depths, some=True)
    checks.size("size", size, pool ** len(checked))  # each block divides it
    return checked


class StagedClassifier(nn.Module):
    """A chain of stages and a readout.

    Args:
        stages: layers 1 ... L - 1, in order.
        readout: map from the output of the last stage to logits ``[batch, C]``.

    >>> StagedClassifier([nn.Linear(4, 8), nn.ReLU()], nn.Linear(8, 2))(torch.zeros(3, 4)).shape
    torch.Size([3, 2])
    """

    def __init__(self, stages: Sequence[nn.Module], readout: nn.Module) -> None:
        super().__init__()
        self.hidden = nn.ModuleDict({str(l): stage for l, stage in enumerate(stages, start=1)})
        self.readout = readout

    @property
    def layers(self) -> tuple[str, ...]:
        """The dotted names of the stages, as measurements take them."""
        return tuple(f"hidden.{l}" for l in self.hidden)

    def forward(self, x: Tensor) -> Tensor:
        """Return the logits ``[batch, C]`` at ``x`` ``[batch, channel, height, width]``."""
        for stage in self.hidden.values():
            x = stage(x)
        logits: Tensor = self.readout(x)
        return logits

    def encoder(self, layer: int) -> nn.Sequential:
        """Return the first ``layer`` stages, which share their weights with this network; 0 gives the identity.

        Raises:
            ValueError: if there is no such layer.
        """
        return nn.Sequential(
            *list(self.hidden.values())[: checks.integer("layer", layer, 0, len(self.hidden))]
        )

    def decoder(self, layer: int) -> nn.Sequential:
        """Return the rest of the network after :meth:`encoder` of the same ``layer``, which shares its weights."""
        later = list(self.hidden.values())[checks.integer("layer", layer, 0, len(self.hidden)) :]
        return nn.Sequential(*later, self.readout)


def initialised(build: Callable[[], nn.Module], seed: int) -> nn.Module:
    """Build a network whose initial weights depend on ``seed`` alone; torch's random state is restored afterwards.

    Args:
        build: function that returns the network, initialised on the CPU.
        seed: non-negative integer.

    Raises:
        TypeError, ValueError: if ``build`` is not a function, or ``seed`` not such an integer.

    >>> linear = nn.Linear
    >>> bool((initialised(lambda: linear(2, 2), 3).weight == initialised(lambda: linear(2, 2), 3).weight).all())
    True
    """
    checks.function("build", build, "a function that returns a network")
    with torch.random.fork_rng(devices=[]):
        torch.set_rng_state(generator(seed, "weights").get_state())
        return build()
