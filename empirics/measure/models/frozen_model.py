"""Contexts that freeze a model while it is measured: evaluation mode, no gradients, temporary hooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm

from empirics import check

Batch = tuple[Tensor, Tensor]


@contextmanager
def buffers_apart(model: nn.Module) -> Iterator[None]:
    """Make forward passes change only copies of the buffers (running statistics, counters), within this context."""
    scripted = torch.jit.ScriptModule  # the buffers of scripted modules cannot be exchanged
    originals = [(part._buffers, dict(part._buffers)) for part in model.modules() if not isinstance(part, scripted)]
    copies = {id(buffer): buffer.clone() for _, stored in originals for buffer in stored.values() if buffer is not None}
    for buffers, stored in originals:
        buffers.update({name: None if buffer is None else copies[id(buffer)] for name, buffer in stored.items()})
    try:
        yield
    finally:
        for buffers, stored in originals:
            buffers.update(stored)


@contextmanager
def frozen(model: nn.Module, batch_statistics: bool) -> Iterator[None]:
    """Put a model into evaluation mode without gradients, within this context; its modes are restored afterwards.

    Buffers and torch's random state are never changed.

    Args:
        model: the model to freeze.
        batch_statistics: whether batch normalisation uses the statistics of the batch instead of the running ones.
            Layers without running statistics always use those of the batch.

    Raises:
        RuntimeError: if a parameter was changed within the context.
    """
    modes = {module: module.training for module in model.modules()}
    tracked = {m: m.track_running_stats for m in model.modules() if isinstance(m, _BatchNorm)}
    versions = _versions(model)
    model.eval()
    if batch_statistics:
        for norm in tracked:
            norm.training, norm.track_running_stats = True, False  # so that the running statistics are left alone
    try:
        with torch.no_grad(), buffers_apart(model):
            yield
    finally:
        for module, training in modes.items():
            module.training = training
        for norm, track in tracked.items():
            norm.track_running_stats = track
    if versions != _versions(model):
        raise RuntimeError("model: its parameters changed while it was measured; measure between epochs")


def _versions(model: nn.Module) -> list[int]:
    """Return torch's version counter of each parameter, which inference-mode parameters do not have."""
    return [parameter._version for parameter in model.parameters() if not parameter.is_inference()]


def submodules(model: nn.Module, names: Sequence[str]) -> dict[str, nn.Module]:
    """Return the submodules with the given dotted names.

    Raises:
        TypeError: if ``names`` is a single string, or not a sequence.
        ValueError: if ``names`` is empty, or a name is unknown or given twice.
    """
    if isinstance(names, str):
        raise TypeError(f"layers: got the string {names!r}, needs a sequence of names")
    by_name = {name: module for name, module in model.named_modules() if name}
    names = list(check.sequence("layers", names, "names"))
    if not names or len(set(map(str, names))) < len(names):
        raise ValueError(f"layers: got {names}, needs at least one name, each once")
    for name in names:
        if str(name) not in by_name:
            raise ValueError(f"layers: got {name!r}; model has {', '.join(by_name) or 'no submodules'}")
    return {name: by_name[name] for name in names}


def representations(
    model: nn.Module, layers: Mapping[str, nn.Module], batches: Iterable[Batch]
) -> Iterator[tuple[dict[str, Tensor], Tensor, Tensor]]:
    """Yield the layers' outputs ``[batch, ...]``, the model's output and the labels, from one forward pass per batch.

    Inputs that are floating-point numbers are converted to the precision of the model.

    Raises:
        TypeError: if the output of a layer is not a tensor.
        ValueError: if a layer is not reached exactly once.
    """
    parts = [*model.parameters(), *model.buffers()]
    device = next((part.device for part in parts), torch.device("cpu"))
    native = next((part.dtype for part in parts if part.is_floating_point()), None)
    outputs: dict[str, Tensor] = {}

    def remember(name: str, output: object) -> None:
        if not isinstance(output, Tensor):
            raise TypeError(f"layer {name!r}: gives {type(output).__name__}, needs to give one tensor")
        if name in outputs:
            raise ValueError(f"layer {name!r}: is reached more than once in a forward pass; needs one that is not")
        outputs[name] = output.detach().clone()  # later layers may modify it in place

    handles = [
        module.register_forward_hook(lambda _module, _inputs, output, name=name: remember(name, output))
        for name, module in layers.items()
    ]
    try:
        for batch in batches:
            inputs, labels = _pair(batch)
            outputs.clear()
            dtype = native if inputs.is_floating_point() else None
            output = model(inputs.to(device, dtype, copy=True))  # a copy: the model may work in place
            if missing := [name for name in layers if name not in outputs]:
                raise ValueError(f"layer {missing[0]!r}: is never reached")
            yield dict(outputs), output, labels.to(device)
    finally:
        for handle in handles:
            handle.remove()


def _pair(batch: Any) -> tuple[Tensor, Tensor]:
    """Return the inputs and labels of one batch as tensors."""
    if not isinstance(batch, Sequence) or len(batch) != 2:
        raise TypeError(f"batches: got {type(batch).__name__} as a batch, needs (inputs, labels)")
    inputs, labels = check.tensor("inputs", batch[0]), check.tensor("labels", batch[1])
    if labels.ndim == 0:
        raise ValueError("batches: got a single sample, needs batches; put a dataset into a torch DataLoader")
    return inputs, labels
