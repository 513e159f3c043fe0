r"""The networks of a run on many points: their training by mini-batches, and their measurement.

How linear encoder and decoder are between two points, their odd and even parts around the middle say. Between
:math:`x_1` and :math:`x_2` with the middle :math:`\bar x`, the encoder's odd part is :math:`\tfrac12 (h(x_2) - h(x_1))`
and its even part :math:`\tfrac12 (h(x_1) + h(x_2)) - h(\bar x)`. For a smooth map these are the first-order and the
second-order term of Taylor's expansion in :math:`\tfrac12 (x_2 - x_1)`, with relative errors of second order. They also
exist for a ReLU, whose second derivative is zero almost everywhere. The decoder's are those of the map from
representations to outputs between :math:`h(x_1)` and :math:`h(x_2)`.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from empirics import networks
from empirics.experiments.two_point.many_points.config import Config
from empirics.experiments.two_point.many_points.points import Points
from empirics.networks.architecture import Architecture, Outputs, Parameters
from empirics.runs.device import DTYPES, find
from empirics.seeding import generator, generators
from empirics.training.autograd import Autograd
from empirics.training.backpropagation import Backpropagation


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
    """Return odd and even parts of encoder and decoder, ``[4, seed, pair]``, of points ``[pair, input]``."""
    weight = parameters[0][0]
    ends = [x.to(weight).expand(weight.shape[0], *x.shape) for x in (first, second)]
    h1, h2, h_middle = (representation(architecture, parameters, layer, x) for x in (*ends, (ends[0] + ends[1]) / 2))
    y1, y2, y_middle = (decoded(architecture, parameters, layer, h) for h in (h1, h2, (h1 + h2) / 2))
    vectors = []
    for one, other, middle in ((h1, h2, h_middle), (y1, y2, y_middle)):
        one, other, middle = one.double(), other.double(), middle.double()
        vectors += [(other - one) / 2, (one + other) / 2 - middle]
    return torch.stack([vector.norm(dim=-1) for vector in vectors])


PARTS = ("encoder_odd", "encoder_even", "decoder_odd", "decoder_even")
CHUNK = 4096  # points of one forward pass in a measurement


class Follower:
    """The networks of a run, their training and their measurement."""

    def __init__(self, config: Config, learned: Points) -> None:
        self.config, self.learned = config, learned
        dtype, device = DTYPES[config.dtype], find(config.device)
        self.x, self.y = (values.to(device, dtype) for values in (learned.x, learned.y))
        self.architecture = networks.build(
            "fully_connected", activation=config.activation, inputs=self.x.shape[1], outputs=self.y.shape[1],
            width=config.width, depth=config.depth,
        )  # fmt: skip
        parameters = networks.initial_weights(
            self.architecture, config.gain, config.seed_numbers, dtype, device
        )  # fmt: skip
        self.trainer: Backpropagation | Autograd
        if config.optimiser == "gd":
            self.trainer = Backpropagation(self.architecture, parameters, self.x, self.y, config.learning_rate)
        else:
            self.trainer = Autograd(self.architecture, parameters, self.x, self.y, config.learning_rate, "adam")
        self.orders = generators(config.seed_numbers, "batches")
        drawn = torch.randint(len(self.x), (2, config.pairs), generator=generator(0, "subset"))
        self.pairs = self.x[drawn]  # [2, pair, input]

    def learn(self) -> None:
        """Pass once through all points, every network in its own order."""
        size = self.config.batch_size or len(self.x)
        if size >= len(self.x):
            self.trainer.observe()
            self.trainer.update()
            return
        order = torch.stack([torch.randperm(len(self.x), generator=stream) for stream in self.orders])
        for batch in torch.split(order.to(self.x.device), size, dim=1):
            self.trainer.present(self.x[batch], self.y[batch])
            self.trainer.observe()
            self.trainer.update()

    @torch.no_grad()
    def measure(self) -> dict[str, Tensor]:
        """Return the values of one epoch by variable, each with the seeds first."""
        parameters, layer = self.trainer.parameters, self.config.layer or 1
        squares, right = [], []
        for x, y in zip(torch.split(self.x, CHUNK), torch.split(self.y, CHUNK), strict=True):
            _, output = self.architecture.forward(parameters, x.expand(self.config.seeds, *x.shape))
            squares.append((output.double() - y.double()).square().sum(dim=(1, 2)))
            right.append((output.argmax(dim=-1) == y.argmax(dim=-1)).sum(dim=1))
        recorded = self.x[self.learned.recorded.to(self.x.device)]
        hidden, output = self.architecture.forward(parameters, recorded.expand(self.config.seeds, *recorded.shape))
        h = hidden[layer - 1].double()
        values = {
            "loss": torch.stack(squares).sum(dim=0) / (2 * len(self.x)),
            "distance2": torch.stack([torch.pdist(one).square() for one in h]),
            "outputs": output.double(),
        }
        if self.config.dataset == "mnist":
            values["accuracy"] = torch.stack(right).sum(dim=0) / len(self.x)
        if self.config.pairs:
            values |= dict(zip(PARTS, parts(self.architecture, parameters, layer, *self.pairs), strict=True))
        return {name: value.cpu() for name, value in values.items()}

    def state(self) -> dict[str, Any]:
        """Return everything on which the next epoch depends."""
        return {"trainer": self.trainer.state(), "orders": [stream.get_state() for stream in self.orders]}

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue from a :meth:`state`."""
        self.trainer.load_state(state["trainer"])
        for stream, stored in zip(self.orders, state["orders"], strict=True):
            stream.set_state(stored.cpu())
