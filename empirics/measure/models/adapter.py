"""Models of several inputs or outputs as maps from one tensor to one tensor, with the names of their submodules kept.

Inputs may be one tensor, a tuple, dictionary or dataclass of tensors with a row for each point, or a loader of batches.
Several tensors are put side by side, ``[N, numbers]``; whole numbers among them (tokens, masks) are turned back into
whole numbers for the model. Of several outputs, ``logits`` or else the first tensor of real numbers is taken.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from closedform import checks
from empirics import tensor_checks

MOST_BATCHED = 10_000  # points that are taken from a loader
LOGITS, LABELS = "logits", "labels"


@dataclasses.dataclass(frozen=True)
class OutputPart:
    """One tensor among the inputs; one of zeros and ones is a mask, in which nothing is differentiated."""

    name: str | int  # or place
    shape: tuple[int, ...]  # of one point
    dtype: torch.dtype
    is_mask: bool

    @property
    def is_real(self) -> bool:
        """Whether the model has a derivative in these numbers."""
        return self.dtype.is_floating_point and not self.is_mask

    @property
    def size(self) -> int:
        """Numbers of one point."""
        return torch.Size(self.shape).numel()


@dataclasses.dataclass(frozen=True)
class Adapter:
    """How points ``[N, ...]`` in one tensor become the inputs of a model."""

    # the tensors, side by side; empty where the model takes the one tensor itself
    parts: tuple[OutputPart, ...] = ()
    template: Any = None  # the inputs as given, whose other entries are passed on: a tuple, a dictionary or a dataclass

    def __deepcopy__(self, memo: Any) -> Adapter:
        """Return itself: an adapter is never changed, and copies of a model share it."""
        return self

    @property
    def constants(self) -> int:
        """How many numbers of a point have no derivative: indices and masks next to others."""
        return sum(part.size for part in self.parts if not part.is_real)

    def attach(self, model: nn.Module) -> nn.Module:
        """Make a copy of a model take the points in one tensor, and return it."""
        if self.parts:
            model.register_forward_pre_hook(self._unpack, with_kwargs=True, prepend=True)
        return model

    def _unpack(self, model: nn.Module, taken: Any, named: Any) -> Any:
        x, start, values = taken[0], 0, {}
        for part in self.parts:
            numbers = x[:, start : start + part.size].reshape(-1, *part.shape)
            whole = numbers.detach().round()
            values[part.name] = (
                numbers if part.is_real else whole.to(x.dtype if part.is_mask else part.dtype)
            )
            start += part.size
        if isinstance(self.template, Mapping):
            return (), {**self.template, **values}
        if isinstance(self.template, tuple):
            return tuple(
                values.get(position, other) for position, other in enumerate(self.template)
            ), {}
        return (
            dataclasses.replace(
                self.template, **{str(name): value for name, value in values.items()}
            ),
        ), {}


def give_main_output(model: nn.Module) -> nn.Module:
    """Make a copy of a model give :func:`main_output` only, and return it."""
    model.register_forward_hook(lambda _, taken, output: main_output(output))
    return model


def main_output(output: Any) -> Any:
    """Return ``logits``, or the first tensor of real numbers, of a model's output; the output itself if it is one."""
    if isinstance(output, Tensor):
        return output
    listed = output if isinstance(output, Mapping) else _fields(output)
    entries = (
        dict(enumerate(output)) if isinstance(output, tuple | list) and not listed else listed
    )
    tensors = {name: entry for name, entry in entries.items() if isinstance(entry, Tensor)}
    tensors = {name: tensor for name, tensor in tensors.items() if tensor.is_floating_point()}
    if isinstance(tensors.get(LOGITS), Tensor):
        return tensors[LOGITS]
    return next((tensor for tensor in tensors.values() if tensor.ndim), output)


def _fields(value: Any) -> dict[Any, Any]:
    """Return the entries of a dataclass or of a named tuple; empty for others."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return value._asdict() if hasattr(value, "_asdict") else {}


def adapted(inputs: Any, labels: Any = None) -> tuple[Adapter, Tensor, Any]:
    """Return an adapter, the points ``[N, ...]`` in one tensor, and the labels, which a loader may give as well."""
    if _is_loader(inputs):
        inputs, loaded = _gathered(inputs)
        labels = loaded if labels is None else labels
    if labels is None and isinstance(inputs, Mapping) and LABELS in inputs:
        labels, inputs = (
            inputs[LABELS],
            {name: value for name, value in inputs.items() if name != LABELS},
        )
    named = _named(inputs)
    if not named:
        return Adapter(), tensor_checks.tensor("inputs", inputs), labels
    tensors = {
        name: tensor_checks.tensor(f"inputs[{name!r}]", value)
        for name, value in named.items()
        if hasattr(value, "shape") and len(value.shape)
    }
    rows = {len(tensor) for tensor in tensors.values()}
    checks.require(
        len(rows) == 1, "inputs", f"{sorted(rows)} rows", "tensors with the same number of rows"
    )
    parts = tuple(_part(name, tensor) for name, tensor in tensors.items())
    dtype = next(
        (tensor.dtype for tensor in tensors.values() if tensor.is_floating_point()), torch.int64
    )
    x = torch.cat([tensor.reshape(len(tensor), -1).to(dtype) for tensor in tensors.values()], 1)
    return Adapter(parts, inputs), x, labels


def _named(inputs: Any) -> dict[Any, Any]:
    """Return several inputs by name or place; empty for a single one."""
    if isinstance(inputs, Mapping):
        return dict(inputs)
    if isinstance(inputs, tuple) and all(isinstance(part, Tensor) for part in inputs):
        return dict(enumerate(inputs))
    return _fields(inputs)


def _part(name: Any, tensor: Tensor) -> OutputPart:
    is_mask = tensor.is_floating_point() and bool(((tensor == 0) | (tensor == 1)).all())
    return OutputPart(name, tuple(tensor.shape[1:]), tensor.dtype, is_mask)


def _is_loader(inputs: Any) -> bool:
    is_tensors = isinstance(inputs, Tensor | Mapping | tuple | list | str) or hasattr(
        inputs, "__array__"
    )
    return hasattr(inputs, "__iter__") and not is_tensors and not _fields(inputs)


def _gathered(loader: Any) -> tuple[Any, Any]:
    """Return the inputs and the labels (or None) of the batches of a loader, one after another."""
    batches: list[Any] = []
    count = 0
    for loaded in loader:
        batch = loaded if isinstance(loaded, Mapping | tuple | list) else (loaded,)
        batches.append(batch)
        first = next(iter(batch.values())) if isinstance(batch, Mapping) else batch[0]
        first = next(iter(first.values())) if isinstance(first, Mapping) else first
        count += len(first)
        if count >= MOST_BATCHED:
            break
    checks.require(bool(batches), "inputs", "a loader without a batch", "at least one batch")
    if isinstance(batches[0], Mapping):
        return _joined(batches), None
    labels = _joined([batch[1] for batch in batches]) if len(batches[0]) > 1 else None
    return _joined([batch[0] for batch in batches]), labels


def _joined(parts: list[Any]) -> Any:
    """Return the rows of all parts, of tensors or of dictionaries of tensors, as one."""
    if isinstance(parts[0], Mapping):
        joined = {}
        for name in parts[0]:
            joined[name] = _joined([part[name] for part in parts])
        return joined
    return torch.cat([tensor_checks.tensor("inputs", part) for part in parts])
