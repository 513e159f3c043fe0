"""Which tensor of a model's output is measured: one rule for measures, watched runs and dossiers.

A model may give one tensor, or several in tuples, dictionaries, dataclasses and named tuples. Of several, the one that
is asked for is taken; else ``logits``; else the only one that fits the labels, before all one with as many numbers as
there are classes; of several that fit, the one that the last linear map gives. Where this does not decide, the error
lists the tensors and says how to ask.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from closedform import checks
from empirics.measure.models.observation import observed

LOGITS = "logits"
Wanted = int | str | Callable[[Any], Tensor] | None
"""What is asked for: the place or the name of a tensor, such as 1, "logits" or "1.0", a function, or None."""

Fit = Callable[[Tensor], int]
"""How well a tensor fits the labels: 0 not at all, 1 it may, 2 with as many numbers as there are classes or targets."""


@dataclasses.dataclass(frozen=True)
class ModelOutput:
    """The tensor that is taken of what a model gives."""

    name: str  # its place or name; empty for the one tensor that a model gives, or a function of the user's
    said: str  # which tensors there are, and why this one is taken, for pages
    function: Callable[[Any], Tensor] | None = None  # of the user's

    @property
    def is_all(self) -> bool:
        """Whether the model gives this one tensor and nothing else."""
        return not self.name and self.function is None

    def of(self, output: Any) -> Any:
        """Return the tensor of an output of the model."""
        if self.function is not None:
            return self.function(output)
        return tensors_of(output).get(self.name, output) if self.name else output

    def attach(self, model: nn.Module) -> nn.Module:
        """Make a copy of a model give this tensor only, and return it."""
        if not self.is_all:
            model.register_forward_hook(lambda _, taken, output: self.of(output))
        return model


def tensors_of(output: Any, path: str = "") -> dict[str, Tensor]:
    """Return the tensors of real numbers with rows in an output, by place or name such as ``"logits"`` or ``"1.0"``."""
    if isinstance(output, Tensor):
        return {path: output} if output.is_floating_point() and output.ndim else {}
    tensors: dict[str, Tensor] = {}
    for name, part in entries_of(output).items():
        tensors |= tensors_of(part, f"{path}.{name}" if path else str(name))
    return tensors


def entries_of(value: Any) -> dict[Any, Any]:
    """Return the entries of a mapping, dataclass, named tuple, tuple or list, by name or place; empty for others."""
    if isinstance(value, Mapping):
        return dict(value)
    fields = fields_of(value)
    if fields or not isinstance(value, tuple | list):
        return fields
    return dict(enumerate(value))


def fields_of(value: Any) -> dict[str, Any]:
    """Return the entries of a dataclass, a named tuple, or another object that holds tensors; empty for others."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if hasattr(value, "_asdict"):
        return dict(value._asdict())
    return _attributes_of(value)


def _attributes_of(value: Any) -> dict[str, Any]:
    """Return the tensors of an object that is no more than a place for them, as the batches of graph libraries are."""
    is_own_kind = isinstance(value, Tensor | nn.Module | Mapping | tuple | list | type)
    if is_own_kind or callable(value) or hasattr(value, "__array__"):
        return {}
    entries = value.to_dict() if hasattr(value, "to_dict") else getattr(value, "__dict__", {})
    return {name: part for name, part in entries.items() if isinstance(part, Tensor)}


def model_output(
    model: nn.Module, x: Tensor, wanted: Wanted = None, fit: Fit | None = None
) -> tuple[ModelOutput, Tensor]:
    """Choose the output of a model.

    Args:
        model: module, ``[batch, *input]`` to anything.
        x: a few points ``[batch, *input]``.
        wanted: place or name of a tensor, a function of the output, or None for the rule of this module.
        fit: how well a tensor fits the labels. Default: there are none.

    Returns:
        The choice, and the tensor ``[batch, *outputs]`` at the points.

    Raises:
        TypeError: if no tensor has a row for each point.
        ValueError: if ``wanted`` names none, or the rule does not decide.
    """
    maps: list[Tensor] = []
    with (
        torch.no_grad(),
        observed(model, lambda call: maps.append(call.output) if call.is_map else None),
    ):
        raw = model(x.clone())  # the model may work in place
    if callable(wanted):
        chosen = ModelOutput("", f"a function of your own, {wanted!r}"[:80], wanted)
        return chosen, _checked(chosen.of(raw), len(x))
    if isinstance(raw, Tensor) and wanted is None:
        return ModelOutput("", f"the one that the model gives, {_shape(raw)}"), _checked(
            raw, len(x)
        )
    tensors = {name: part for name, part in tensors_of(raw).items() if len(part) == len(x)}
    if not tensors:
        raise TypeError(
            f"model: got {_kind(raw)} from it for {len(x)} points, needs a tensor [{len(x)}, *outputs], alone or among "
            "others"
        )
    listed = ", ".join(f"{name} {_shape(part)}" for name, part in tensors.items())
    if wanted is not None:
        checks.require(str(wanted) in tensors, "output", repr(wanted), f"one of {listed}")
        return ModelOutput(str(wanted), f"{wanted} of {listed}: asked for"), tensors[str(wanted)]
    name, why = _by_rule(tensors, maps, fit)
    if name is None:
        raise ValueError(
            f"output: the model gives {listed}, and it cannot be told which is meant ({why}); needs output= with a "
            "place or name of these, or a function of the model's output (for measures without output=, a function of "
            "the inputs, such as lambda x: model(x)[0])"
        )
    return ModelOutput(name, f"{name} of {listed}: {why}; output= takes another"), tensors[name]


def _by_rule(
    tensors: Mapping[str, Tensor], maps: Sequence[Tensor], fit: Fit | None
) -> tuple[str | None, str]:
    """Return the name of the tensor that the rule takes, or None, and why."""
    if len(tensors) == 1:
        return next(iter(tensors)), "the only one with a row for each point"
    fits = {name: 1 if fit is None else fit(tensor) for name, tensor in tensors.items()}
    best = [name for name, value in fits.items() if value and value == max(fits.values())]
    if LOGITS in tensors and (
        fits[LOGITS] or not best
    ):  # what is wrong with it, others say better
        return LOGITS, "by its name"
    if not best:
        return None, "none fits the labels"
    if len(best) == 1:
        return best[0], "the only one that fits the labels best"
    for given in reversed(maps):
        for name in best:
            if tensors[name].shape == given.shape and torch.equal(tensors[name], given):
                return name, "of the last linear map" + " that fits the labels" * (fit is not None)
    return None, f"{' and '.join(best)} {'fit the labels' if fit else 'have rows'} alike"


def _checked(tensor: Any, rows: int) -> Tensor:
    if not isinstance(tensor, Tensor) or tensor.ndim == 0 or len(tensor) != rows:
        raise TypeError(
            f"model: got {_kind(tensor)} from it for {rows} points, needs a tensor [{rows}, *outputs], alone or among "
            "others"
        )
    return tensor


def _kind(value: Any) -> str:
    return f"shape {tuple(value.shape)}" if isinstance(value, Tensor) else type(value).__name__


def _shape(tensor: Tensor) -> str:
    return f"[{', '.join(['N', *map(str, tensor.shape[1:])])}]"
