"""The model and the data on which a watched run is measured, checked once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from closedform import checks
from empirics.measure.models.frozen_model import copied
from empirics.measure.models.layers import reader_of
from empirics.measure.models.model_on_data import ModelOnData, model_on_data
from empirics.measure.models.model_output import Wanted
from empirics.measure.models.task import BY_POINT, TaskName
from empirics.watching.undisturbed import device_of, undisturbed


@dataclass(frozen=True)
class WatchedModel(ModelOnData):
    """A model with the data of its measurements; measures get a copy in evaluation mode of one tensor to one tensor."""

    # of the user, or a copy in evaluation mode, with the inputs and outputs that it has
    original: nn.Module
    head: str  # dotted name of the linear map that reads the last layer and ends the forward pass, or empty
    points: int  # largest number of inputs for measures that take long
    pair: tuple[int, int] | None  # positions of the two inputs of the two-point theory, or None
    memory: str  # limit of the working memory of each measure

    def on(self, copy: nn.Module) -> WatchedModel:
        """Return the subject with a new copy of the model, and with the data on its device."""
        model = copied(copy) if self.adapter.parts or not self.output.is_all else copy
        self.adapter.attach(model)
        self.output.attach(model)
        device = device_of(model)
        labels = None if self.task.labels is None else self.task.labels.to(device)
        task = replace(self.task, labels=labels)
        return replace(self, model=model, original=copy, inputs=self.inputs.to(device), task=task)

    def some(self) -> Tensor:
        """Return ``points`` of the inputs, evenly spaced, or all if there are fewer."""
        return self.inputs[self.positions()]

    def positions(self) -> list[int]:
        """Return the positions of :meth:`some` among the inputs."""
        count = min(self.points, len(self.inputs))
        return [
            round(position) for position in torch.linspace(0, len(self.inputs) - 1, count).tolist()
        ]

    def target_of(self, point: int) -> Tensor:
        """Return what the outputs should be at a point, ``[outputs]``, float64; a class index is a one-hot vector."""
        name, labels = self.task.name, self.task.labels
        if labels is None or name not in (*BY_POINT, "regression"):
            raise ValueError(
                "pair: there is no label for each input that says what the outputs should be"
            )
        if name == "classes":
            return functional.one_hot(labels[point], self.classes).double()
        return labels[point].double().reshape(-1)


def checked(
    model: nn.Module,
    inputs: Any,
    labels: Any,
    layers: Sequence[str | tuple[str, int | str]] | None,
    points: int,
    pair: Sequence[int] | None,
    memory: str,
    task: TaskName | None,
    output: Wanted,
) -> WatchedModel:
    """Check the arguments of :func:`empirics.watch`."""
    with undisturbed(model) as copy:
        subject = model_on_data(copy, inputs, labels, layers, task, output)
        head = reader_of(copy, subject.layers, subject.sites, subject.inputs[:2])
    x, y = subject.inputs.clone(), subject.task.labels
    positions = None if pair is None else checks.integers("pair", pair, 0, len(x) - 1)
    if positions is not None:
        checks.require(
            len(set(positions)) == 2 == len(positions),
            "pair",
            positions,
            "two different positions",
        )
    chosen = (positions[0], positions[1]) if positions is not None else _first_pair(x, y)
    own = {
        "inputs": x,
        "task": replace(subject.task, labels=None if y is None else y.clone()),
        "model": model,
    }
    count = checks.size("points", points, 2)
    return WatchedModel(
        **(vars(subject) | own),
        original=model,
        head=head,
        points=count,
        pair=chosen,
        memory=memory,
    )


def _first_pair(x: Tensor, y: Tensor | None) -> tuple[int, int] | None:
    """Return the positions of the first input and of the first one that differs from it and has another label."""
    if y is None:
        return None
    for position in range(1, len(x)):
        if not torch.equal(x[position], x[0]) and not torch.equal(y[position], y[0]):
            return 0, position
    return None
