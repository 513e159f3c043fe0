"""Contexts that freeze a model while it is measured: evaluation mode, no gradients.

Copies of a module that share its parameters or hold them in float64.

Modules may keep tensors that are neither parameters nor buffers: constants, activations stored by a forward pass (in
autograd's graph, which ``copy.deepcopy`` refuses), or weights that a normalisation recomputes. They are copied as well,
so that no forward pass of the copy writes to the original.
"""

import copy
import warnings
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm

from closedform import checks
from empirics import tensor_checks
from empirics.measure.models.differentiation import WIDE
from empirics.measure.models.layer_outputs import outputs_of
from empirics.measure.models.layers import names_of

Batch = tuple[Tensor, Tensor]


@contextmanager
def buffers_apart(model: nn.Module) -> Iterator[None]:
    """Make forward passes change only copies of the buffers (running statistics, counters), within this context."""
    scripted = torch.jit.ScriptModule  # the buffers of scripted modules cannot be exchanged
    originals = [
        (part._buffers, dict(part._buffers))
        for part in model.modules()
        if not isinstance(part, scripted)
    ]
    copies: dict[int, Tensor] = {}  # a buffer that several modules share has one
    for buffers, stored in originals:
        for name, buffer in stored.items():
            if buffer is not None:
                buffers[name] = copies.setdefault(id(buffer), buffer.clone())
    try:
        yield
    finally:
        for buffers, stored in originals:
            buffers.update(stored)


@contextmanager
def frozen(model: nn.Module, batch_statistics: bool) -> Iterator[None]:
    """Hold a model in evaluation mode, without gradients or changes of its buffers; RuntimeError for its parameters."""
    modes = {module: module.training for module in model.modules()}
    tracked = {m: m.track_running_stats for m in model.modules() if isinstance(m, _BatchNorm)}
    versions = _versions(model)
    model.eval()
    if checks.boolean("batch_statistics", batch_statistics):
        for norm in tracked:
            # so that the running statistics are left alone
            norm.training, norm.track_running_stats = (True, False)
    try:
        with torch.no_grad(), buffers_apart(model):
            yield
    finally:
        for module, training in modes.items():
            module.training = training
        for norm, track in tracked.items():
            norm.track_running_stats = track
    if versions != _versions(model):
        raise RuntimeError(
            "model: its parameters changed while it was measured; measure between epochs"
        )


def _versions(model: nn.Module) -> list[int]:
    """Return torch's version counter of each parameter, which inference-mode parameters do not have."""
    return [parameter._version for parameter in model.parameters() if not parameter.is_inference()]


def representations(
    model: nn.Module, layers: Sequence[str], batches: Iterable[Batch]
) -> Iterator[tuple[dict[str, Tensor], Tensor, Tensor]]:
    """Yield what layers give ``[batch, ...]``, the model's output and the labels, from one forward pass per batch."""
    parts = [*model.parameters(), *model.buffers()]
    device = next((part.device for part in parts), torch.device("cpu"))
    native = next((part.dtype for part in parts if part.is_floating_point()), None)
    for batch in batches:
        inputs, labels = _pair(batch)
        inputs = inputs.to(device, native if inputs.is_floating_point() else None, copy=True)
        layers = names_of(model, inputs, layers)
        output, kept = outputs_of(model, inputs, layers)  # the model may work in place
        yield kept, output, labels.to(device)


def _pair(batch: Any) -> tuple[Tensor, Tensor]:
    if not isinstance(batch, Sequence) or len(batch) != 2:
        raise TypeError(f"batches: got {type(batch).__name__} as a batch, needs (inputs, labels)")
    inputs, labels = (
        tensor_checks.tensor("inputs", batch[0]),
        tensor_checks.tensor("labels", batch[1]),
    )
    if labels.ndim == 0:
        raise ValueError(
            "batches: got a single sample, needs batches; put a dataset into a torch DataLoader"
        )
    return inputs, labels


def copied(module: nn.Module, *, double: bool = False) -> nn.Module:
    """Copy ``module`` without gradients, with its parameters, or in float64 with ``double``; TypeError if it fails."""
    memo: dict[int, Any] = {}
    for tensor in [*module.parameters(), *module.buffers(), *_kept(module)]:
        values = numbers_of(tensor, double)
        is_parameter = isinstance(tensor, nn.Parameter)
        memo[id(tensor)] = (
            nn.Parameter(values, requires_grad=tensor.requires_grad) if is_parameter else values
        )
    # most that a module holds is none
    hooks = chain.from_iterable(vars(part).values() for part in module.modules())
    memo.update(
        (id(none), OrderedDict()) for none in hooks if type(none) is OrderedDict and not none
    )
    with warnings.catch_warnings():
        # of a scripted module's parameters
        warnings.filterwarnings("ignore", "The .grad attribute", UserWarning)
        try:
            result = copy.deepcopy(module, memo)
        except (TypeError, RuntimeError) as error:
            why = f"{type(module).__name__} cannot be copied ({error}); give a function that calls it"
            raise TypeError(f"module: {why}") from error
        # scripted modules ignore the memo of deepcopy
        if isinstance(result, torch.jit.ScriptModule) and double:
            result.double()
    return result


def numbers_of(tensor: Tensor, double: bool) -> Tensor:
    """Return the numbers that a copy of a tensor has: those of parameters are shared if the type stays the same."""
    values = tensor.detach()
    if double:
        values = values.to(WIDE.get(values.dtype, values.dtype))
    is_shared = values.data_ptr() == tensor.data_ptr() and not isinstance(tensor, nn.Parameter)
    return values.clone() if is_shared else values


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
