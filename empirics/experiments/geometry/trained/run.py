"""Training of all seeds at once on a task in the plane, with measurements on a grid at the checkpoints."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from empirics import measure
from empirics.experiments.geometry.trained import networks, tasks
from empirics.experiments.geometry.trained.config import Config
from empirics.networks.functions import is_smooth
from empirics.runs.session import NEVER, RunResult, Session, run_of
from empirics.training.unfinished import Stateful, WithValues, restore, state_of

CURVE, MAP, FIELD = ("seed", "epoch"), ("seed", "epoch", "y", "x"), ("seed", "epoch", "layer", "y", "x")
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
    changing: dict[str, Stateful] = {"networks": nn.ParameterList(flat), "optimiser": optimiser}
    unfinished = WithValues(session.unfinished, {**values, "diverged": diverged})

    def state() -> dict[str, Any]:
        return {**state_of(changing), "epoch": epoch}

    first = 0
    if (begun := unfinished.begun) is not None:
        restore(changing, begun)
        first = begun["epoch"] + 1
    with session.bar(config.task, config.epochs, "epoch", initial=max(first - 1, 0)) as progress_bar:
        for epoch in range(first, max(config.checkpoints) + 1):
            if epoch:
                optimiser.zero_grad()
                _losses(networks.logits(parameters, x, config.activation), labels).sum().backward()  # type: ignore[no-untyped-call]
                optimiser.step()
                progress_bar.update()
            if epoch in config.checkpoints:
                _measure(config, parameters, x, labels, axis, values, config.checkpoints.index(epoch), epoch, diverged)
            unfinished.keep(state)
    session.mark({s: int(when) for s, when in enumerate(diverged) if when != NEVER})
    variables: dict[str, Any] = {name: (dims, values[name], meaning) for name, (dims, meaning) in VARIABLES.items()}
    variables |= {
        "inputs": (("seed", "point", "coordinate"), x.cpu(), "training inputs"),
        "labels": (("seed", "point"), labels.cpu(), "their classes"),
        "diverged_at": (("seed",), diverged, f"first checkpoint with a loss that is not finite; {NEVER}: none"),
    }
    coordinates: dict[str, tuple[Any, dict[str, str]]] = {
        "epoch": (np.asarray(config.checkpoints), {"long_name": "epochs of training"}),
        "layer": (np.asarray(config.layers), {"long_name": "hidden layer, counted from 1"}),
        "y": (axis.cpu(), {"long_name": "second input"}),
        "x": (axis.cpu(), {"long_name": "first input"}),
    }
    return RunResult(variables, coordinates)


def _losses(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the mean cross-entropy of every seed, ``[seed]``, in nats."""
    return cross_entropy(logits.transpose(1, 2), labels, reduction="none").mean(dim=1)


def _measure(
    config: Config, parameters: networks.Parameters, x: Tensor, labels: Tensor, axis: Tensor,
    values: dict[str, Any], column: int, epoch: int, diverged: Any,
) -> None:  # fmt: skip
    """Store the values of one checkpoint for every seed whose loss is finite."""
    second, first = torch.meshgrid(axis, axis, indexing="ij")
    grid = torch.stack([first.flatten(), second.flatten()], dim=1)
    with torch.no_grad():
        point_logits = networks.logits(parameters, x, config.activation)
        grid_logits = networks.logits(parameters, grid.expand(config.seeds, -1, -1), config.activation)
    loss = _losses(point_logits, labels)
    square = (config.grid, config.grid)
    for s in range(config.seeds):
        if not bool(torch.isfinite(loss[s])):
            diverged[s] = epoch if diverged[s] == NEVER else diverged[s]
            continue
        values["loss"][s, column] = float(loss[s])
        values["accuracy"][s, column] = float((point_logits[s].argmax(1) == labels[s]).double().mean())
        values["margin"][s, column] = (grid_logits[s, :, 1] - grid_logits[s, :, 0]).reshape(square).cpu().numpy()
        for l, layer in enumerate(config.layers):
            feature_map = networks.features(parameters, s, layer, config.activation)
            volume = measure.log_volume_element(feature_map, grid)
            values["log_volume"][s, column, l] = volume.reshape(square).cpu().numpy()
            if is_smooth(config.activation) and config.widths[layer - 1] >= grid.shape[1]:
                curvature = measure.scalar_curvature(feature_map, grid)
                values["curvature"][s, column, l] = curvature.reshape(square).cpu().numpy()
