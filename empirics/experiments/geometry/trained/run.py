"""One run in the plane: all seeds are trained at once, and looked at on the grid when a checkpoint comes."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from empirics import measure
from empirics.experiments.geometry.trained import networks, tasks
from empirics.experiments.geometry.trained.config import Config
from empirics.experiments.session import NEVER, Record, Session, run_of

CURVE, MAP, FIELD = ("seed", "epoch"), ("seed", "epoch", "y", "x"), ("seed", "epoch", "layer", "y", "x")
VARIABLES = {
    "loss": (CURVE, "mean cross-entropy of the training points (nats)"),
    "accuracy": (CURVE, "share of training points on their side"),
    "margin": (MAP, "logit of class 1 minus logit of class 0"),
    "log_volume": (FIELD, "log sqrt(det g) of the layer's features (log of 1/input^2)"),
    "curvature": (FIELD, "scalar curvature of the layer's features (dimensionless)"),
}


@run_of(Config)
def run(config: Config, session: Session[Config]) -> Record:
    """Train the networks of ``config`` and return what their layers make of the plane.

    Returns:
        Dataset with dimensions ``seed``, ``epoch`` (the checkpoints), ``layer``, ``y`` and ``x`` (the grid), ``point``
        and ``coordinate`` (the training inputs). The probability of class 1 is the logistic function of ``margin``.
        ``curvature`` is NaN where the metric is singular to rounding, and throughout for ReLU; it is zero where a layer
        has as many units as inputs.
    """
    device = session.device
    drawn = [tasks.points(config.task, config.points, seed) for seed in config.seed_numbers]
    x, labels = (torch.stack(of_seeds).to(device) for of_seeds in zip(*drawn, strict=True))
    parameters = networks.initial(config.widths, config.seed_numbers, device)
    axis = torch.linspace(-config.extent, config.extent, config.grid, dtype=torch.float64, device=device)
    shape = {"seed": config.seeds, "epoch": len(config.checkpoints), "layer": len(config.layers)}
    shape |= {"y": config.grid, "x": config.grid}
    values = {name: np.full([shape[dim] for dim in dims], np.nan) for name, (dims, _) in VARIABLES.items()}
    flat = [parameter for pair in parameters for parameter in pair]
    optimiser = torch.optim.SGD(
        flat, lr=config.learning_rate, momentum=config.momentum, weight_decay=config.weight_decay
    )
    diverged = np.full(config.seeds, NEVER)
    with session.bar(config.task, config.epochs, "epoch") as shown:
        for epoch in range(max(config.checkpoints) + 1):
            if epoch:
                optimiser.zero_grad()
                _losses(networks.logits(parameters, x, config.activation), labels).sum().backward()  # type: ignore[no-untyped-call]
                optimiser.step()
                shown.update()
            if epoch in config.checkpoints:
                _look(config, parameters, x, labels, axis, values, config.checkpoints.index(epoch), epoch, diverged)
    session.mark({s: int(at) for s, at in enumerate(diverged) if at != NEVER})
    variables: dict[str, Any] = {name: (dims, values[name], what) for name, (dims, what) in VARIABLES.items()}
    variables |= {
        "inputs": (("seed", "point", "coordinate"), x.cpu(), "training inputs"),
        "labels": (("seed", "point"), labels.cpu(), "their classes"),
        "diverged_at": (("seed",), diverged, f"first checkpoint whose loss is not finite; {NEVER}: none"),
    }
    coordinates: dict[str, tuple[Any, dict[str, str]]] = {
        "epoch": (np.asarray(config.checkpoints), {"long_name": "epochs of training"}),
        "layer": (np.asarray(config.layers), {"long_name": "hidden layer, counted from 1"}),
        "y": (axis.cpu(), {"long_name": "second input"}),
        "x": (axis.cpu(), {"long_name": "first input"}),
    }
    return Record(variables, coordinates)


def _losses(logits: Tensor, labels: Tensor) -> Tensor:
    """Mean cross-entropy of every seed, ``[seed]``."""
    return cross_entropy(logits.transpose(1, 2), labels, reduction="none").mean(dim=1)


def _look(
    config: Config, parameters: networks.Parameters, x: Tensor, labels: Tensor, axis: Tensor,
    values: dict[str, Any], number: int, epoch: int, diverged: Any,
) -> None:  # fmt: skip
    """Record one checkpoint of every seed that is still finite."""
    second, first = torch.meshgrid(axis, axis, indexing="ij")
    grid = torch.stack([first.flatten(), second.flatten()], dim=1)
    with torch.no_grad():
        at_points = networks.logits(parameters, x, config.activation)
        on_grid = networks.logits(parameters, grid.expand(config.seeds, -1, -1), config.activation)
    loss = _losses(at_points, labels)
    square = (config.grid, config.grid)
    for s in range(config.seeds):
        if not bool(torch.isfinite(loss[s])):
            diverged[s] = epoch if diverged[s] == NEVER else diverged[s]
            continue
        values["loss"][s, number] = float(loss[s])
        values["accuracy"][s, number] = float((at_points[s].argmax(1) == labels[s]).double().mean())
        values["margin"][s, number] = (on_grid[s, :, 1] - on_grid[s, :, 0]).reshape(square).cpu()
        for l, layer in enumerate(config.layers):
            map_ = networks.features(parameters, s, layer, config.activation)
            values["log_volume"][s, number, l] = measure.log_volume_element(map_, grid).reshape(square).cpu()
            if config.activation != "relu" and config.widths[layer - 1] >= grid.shape[1]:
                values["curvature"][s, number, l] = measure.scalar_curvature(map_, grid).reshape(square).cpu()
