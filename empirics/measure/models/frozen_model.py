"""Contexts that freeze a model while it is measured: evaluation mode, no gradients."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm

from empirics import tensor_checks
from empirics.measure.models.layer_outputs import outputs_of
from empirics.measure.models.layers import names_of

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

    Buffers and torch's random state are never changed; RuntimeError if a parameter was. With ``batch_statistics`` batch
    normalisation uses those of the batch, as layers without running statistics always do.
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
    """Return the inputs and labels of one batch as tensors."""
    if not isinstance(batch, Sequence) or len(batch) != 2:
        raise TypeError(f"batches: got {type(batch).__name__} as a batch, needs (inputs, labels)")
    inputs, labels = tensor_checks.tensor("inputs", batch[0]), tensor_checks.tensor("labels", batch[1])
    if labels.ndim == 0:
        raise ValueError("batches: got a single sample, needs batches; put a dataset into a torch DataLoader")
    return inputs, labels
