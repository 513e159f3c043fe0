"""Copies of a module that share its parameters or hold them in float64.

Modules may keep tensors that are neither parameters nor buffers: constants, activations stored by a forward pass (in
autograd's graph, which ``copy.deepcopy`` refuses), or weights that a normalisation recomputes. They are copied as well,
so that no forward pass of the copy writes to the original.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn


def copied(module: nn.Module, *, double: bool = False) -> nn.Module:
    """Copy ``module`` without gradients, with its parameters, or in float64 with ``double``; TypeError if it fails."""
    memo: dict[int, Any] = {}
    for tensor in [*module.parameters(), *module.buffers(), *_kept(module)]:
        values = tensor.detach()
        if double and values.is_floating_point():
            values = values.double()
        if isinstance(tensor, nn.Parameter):
            memo[id(tensor)] = nn.Parameter(values, requires_grad=tensor.requires_grad)
        else:
            memo[id(tensor)] = values.clone() if values.data_ptr() == tensor.data_ptr() else values
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The .grad attribute", UserWarning)  # of a scripted module's parameters
        try:
            result = copy.deepcopy(module, memo)
        except (TypeError, RuntimeError) as error:
            why = f"{type(module).__name__} cannot be copied ({error}); give a function that calls it"
            raise TypeError(f"module: {why}") from error
        if isinstance(result, torch.jit.ScriptModule) and double:  # scripted modules ignore the memo of deepcopy
            result.double()
    return result


def _kept(module: nn.Module) -> Iterator[Tensor]:
    """Yield the tensors in attributes of ``module`` and its submodules, directly or in lists, tuples and dicts."""
    met: set[int] = set()
    for part in module.modules():
        yield from _tensors(vars(part), met)


def _tensors(tree: Any, met: set[int]) -> Iterator[Tensor]:
    if isinstance(tree, Tensor):
        yield tree
    elif isinstance(tree, list | tuple | dict) and id(tree) not in met:
        met.add(id(tree))  # containers may contain each other
        for item in tree.values() if isinstance(tree, dict) else tree:
            yield from _tensors(item, met)
