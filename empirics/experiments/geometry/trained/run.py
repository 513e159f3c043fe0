"""Training of all seeds at once on a task in the plane, with measurements on a grid at the checkpoints.

Fully connected networks of all seeds at once: weights ``[seed, in, out]`` and biases ``[seed, 1, out]``.

The losses of the seeds are summed before the gradient is computed, so that each network is trained on its own loss.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import Any, get_args

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from closedform import checks
from empirics import measure
from empirics.experiments.geometry.gaussian_start import drawn, output_scales
from empirics.experiments.geometry.trained.config import CORNERS, Config, Task
from empirics.networks.activations import Elementwise
from empirics.networks.functions import from_text, is_smooth
from empirics.networks.module import linear_map
from empirics.networks.names import Start
from empirics.networks.staged import initialised
from empirics.runs.session import NEVER, RunResult, Session, run_of
from empirics.seeding import generator, generators
from empirics.training.unfinished import Stateful, WithValues, restore, state_of

Parameters = list[tuple[Tensor, Tensor]]
CLASSES = 2


CURVE, MAP, FIELD = (
    ("seed", "epoch"),
    ("seed", "epoch", "y", "x"),
    ("seed", "epoch", "layer", "y", "x"),
)
VARIABLES = {
    "loss": (CURVE, "mean cross-entropy of the training points (nats)"),
    "accuracy": (CURVE, "accuracy on the training points"),
    "margin": (MAP, "logit of class 1 minus logit of class 0"),
    "log_volume": (FIELD, "log sqrt(det g) of the layer's features (log of 1/input^2)"),
    "curvature": (FIELD, "scalar curvature of the layer's features (dimensionless)"),
}


@run_of(Config)
def run(config: Config, session: Session[Config]) -> RunResult:
    """Train the networks of ``config`` and return the geometry of their layers on the grid.

    Args:
        config: the configuration.
        session: what keeps time, checkpoints and progress; the decorated function takes its options as keywords.

    Returns:
        Dataset with dimensions ``seed``, ``epoch`` (the checkpoints), ``layer``, ``y`` and ``x`` (the grid), ``point``
        and ``coordinate`` (the training inputs). The probability of class 1 is the logistic function of ``margin``.
        ``curvature`` is NaN where the metric is singular up to rounding, and everywhere for the ReLU; it is zero where
        a layer has as many units as inputs.

    >>> config = Config(task="xor", widths=(8,), epochs=20, checkpoints=(0, 20), grid=5, seeds=2)
    >>> run(config, progress=False).sizes["epoch"]
    2
    """
    device = session.device
    drawn = [
        points(config.task, config.points, seed, config.height) for seed in config.seed_numbers
    ]
    x, labels = (torch.stack(of_seeds).to(device) for of_seeds in zip(*drawn, strict=True))
    parameters = initial(config.widths, config.seed_numbers, device, config.start)
    scales = output_scales(config.widths, config.start)
    orders = generators(config.seed_numbers, "batches")
    axis = torch.linspace(
        -config.extent, config.extent, config.grid, dtype=torch.float64, device=device
    )
    shape = {"seed": config.seeds, "epoch": len(config.checkpoints), "layer": len(config.layers)}
    shape |= {"y": config.grid, "x": config.grid}
    values = {}
    for name, (dims, _) in VARIABLES.items():
        values[name] = np.full([shape[dim] for dim in dims], np.nan)
    flat = list(chain.from_iterable(parameters))
    optimiser = torch.optim.SGD(
        flat, lr=config.learning_rate, momentum=config.momentum, weight_decay=config.weight_decay
    )
    diverged = np.full(config.seeds, NEVER)
    changing: dict[str, Stateful] = {"networks": nn.ParameterList(flat), "optimiser": optimiser}
    unfinished = WithValues(session.unfinished, {**values, "diverged": diverged})

    def state() -> dict[str, Any]:
        states = [order.get_state() for order in orders]
        return {**state_of(changing), "epoch": epoch, "orders": states}

    first = 0
    begun = unfinished.begun
    if begun is not None:
        restore(changing, begun)
        first = begun["epoch"] + 1
        for order, kept in zip(orders, begun["orders"], strict=True):
            order.set_state(kept.cpu())
    with session.bar(
        config.task, config.epochs, "epoch", initial=max(first - 1, 0)
    ) as progress_bar:
        for epoch in range(first, max(config.checkpoints) + 1):
            if epoch:
                for batch, targets in batches(config, x, labels, orders):
                    optimiser.zero_grad()
                    outputs = logits(scaled(parameters, scales), batch, config.activation)
                    _losses(outputs, targets).sum().backward()  # type: ignore[no-untyped-call]
                    optimiser.step()
                progress_bar.update()
            if epoch in config.checkpoints:
                with torch.no_grad():
                    networks = scaled(parameters, scales)
                _measure(
                    config,
                    networks,
                    x,
                    labels,
                    axis,
                    values,
                    config.checkpoints.index(epoch),
                    epoch,
                    diverged,
                )
            unfinished.keep(state)
    session.mark({s: int(when) for s, when in enumerate(diverged) if when != NEVER})
    variables: dict[str, Any] = {
        name: (dims, values[name], meaning) for name, (dims, meaning) in VARIABLES.items()
    }
    variables |= {
        "inputs": (("seed", "point", "coordinate"), x.cpu(), "training inputs"),
        "labels": (("seed", "point"), labels.cpu(), "their classes"),
        "diverged_at": (
            ("seed",),
            diverged,
            f"first checkpoint with a loss that is not finite; {NEVER}: none",
        ),
    }
    coordinates: dict[str, tuple[Any, dict[str, str]]] = {
        "epoch": (np.asarray(config.checkpoints), {"long_name": "epochs of training"}),
        "layer": (np.asarray(config.layers), {"long_name": "hidden layer, counted from 1"}),
        "y": (axis.cpu(), {"long_name": "second input"}),
        "x": (axis.cpu(), {"long_name": "first input"}),
    }
    return RunResult(variables, coordinates)


def batches(
    config: Config, x: Tensor, labels: Tensor, orders: Sequence[torch.Generator]
) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield the batches of an epoch, inputs ``[seed, batch, 2]`` and labels ``[seed, batch]``, each seed's own order.

    Without a batch size this is all points. What remains of the points is dropped.
    """
    if config.batch_size is None:
        yield x, labels
        return
    count = x.shape[1]
    order = torch.stack([torch.randperm(count, generator=stream) for stream in orders])
    order = order.to(x.device)
    rows = torch.arange(len(x), device=x.device)[:, None]
    size = min(config.batch_size, count)
    for begin in range(0, count - size + 1, size):
        chosen = order[:, begin : begin + size]
        yield x[rows, chosen], labels[rows, chosen]


def scaled(parameters: Parameters, scales: Sequence[float]) -> Parameters:
    """Return weights and biases of layers that do not scale their outputs, for the same network."""
    return [
        (weight, bias) if scale == 1 else (weight * scale, bias * scale)
        for (weight, bias), scale in zip(parameters, scales, strict=True)
    ]


def _losses(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the mean cross-entropy of every seed, ``[seed]``, in nats."""
    return cross_entropy(logits.transpose(1, 2), labels, reduction="none").mean(dim=1)


def _measure(
    config: Config, parameters: Parameters, x: Tensor, labels: Tensor, axis: Tensor,
    values: dict[str, Any], column: int, epoch: int, diverged: Any,
) -> None:  # fmt: skip
    """Store the values of one checkpoint for every seed whose loss is finite."""
    second, first = torch.meshgrid(axis, axis, indexing="ij")
    grid = torch.stack([first.flatten(), second.flatten()], dim=1)
    with torch.no_grad():
        point_logits = logits(parameters, x, config.activation)
        grid_logits = logits(parameters, grid.expand(config.seeds, -1, -1), config.activation)
    loss = _losses(point_logits, labels)
    square = (config.grid, config.grid)
    for s in range(config.seeds):
        if not bool(torch.isfinite(loss[s])):
            diverged[s] = epoch if diverged[s] == NEVER else diverged[s]
            continue
        values["loss"][s, column] = float(loss[s])
        values["accuracy"][s, column] = float(
            (point_logits[s].argmax(1) == labels[s]).double().mean()
        )
        values["margin"][s, column] = (
            (grid_logits[s, :, 1] - grid_logits[s, :, 0]).reshape(square).cpu().numpy()
        )
        for l, layer in enumerate(config.layers):
            feature_map = features(parameters, s, layer, config.activation)
            volume = measure.log_volume_element(feature_map, grid)
            values["log_volume"][s, column, l] = volume.reshape(square).cpu().numpy()
            if is_smooth(config.activation) and config.widths[layer - 1] >= grid.shape[1]:
                curvature = measure.scalar_curvature(feature_map, grid)
                values["curvature"][s, column, l] = curvature.reshape(square).cpu().numpy()


def points(task: str, count: int, seed: int, height: float = 0.5) -> tuple[Tensor, Tensor]:
    r"""Return training inputs ``[N, 2]`` in float64 and their labels ``[N]``, 0 or 1.

    Args:
        task: ``"xor"`` takes the four corners of the square of side 2, with label 1 where the signs differ;
            ``"sinusoid"`` takes ``count`` uniformly distributed points of that square, with label 1 above
            :math:`h \sin(7x - 1)`.
        count: number of points of the sinusoid task.
        seed: seed of the points, a non-negative integer.
        height: height h of the sinusoid, in units of the inputs.

    Raises:
        ValueError: if there is no such task.
    """
    if checks.one_of("task", task, get_args(Task)) == "xor":
        x = torch.tensor(CORNERS, dtype=torch.float64)
        return x, (x[:, 0] * x[:, 1] < 0).long()
    x = 2 * torch.rand(count, 2, generator=generator(seed, "subset"), dtype=torch.float64) - 1
    return x, (x[:, 1] > boundary(x[:, 0], height)).long()


def boundary(x: Tensor, height: float = 0.5) -> Tensor:
    """Return the ordinate of the sinusoid of a height at abscissae ``x``."""
    return height * torch.sin(7 * x - 1)


def initial(
    widths: Sequence[int], seeds: Sequence[int], device: torch.device, start: Start = "torch"
) -> Parameters:
    """Return initial weights of networks 2 → widths → 2, in float64, each seed from its own stream.

    Args:
        widths: widths of the hidden layers.
        seeds: seeds of the networks.
        device: where the weights go.
        start: ``"torch"``, torch's own distribution, or ``"gaussian"``, that of
            :mod:`empirics.experiments.geometry.gaussian_start`.
    """
    sizes = (2, *widths, CLASSES)
    if start == "gaussian":
        networks = [drawn(sizes, stream) for stream in generators(seeds, "weights")]
        return [
            (_together(weights, device), _together(biases, device))
            for weights, biases in (
                zip(*layers, strict=True) for layers in zip(*networks, strict=True)
            )
        ]

    def network() -> nn.Sequential:
        return nn.Sequential(*(nn.Linear(a, b) for a, b in pairwise(sizes)))

    nets = [initialised(network, seed) for seed in seeds]
    parameters: Parameters = []
    for of_layer in zip(*nets, strict=True):
        weight = torch.stack([linear.weight.detach().double().T for linear in of_layer])
        bias = torch.stack([linear.bias.detach().double()[None] for linear in of_layer])
        parameters.append((nn.Parameter(weight.to(device)), nn.Parameter(bias.to(device))))
    return parameters


def _together(of_seeds: Sequence[Tensor], device: torch.device) -> nn.Parameter:
    """Return the same weights of all networks as one parameter ``[seed, ...]``."""
    return nn.Parameter(torch.stack(list(of_seeds)).to(device))


def logits(parameters: Parameters, x: Tensor, activation: str) -> Tensor:
    """Return logits ``[seed, point, 2]`` at inputs ``x`` ``[seed, point, 2]``."""
    phi = from_text("activation", activation)
    for weight, bias in parameters[:-1]:
        x = phi(torch.baddbmm(bias, x, weight))
    weight, bias = parameters[-1]
    return torch.baddbmm(bias, x, weight)


def features(parameters: Parameters, index: int, layer: int, activation: str) -> nn.Sequential:
    """Return the map of network ``index`` from inputs to hidden layer ``layer``, from 1, divided by √width."""
    parts: list[nn.Module] = []
    for l, (weight, bias) in enumerate(parameters[:layer], start=1):
        width = weight.shape[2]
        linear = linear_map(weight[index].T, bias[index, 0])
        parts += [linear, Elementwise(activation, math.sqrt(width) if l == layer else 1.0)]
    return nn.Sequential(*parts)
