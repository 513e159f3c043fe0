"""Models of several inputs as maps of one tensor, with the names of their submodules kept.

Inputs may be one tensor, a tuple, dictionary or dataclass of tensors with a row for each point, a dataset, or a loader
of batches. Several tensors are put side by side, ``[N, numbers]``; whole numbers among them (tokens, masks) are turned
back into whole numbers for the model, which gets them as its signature says: one by one, or together as they were
given.
"""

from __future__ import annotations

import copy
import dataclasses
import inspect
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset
from torch.utils.hooks import RemovableHandle

from closedform import checks
from empirics import tensor_checks
from empirics.measure.models.model_output import entries_of, fields_of

AT_ONCE = 256  # points of a dataset in a batch
ONE_ROW = (
    "tensors with the same number of rows, one for each point; where points depend on each other, as the nodes of one "
    "graph do, give the numbers of the nodes, torch.arange(N)[:, None], and a module whose forward takes them and "
    "returns graph_model(x, edge_index)[numbers[:, 0]]"
)
MOST_BATCHED = 10_000  # points that are taken from a loader
LABELS = (
    "labels",
    "label",
    "y",
    "target",
    "targets",
)  # of a batch that has its labels among its entries


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


@dataclasses.dataclass(frozen=True, eq=False)
class Adapter:
    """How points ``[N, ...]`` in one tensor become the inputs of a model."""

    # the tensors, side by side; empty where the model takes the one tensor itself
    parts: tuple[OutputPart, ...] = ()
    template: Any = None  # the inputs as given, whose other entries are passed on: a tuple, a dictionary or a dataclass
    is_spread: bool = False  # whether the model takes the entries one by one

    def __deepcopy__(self, memo: Any) -> Adapter:
        """Return itself: an adapter is never changed, and copies of a model share it."""
        return self

    @property
    def constants(self) -> int:
        """How many numbers of a point have no derivative: indices and masks next to others."""
        return sum(part.size for part in self.parts if not part.is_real)

    def attach(self, model: nn.Module) -> RemovableHandle | None:
        """Make a copy of a model take the points in one tensor; return what undoes this, or None."""
        if not self.parts:
            return None
        return model.register_forward_pre_hook(self._unpack, with_kwargs=True, prepend=True)

    def _unpack(self, model: nn.Module, taken: Any, named: Any) -> Any:
        x, start, values = taken[0], 0, {}
        for part in self.parts:
            numbers = x[:, start : start + part.size].reshape(-1, *part.shape)
            whole = numbers.detach().round()
            values[part.name] = (
                numbers if part.is_real else whole.to(x.dtype if part.is_mask else part.dtype)
            )
            start += part.size
        if not self.is_spread:
            return (self._together(values),), {}
        if isinstance(self.template, tuple) and not fields_of(self.template):
            return tuple(values.get(place, other) for place, other in enumerate(self.template)), {}
        return (), entries_of(self.template) | values

    def _together(self, values: Mapping[Any, Any]) -> Any:
        """Return the inputs in the form in which they were given, with other values."""
        if isinstance(self.template, Mapping):
            return {**self.template, **values}
        if isinstance(self.template, tuple):
            if fields_of(self.template):
                return type(self.template)(**{**fields_of(self.template), **values})
            return tuple(values.get(place, other) for place, other in enumerate(self.template))
        if dataclasses.is_dataclass(self.template) and not isinstance(self.template, type):
            return dataclasses.replace(self.template, **values)
        together = copy.copy(self.template)
        for name, value in values.items():
            setattr(together, name, value)
        return together

    def forms(self, model: nn.Module) -> tuple[Adapter, ...]:
        """Return the adapters for the ways in which the signature of a model takes the inputs, the likelier first."""
        if not self.parts:
            return (self,)
        entries = entries_of(self.template)
        is_placed = isinstance(self.template, tuple) and not fields_of(self.template)
        given, named = (tuple(entries.values()), {}) if is_placed else ((), entries)
        spread, whole = replace(self, is_spread=True), replace(self, is_spread=False)
        is_batch = bool(fields_of(self.template)) and not isinstance(
            self.template, tuple
        )  # which a model takes as one
        forms = (whole, spread) if is_batch else (spread, whole)
        fitting = {spread: _binds(model, *given, **named), whole: _binds(model, self.template)}
        return tuple(form for form in forms if fitting[form]) or forms


def _binds(model: nn.Module, *given: Any, **named: Any) -> bool:
    """Return whether the signature of a model allows a call."""
    try:
        inspect.signature(model.forward).bind(*given, **named)
    except (TypeError, ValueError):
        return False
    return True


def adapted(
    inputs: Any, labels: Any = None, model: nn.Module | None = None
) -> tuple[Adapter, Tensor, Any]:
    """Return an adapter, the points ``[N, ...]`` in one tensor, and the labels, which the inputs may hold as well."""
    if isinstance(inputs, Dataset):
        inputs = DataLoader(inputs, batch_size=AT_ONCE)
    if _is_loader(inputs):
        inputs, loaded = _gathered(inputs)
        labels = loaded if labels is None else labels
    named = entries_of(inputs) if _is_several(inputs) else {}
    name = _name_of_labels(named, model) if labels is None else None
    if name is not None:
        labels = named.pop(name)
        inputs = dict(named) if isinstance(inputs, Mapping) else inputs
    if not named:
        return Adapter(), tensor_checks.tensor("inputs", inputs), labels
    tensors = {
        name: tensor_checks.tensor(f"inputs[{name!r}]", value)
        for name, value in named.items()
        if hasattr(value, "shape") and len(value.shape)
    }
    rows = {len(tensor) for tensor in tensors.values()}
    checks.require(len(rows) == 1, "inputs", f"{sorted(rows)} rows", ONE_ROW)
    parts = tuple(_part(name, tensor) for name, tensor in tensors.items())
    dtype = next(
        (tensor.dtype for tensor in tensors.values() if tensor.is_floating_point()), torch.int64
    )
    x = torch.cat([tensor.reshape(len(tensor), -1).to(dtype) for tensor in tensors.values()], 1)
    return Adapter(parts, inputs), x, labels


def _name_of_labels(inputs: Mapping[Any, Any], model: nn.Module | None) -> Any:
    """Return the name of the labels among the entries of a batch, or None; an entry that the model takes is none."""
    taken = set() if model is None else set(inspect.signature(model.forward).parameters)
    names = [
        name for name in LABELS if name in inputs and (name == LABELS[0] or name not in taken)
    ]
    return names[0] if names else None


def _is_several(inputs: Any) -> bool:
    """Return whether the inputs are several tensors by name or place."""
    is_tuple = isinstance(inputs, tuple) and all(isinstance(part, Tensor) for part in inputs)
    return isinstance(inputs, Mapping) or is_tuple or bool(fields_of(inputs))


def _part(name: Any, tensor: Tensor) -> OutputPart:
    is_mask = tensor.is_floating_point() and bool(((tensor == 0) | (tensor == 1)).all())
    return OutputPart(name, tuple(tensor.shape[1:]), tensor.dtype, is_mask)


def _is_loader(inputs: Any) -> bool:
    is_tensors = isinstance(inputs, Tensor | Mapping | tuple | list | str) or hasattr(
        inputs, "__array__"
    )
    return hasattr(inputs, "__iter__") and not is_tensors and not fields_of(inputs)


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
