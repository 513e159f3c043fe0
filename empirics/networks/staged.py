"""Classifiers as a chain of stages and a readout, to be cut anywhere: the encoder before the cut, the decoder after it.

Stage l is the submodule ``hidden.l`` (1-based) and its output the representation of layer l; the last map is
``readout``. The readout gives logits: the softmax belongs to the loss.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from empirics import check
from empirics.seeding import generator


class StagedClassifier(nn.Module):
    """A chain of stages and a readout.

    Args:
        stages: layers 1 ... L - 1, in order.
        readout: from the last stage to logits ``[batch, C]``.
    """

    def __init__(self, stages: Sequence[nn.Module], readout: nn.Module) -> None:
        super().__init__()
        self.hidden = nn.ModuleDict({str(l): stage for l, stage in enumerate(stages, start=1)})
        self.readout = readout

    @property
    def layers(self) -> tuple[str, ...]:
        """Dotted names of the stages, for whatever measures by name."""
        return tuple(f"hidden.{l}" for l in self.hidden)

    def forward(self, x: Tensor) -> Tensor:
        """Logits ``[batch, C]`` at ``x`` ``[batch, channel, height, width]``."""
        for stage in self.hidden.values():
            x = stage(x)
        logits: Tensor = self.readout(x)
        return logits

    def encoder(self, layer: int) -> nn.Sequential:
        """The first ``layer`` stages, sharing their weights with this network; 0 gives the identity.

        Raises:
            ValueError: if there is no such layer.
        """
        return nn.Sequential(*list(self.hidden.values())[: check.whole("layer", layer, 0, len(self.hidden))])

    def decoder(self, layer: int) -> nn.Sequential:
        """What comes after :meth:`encoder` of the same ``layer``, sharing its weights, too."""
        later = list(self.hidden.values())[check.whole("layer", layer, 0, len(self.hidden)) :]
        return nn.Sequential(*later, self.readout)


def initialised(build: Callable[[], nn.Module], seed: int) -> nn.Module:
    """A network whose initial weights depend on ``seed`` alone; torch's own random state is left alone.

    Args:
        build: makes the network, with torch's default initialisation or any other on the CPU.
        seed: non-negative integer, dimensionless.
    """
    with torch.random.fork_rng(devices=[]):
        torch.set_rng_state(generator(seed, "weights").get_state())
        return build()
