"""The network that a dossier is about: checked, in evaluation mode, with the layers that are looked at."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from torch import Tensor, nn

MAPS = ("Linear", "Conv1d", "Conv2d", "Conv3d")  # layers of a network without modules for its nonlinearities
BATCH = 256


@dataclass(frozen=True)
class Subject:
    """A network with data it is asked about.

    Attributes:
        model: a copy in evaluation mode, ``[batch, *input] -> [batch, C]``.
        inputs: ``[N, *input]``, in the model's precision and on its device.
        labels: class indices ``[N]``.
        classes: number of classes C.
        layers: dotted names of the layers that are looked at, first to last.
    """

    model: nn.Module
    inputs: Tensor
    labels: Tensor
    classes: int
    layers: tuple[str, ...]

    def batches(self) -> list[tuple[Tensor, Tensor]]:
        """The data in batches."""
        return [(self.inputs[i : i + BATCH], self.labels[i : i + BATCH]) for i in range(0, len(self.inputs), BATCH)]

    def some(self, count: int, seed: int) -> Subject:
        """``count`` of the points, drawn without replacement; all of them where there are not more."""
        import torch

        if count >= len(self.inputs):
            return self
        order = torch.randperm(len(self.inputs), generator=torch.Generator().manual_seed(seed))[:count].sort().values
        order = order.to(self.inputs.device)
        return Subject(self.model, self.inputs[order], self.labels[order], self.classes, self.layers)

    def outputs(self) -> Tensor:
        """What the network says, ``[N, C]``."""
        import torch

        with torch.no_grad():
            return torch.cat([self.model(inputs) for inputs, _ in self.batches()])


def subject(model: Any, inputs: Any, labels: Any, layers: Sequence[str] | None = None) -> Subject:
    """Check and copy what the user brought.

    Raises:
        TypeError, ValueError: naming the argument, what it got and what it needs.
    """
    import torch
    from torch import nn

    if not isinstance(model, nn.Module):
        raise TypeError(f"model: got {type(model).__name__}, needs an nn.Module")
    example = next(iter(model.parameters()), None)
    if example is None:
        raise ValueError("model: has no parameters, so there is nothing to say about it")
    x = torch.as_tensor(inputs)
    if x.ndim < 2 or len(x) < 2:
        raise ValueError(f"inputs: got shape {tuple(x.shape)}, needs [N, *input] with at least two points")
    x = x.to(example.device, example.dtype)
    if not torch.isfinite(x).all():
        raise ValueError("inputs: needs finite numbers, got some that are not")
    y = torch.as_tensor(labels)
    if y.shape != x.shape[:1] or y.is_floating_point() or y.dtype is torch.bool:
        raise ValueError(f"labels: got {y.dtype} of shape {tuple(y.shape)}, needs {len(x)} class indices")
    own = copy.deepcopy(model).eval()
    with torch.no_grad():
        out = own(x[:2])
    if out.ndim != 2:
        raise ValueError(f"model: gives shape {tuple(out.shape)} for two points, needs [2, classes]")
    classes = out.shape[1]
    if int(y.min()) < 0 or int(y.max()) >= classes:
        raise ValueError(
            f"labels: from {int(y.min())} to {int(y.max())}, needs indices of the model's {classes} outputs"
        )
    return Subject(own, x, y.to(example.device, torch.int64), classes, _layers(own, x[:2], layers))


def _layers(model: nn.Module, x: Tensor, wanted: Sequence[str] | None) -> tuple[str, ...]:
    """The layers asked for, or what follows each nonlinearity, or each linear map but the last."""
    import torch

    known = dict(model.named_modules())
    if wanted is not None:
        if isinstance(wanted, str) or not wanted:
            raise ValueError(f"layers: got {wanted!r}, needs at least one dotted name, in a sequence")
        if missing := [name for name in wanted if name not in known]:
            raise ValueError(f"layers: the model has no {missing[0]!r}; it has {', '.join(filter(None, known))}")
        return tuple(wanted)
    order: list[str] = []
    hooks = [
        module.register_forward_hook(lambda *_, name=name: order.append(name))
        for name, module in known.items()
        if not list(module.children())
    ]
    try:
        with torch.no_grad():
            model(x)
    finally:
        for hook in hooks:
            hook.remove()
    once = [name for name in order if order.count(name) == 1]
    activations = [name for name in once if type(known[name]).__module__ == "torch.nn.modules.activation"]
    maps = [name for name in once if type(known[name]).__name__ in MAPS][:-1]
    return tuple(activations or maps)


@contextmanager
def features_of(part: Subject, layer: str) -> Iterator[Any]:
    """The network up to and including ``layer``, as a module ``[batch, *input] -> [batch, features]``."""
    from torch import nn

    class UpTo(nn.Module):
        def __init__(self, model: nn.Module) -> None:
            super().__init__()
            self.model = model

        def forward(self, x: Tensor) -> Tensor:
            kept: list[Tensor] = []
            hook = self.model.get_submodule(layer).register_forward_hook(lambda *given: kept.append(given[-1]))
            try:
                self.model(x)
            finally:
                hook.remove()
            return kept[0].flatten(1)

    yield UpTo(part.model)


def rank_correlation(a: Any, b: Any, seed: int, draws: int = 1000) -> tuple[float, tuple[float, float]]:
    """Spearman's correlation of two arrays ``[N]``, and its 95 % interval over draws of the points."""
    from scipy.stats import rankdata

    first, second = (np.asarray(each, dtype=np.float64) for each in (a, b))
    rng = np.random.default_rng(seed)

    def of(index: Any) -> float:
        ranks = np.array([rankdata(first[index]), rankdata(second[index])])
        return float(np.corrcoef(ranks)[0, 1]) if (np.ptp(ranks, axis=1) > 0).all() else 0.0

    drawn = [of(rng.integers(0, len(first), len(first))) for _ in range(draws)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return of(np.arange(len(first))), (float(low), float(high))
