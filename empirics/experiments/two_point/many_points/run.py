r"""How far apart does a network represent many points of a data set while it learns all of them?

The loss is :math:`\tfrac12 \langle \|f(x) - y\|^2 \rangle` over all points (Eq. 1), by gradient descent or Adam on
mini-batches. Every few epochs the trace has the squared distances of the representations of chosen points, their
outputs, and, for random pairs of points, the odd and even parts of encoder and decoder
(:mod:`empirics.experiments.two_point.many_points.follower`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from empirics.data.names import CLASSES
from empirics.experiments.two_point.many_points.config import Config
from empirics.experiments.two_point.many_points.follower import Follower
from empirics.experiments.two_point.many_points.points import Points, points
from empirics.runs.device import threads_suited_to
from empirics.runs.session import NEVER, RunResult, Session, run_of
from empirics.training.loop import DivergedError

__all__ = ["Config", "run"]

CURVE, PAIR, RANDOM = ("seed", "epoch"), ("seed", "epoch", "pair"), ("seed", "epoch", "random_pair")
SAMPLE = 10_000  # images between whose classes mean distances are stored
MEANING = {
    "loss": (CURVE, "half the mean squared error over all points (Eq. 1)"),
    "accuracy": (CURVE, "fraction of all points whose largest output is that of their digit"),
    "distance2": (PAIR, "squared distance of the representations of two recorded points"),
    "outputs": (("seed", "epoch", "point", "output"), "outputs at the recorded points"),
    "encoder_odd": (RANDOM, "length of half the difference of the representations of a random pair"),
    "encoder_even": (RANDOM, "distance of the mean representation from that of the middle of the inputs"),
    "decoder_odd": (RANDOM, "length of half the difference of the outputs of a random pair"),
    "decoder_even": (RANDOM, "distance of the mean output from that of the middle of the representations"),
}


@run_of(Config)
def run(config: Config, session: Session[Config]) -> RunResult:
    """Train the networks of ``config`` on the data set and return the distances of the recorded points.

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
    records: list[dict[str, Tensor]] = [
        {name: values.cpu() for name, values in record.items()} for record in (stored["records"] if stored else ())
    ]
    epoch = stored["epoch"] if stored else 0
    if stored:
        follower.load_state(stored["follower"])
    diverged: dict[int, int] = {}
    with session.bar(config.dataset, config.epochs, "epoch", initial=epoch) as bar:
        while True:
            if config.moments[len(records)] == epoch:
                records.append(follower.measure())
                for position in torch.flatten(torch.nonzero(~torch.isfinite(records[-1]["loss"]))).tolist():
                    diverged.setdefault(position, epoch)
                if diverged and session.stops:
                    raise DivergedError(diverged)
            if epoch == config.epochs:
                break
            follower.learn()
            epoch += 1
            bar.update()
            if session.checkpoint is not None and session.checkpoint.due():
                session.checkpoint.save({"epoch": epoch, "records": records, "follower": follower.state()})
    marks = session.mark(diverged)
    values = {name: torch.stack([record[name] for record in records], dim=1).numpy() for name in records[0]}
    variables: dict[str, Any] = {name: (MEANING[name][0], value, MEANING[name][1]) for name, value in values.items()}
    variables["diverged_at"] = (("seed",), marks, f"first recorded epoch that is not finite; {NEVER}: none")
    return RunResult(variables | _of_data(learned, config), _coordinates(learned, config), {"origin": learned.origin})


def _of_data(learned: Points, config: Config) -> dict[str, Any]:
    """Return the variables of the data: targets, distances of inputs, and for MNIST those between the classes."""
    x, y = learned.x[learned.recorded], learned.y[learned.recorded]
    variables: dict[str, Any] = {
        "target": (("point", "output"), y.numpy(), "targets of the recorded points"),
        "input_distance2": (("pair",), torch.pdist(x).square().numpy(), "squared distance of two recorded inputs"),
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
        "pair": (np.arange(count * (count - 1) // 2), {"long_name": "pairs of recorded points, each once"}),
    }
    return coordinates | ({"digit": (np.arange(CLASSES), {})} if config.dataset == "mnist" else {})
