"""A model whose preparation for measurements is kept, and the copy of it that takes its numbers again at each call.

Everything that a copy of a module consists of is compared: the classes and attributes of its parts, their hooks, modes
and containers, and the shapes and types of all tensors. What cannot be looked into counts as changed.
"""

from __future__ import annotations

import types
from collections import OrderedDict
from typing import Any

import torch
from torch import Tensor, nn

from empirics.measure.models.frozen_model import copied, numbers_of


class RenewedCopy:
    """A copy of a module that takes the numbers of the module again, as long as nothing else of either changes."""

    def __init__(self, source: nn.Module, double: bool) -> None:
        self.module = copied(source, double=double)
        self._states = _state(source, [], {}), _state(self.module, [], {})

    def renewed(self, source: nn.Module) -> bool:
        """Return whether ``source`` and the copy are as before but for numbers of tensors, which the copy takes."""
        theirs: list[Tensor] = []
        own: list[Tensor] = []
        if (_state(source, theirs, {}), _state(self.module, own, {})) != self._states or len(theirs) != len(own):
            return False
        for tensor, copy in zip(theirs, own, strict=True):
            if copy is not tensor:  # of an object that copies share
                copy.data = numbers_of(tensor, copy.dtype == torch.float64)  # no copy_() to what may be the user's
        return True


PLAIN = {bool, str, bytes, type, type(None), types.FunctionType, types.BuiltinFunctionType, torch.dtype, torch.device}


def _state(value: Any, tensors: list[Tensor], met: dict[int, Any]) -> Any:
    """Return all that a copy of ``value`` has but the numbers of its tensors, which are appended to ``tensors``."""
    kind = type(value)
    if kind in PLAIN or isinstance(value, type):
        return value
    if kind in (int, float, complex):
        return kind, value
    if kind in (dict, OrderedDict, list, tuple) and not value:
        return kind
    if id(value) in met:
        return "met", met[id(value)][0]
    met[id(value)] = len(met), value  # which keeps it alive, so that no other object gets its identity
    if isinstance(value, Tensor):
        tensors.append(value)
        strides = value.stride() if value.layout is torch.strided else object()  # equal to nothing
        return kind, value.shape, strides, value.dtype, value.device, value.is_leaf
    return kind, [_state(part, tensors, met) for part in _parts(value)]


def _parts(value: Any) -> Any:
    """Return what ``copy.deepcopy`` looks at, without the numbers of hooks; NaN, equal to nothing, if that fails."""
    if isinstance(value, nn.Module):
        entries = vars(value).items()
        return [part for name, entry in entries for part in (name, [*entry.values()] if "_hooks" in name else entry)]
    if isinstance(value, dict):
        return [part for entry in value.items() for part in entry]
    if isinstance(value, list | tuple):
        return value
    try:
        return sorted(value, key=repr) if isinstance(value, set | frozenset) else value.__reduce_ex__(4)
    except Exception:
        return [float("nan")]


class PreparedModel:
    """A model that is measured again and again: what does not depend on the numbers in its tensors is found out once.

    Measures take it in place of the model. They see the model as it is at each call: after any change but that of
    numbers in parameters, buffers and other tensors, and for points of another shape, it is prepared anew.

    Args:
        model: module, or method of a module, ``[batch, *input] -> [batch, *features]``.

    Attributes:
        model: the same, which may be replaced by a copy.

    >>> model = PreparedModel(nn.Linear(2, 1, bias=False))
    >>> [float(measure.neural_tangent_gram(model, [[1.0, 0.0]])) for _ in range(2)]
    [1.0, 1.0]
    """

    def __init__(self, model: Any) -> None:
        self.model = model
        self.found: dict[Any, Any] = {}  # the last preparation by precision and kind of points

    def __call__(self, x: Tensor) -> Tensor:
        """Return what the model gives."""
        output: Tensor = self.model(x)
        return output
