"""The model and the data on which a watched run is measured, checked once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from closedform import checks
from empirics import tensor_checks
from empirics.measure.models.call_sites import CallSite
from empirics.measure.models.layers import layers_of, reader_of
from empirics.watching.undisturbed import device_of, undisturbed


@dataclass(frozen=True)
class WatchedModel:
    """A model with the data of its measurements.

    Attributes:
        model: the model; the measures get a copy of it in evaluation mode.
        inputs: ``[N, *input]``.
        labels: class indices ``[N]``, targets ``[N, ...]`` in floating point, or None.
        layers: call sites that are measured, from first to last.
        left_out: what is known of nonlinearities that are not among the layers, or empty.
        head: dotted name of the linear map that reads the last layer and ends the forward pass, or empty.
        points: largest number of inputs for measures that take long.
        pair: positions of the two inputs of the two-point theory, or None where there are none.
        memory: limit of the working memory of each measure.
    """

    model: nn.Module
    inputs: Tensor
    labels: Tensor | None
    layers: tuple[CallSite, ...]
    left_out: str
    head: str
    points: int
    pair: tuple[int, int] | None
    memory: str

    def on(self, model: nn.Module) -> WatchedModel:
        """Return the subject with another model, and with the data on its device and in its precision."""
        device = device_of(model)
        labels = None if self.labels is None else self.labels.to(device)
        return replace(self, model=model, inputs=_taken(model, self.inputs), labels=labels)

    def some(self) -> Tensor:
        """Return ``points`` of the inputs, evenly spaced, or all if there are fewer."""
        return self.inputs[self.positions()]

    def positions(self) -> list[int]:
        """Return the positions of :meth:`some` among the inputs."""
        count = min(self.points, len(self.inputs))
        return [round(position) for position in torch.linspace(0, len(self.inputs) - 1, count).tolist()]

    def outputs(self) -> Tensor:
        """Return the model's outputs for all inputs."""
        with torch.no_grad():
            output = self.model(self.inputs.clone())  # a clone: the model may work in place
        if not isinstance(output, Tensor):
            raise TypeError(f"model: gives {type(output).__name__}, needs to give one tensor of outputs")
        return output

    def targets(self, outputs: int) -> Tensor:
        """Return the targets ``[N, outputs]`` in float64; class indices become one-hot vectors.

        Raises:
            ValueError: if there are no labels, or their number does not fit the outputs.
        """
        if self.labels is None:
            raise ValueError("labels: are not given; this measure needs them")
        if self.labels.is_floating_point():
            targets = self.labels.double().reshape(len(self.labels), -1)
        else:
            needs = f"class indices of the model's {outputs} outputs"
            checks.require(int(self.labels.max()) < outputs, "labels", int(self.labels.max()), needs)
            targets = functional.one_hot(self.labels, outputs).double()
        tensor_checks.shape(
            "labels", targets, targets.shape[1] == outputs, f"{outputs} numbers for each input, as the outputs"
        )
        return targets


def checked(
    model: nn.Module,
    inputs: Any,
    labels: Any,
    layers: Sequence[str | tuple[str, int | str]] | None,
    points: int,
    pair: Sequence[int] | None,
    memory: str,
) -> WatchedModel:
    """Check the arguments of :func:`empirics.watch`.

    Raises:
        TypeError: if an argument is of the wrong kind.
        ValueError: if shapes do not fit, or a layer or a position does not exist.
    """
    x = tensor_checks.real_numbers("inputs", inputs).clone()
    tensor_checks.shape("inputs", x, x.ndim >= 2 and len(x) >= 2, "[N, *input] with at least two inputs")
    tensor_checks.finite("inputs", x)
    y = None
    if labels is not None:
        y = tensor_checks.real_numbers("labels", labels).clone()
        tensor_checks.shape("labels", y, y.ndim >= 1 and len(y) == len(x), f"[{len(x)}], one for each input")
        tensor_checks.finite("labels", y)
        if not y.is_floating_point():
            tensor_checks.shape("labels", y, y.ndim == 1, f"[{len(x)}] for class indices")
            checks.require(int(y.min()) >= 0, "labels", int(y.min()), "class indices of at least 0")
            y = y.to(torch.int64)
    positions = None if pair is None else checks.integers("pair", pair, 0, len(x) - 1)
    if positions is not None:
        checks.require(len(set(positions)) == 2 == len(positions), "pair", positions, "two different positions")
        chosen: tuple[int, int] | None = (positions[0], positions[1])
    else:
        chosen = _first_pair(x, y)
    with undisturbed(model) as copy:
        some = _taken(copy, x[:2])
        found = layers_of(copy, some, layers)
        head = reader_of(copy, found, some)
    count = checks.size("points", points, 2)
    return WatchedModel(model, x, y, found.measured, found.left_out, head, count, chosen, memory)


def _first_pair(x: Tensor, y: Tensor | None) -> tuple[int, int] | None:
    """Return the positions of the first input and of the first one that differs from it and has another label."""
    if y is None:
        return None
    for position in range(1, len(x)):
        if not torch.equal(x[position], x[0]) and not torch.equal(y[position], y[0]):
            return 0, position
    return None


def _taken(model: nn.Module, x: Tensor) -> Tensor:
    """Return inputs on the device of the model and in its precision; integers remain indices if it takes them."""
    like = next((p for p in [*model.parameters(), *model.buffers()] if p.is_floating_point()), torch.empty(()))
    x = x.to(like.device)
    if x.is_floating_point():
        return x.to(like.dtype)
    has_embedding = any(isinstance(part, nn.Embedding | nn.EmbeddingBag) for part in model.modules())
    return x if has_embedding else x.to(like.dtype)
