r"""How far apart does a network represent many points of a data set while it learns all of them?

The loss is :math:`\tfrac12 \langle \|f(x) - y\|^2 \rangle` over all points (Eq. 1), by gradient descent or Adam on
mini-batches. Every few epochs the trace has the squared distances of the representations of chosen points, their
outputs, and, for random pairs of points, the odd and even parts of encoder and decoder.

How linear encoder and decoder are between two points, their odd and even parts around the middle say. Between
:math:`x_1` and :math:`x_2` with the middle :math:`\bar x`, the encoder's odd part is :math:`\tfrac12 (h(x_2) - h(x_1))`
and its even part :math:`\tfrac12 (h(x_1) + h(x_2)) - h(\bar x)`. For a smooth map these are the first-order and the
second-order term of Taylor's expansion in :math:`\tfrac12 (x_2 - x_1)`, with relative errors of second order. They also
exist for a ReLU, whose second derivative is zero almost everywhere. The decoder's are those of the map from
representations to outputs between :math:`h(x_1)` and :math:`h(x_2)`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from empirics import networks
from empirics.data.names import CLASSES
from empirics.experiments.two_point.many_points.config import Config
from empirics.experiments.two_point.many_points.points import Points, points
from empirics.networks.architecture import Architecture, Outputs, Parameters
from empirics.runs.device import DTYPES, find, threads_suited_to
from empirics.runs.session import NEVER, RunResult, Session, run_of
from empirics.seeding import generator, generators
from empirics.training.autograd import Autograd
from empirics.training.backpropagation import Backpropagation
from empirics.training.loop import DivergedError

ODD_EVEN = ("encoder_odd", "encoder_even", "decoder_odd", "decoder_even")
CHUNK = 4096  # points of one forward pass in a measurement

__all__ = ["Config", "run"]

CURVE, PAIR, RANDOM = (
    ("seed", "epoch"),
    ("seed", "epoch", "pair"),
    ("seed", "epoch", "random_pair"),
)
SAMPLE = 10_000  # images between whose classes mean distances are stored
MEANING = {
    "loss": (CURVE, "half the mean squared error over all points (Eq. 1)"),
    "accuracy": (CURVE, "fraction of all points whose largest output is that of their digit"),
    "distance2": (PAIR, "squared distance of the representations of two recorded points"),
    "outputs": (("seed", "epoch", "point", "output"), "outputs at the recorded points"),
    "encoder_odd": (
        RANDOM,
        "length of half the difference of the representations of a random pair",
    ),
    "encoder_even": (
        RANDOM,
        "distance of the mean representation from that of the middle of the inputs",
    ),
    "decoder_odd": (RANDOM, "length of half the difference of the outputs of a random pair"),
    "decoder_even": (
        RANDOM,
        "distance of the mean output from that of the middle of the representations",
    ),
}


@run_of(Config)
def run(config: Config, session: Session[Config]) -> RunResult:
    """Train the networks of ``config`` on the data set and return the distances of the recorded points.

    Args:
        config: the configuration.
        session: what keeps time, checkpoints and progress; the decorated function takes its options as keywords.

    Returns:
        Dataset with dimensions ``seed``, ``epoch`` (the recorded ones), ``point``, ``pair`` (of recorded points, each
        once, in the order of the upper triangle of their matrix), ``output`` and ``random_pair``. ``distance2``,
        ``outputs`` and ``loss`` are measured, ``input_distance2[pair]`` and ``target[point, output]`` are the data.

    >>> run(Config(dataset="xor", epochs=10, records=2, seeds=1), progress=False).sizes["epoch"]
    3
    """
    session.during(threads_suited_to(config.width))
    learned = points(config)
    follower = Follower(config, learned)
    stored = session.checkpoint.load(session.device) if session.checkpoint is not None else None
    records: list[dict[str, Tensor]] = []
    for record in stored["records"] if stored else ():
        records.append({name: values.cpu() for name, values in record.items()})
    epoch = stored["epoch"] if stored else 0
    if stored:
        follower.load_state(stored["follower"])
    diverged: dict[int, int] = {}
    with session.bar(config.dataset, config.epochs, "epoch", initial=epoch) as bar:
        while True:
            if config.moments[len(records)] == epoch:
                records.append(follower.measure())
                for position in torch.flatten(
                    torch.nonzero(~torch.isfinite(records[-1]["loss"]))
                ).tolist():
                    diverged.setdefault(position, epoch)
                if diverged and session.stops:
                    raise DivergedError(diverged)
            if epoch == config.epochs:
                break
            follower.learn()
            epoch += 1
            bar.update()
            if session.checkpoint is not None and session.checkpoint.due():
                session.checkpoint.save(
                    {"epoch": epoch, "records": records, "follower": follower.state()}
                )
    marks = session.mark(diverged)
    variables: dict[str, Any] = {}
    for name in records[0]:
        values = torch.stack([record[name] for record in records], dim=1).numpy()
        variables[name] = (MEANING[name][0], values, MEANING[name][1])
    variables["diverged_at"] = (
        ("seed",),
        marks,
        f"first recorded epoch that is not finite; {NEVER}: none",
    )
    return RunResult(
        variables | _of_data(learned, config),
        _coordinates(learned, config),
        {"origin": learned.origin},
    )


def _of_data(learned: Points, config: Config) -> dict[str, Any]:
    """Return the variables of the data: targets, distances of inputs, and for MNIST those between the classes."""
    x, y = learned.x[learned.recorded], learned.y[learned.recorded]
    variables: dict[str, Any] = {
        "target": (("point", "output"), y.numpy(), "targets of the recorded points"),
        "input_distance2": (
            ("pair",),
            torch.pdist(x).square().numpy(),
            "squared distance of two recorded inputs",
        ),
    }
    variables |= {
        f"point_{name}": (("point",), values.double().numpy(), f"{name} of the recorded points")
        for name, values in learned.labels.items()
    }
    if config.dataset == "mnist":
        sample = learned.x[:SAMPLE].float()
        member = learned.y[:SAMPLE].float()
        total = member.T @ torch.cdist(sample, sample) @ member
        count = member.sum(dim=0)
        variables["class_distance"] = (
            ("digit", "other_digit"),
            (total / (count[:, None] * count).clamp(min=1)).double().numpy(),
            f"mean distance of the inputs of two digits, from at most {SAMPLE:,} images",
        )
        variables["class_count"] = (("digit",), count.double().numpy(), "number of these images")
    return variables


def _coordinates(learned: Points, config: Config) -> dict[str, Any]:
    count = len(learned.recorded)
    coordinates: dict[str, Any] = {
        "epoch": (np.asarray(config.moments), {"long_name": "passes through the points"}),
        "point": (np.arange(count), {"long_name": "recorded points"}),
        "output": (np.arange(learned.y.shape[1]), {}),
        "pair": (
            np.arange(count * (count - 1) // 2),
            {"long_name": "pairs of recorded points, each once"},
        ),
    }
    return coordinates | ({"digit": (np.arange(CLASSES), {})} if config.dataset == "mnist" else {})


def representation(
    architecture: Architecture, parameters: Parameters, layer: int, x: Tensor
) -> Tensor:
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
def odd_even(
    architecture: Architecture, parameters: Parameters, layer: int, first: Tensor, second: Tensor
) -> Tensor:
    """Return odd and even parts of encoder and decoder, ``[4, seed, pair]``, of points ``[pair, input]``."""
    weight = parameters[0][0]
    ends = [x.to(weight).expand(weight.shape[0], *x.shape) for x in (first, second)]
    h1, h2, h_middle = (
        representation(architecture, parameters, layer, x)
        for x in (*ends, (ends[0] + ends[1]) / 2)
    )
    y1, y2, y_middle = (
        decoded(architecture, parameters, layer, h) for h in (h1, h2, (h1 + h2) / 2)
    )
    vectors = []
    for outputs in ((h1, h2, h_middle), (y1, y2, y_middle)):
        of_first, of_second, of_middle = (values.double() for values in outputs)
        vectors += [(of_second - of_first) / 2, (of_first + of_second) / 2 - of_middle]
    return torch.stack([vector.norm(dim=-1) for vector in vectors])


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
            self.trainer = Backpropagation(
                self.architecture, parameters, self.x, self.y, config.learning_rate
            )
        else:
            self.trainer = Autograd(
                self.architecture, parameters, self.x, self.y, config.learning_rate, "adam"
            )
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
        order = torch.stack(
            [torch.randperm(len(self.x), generator=stream) for stream in self.orders]
        )
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
            _, output = self.architecture.forward(
                parameters, x.expand(self.config.seeds, *x.shape)
            )
            squares.append((output.double() - y.double()).square().sum(dim=(1, 2)))
            right.append((output.argmax(dim=-1) == y.argmax(dim=-1)).sum(dim=1))
        recorded = self.x[self.learned.recorded.to(self.x.device)]
        hidden, output = self.architecture.forward(
            parameters, recorded.expand(self.config.seeds, *recorded.shape)
        )
        h = hidden[layer - 1].double()
        values = {
            "loss": torch.stack(squares).sum(dim=0) / (2 * len(self.x)),
            "distance2": torch.stack(
                [torch.pdist(representations).square() for representations in h]
            ),
            "outputs": output.double(),
        }
        if self.config.dataset == "mnist":
            values["accuracy"] = torch.stack(right).sum(dim=0) / len(self.x)
        if self.config.pairs:
            values |= dict(
                zip(
                    ODD_EVEN,
                    odd_even(self.architecture, parameters, layer, *self.pairs),
                    strict=True,
                )
            )
        return {name: value.cpu() for name, value in values.items()}

    def state(self) -> dict[str, Any]:
        """Return everything on which the next epoch depends."""
        return {
            "trainer": self.trainer.state(),
            "orders": [stream.get_state() for stream in self.orders],
        }

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue from a :meth:`state`."""
        self.trainer.load_state(state["trainer"])
        for stream, stored in zip(self.orders, state["orders"], strict=True):
            stream.set_state(stored.cpu())
