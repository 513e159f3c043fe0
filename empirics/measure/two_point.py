r"""The state of a network at two points: the distances of their representations and outputs, and the alignment.

With :math:`dh = h(x_2) - h(x_1)` in the chosen layer and :math:`dy = f(x_2) - f(x_1)` at the output
(Eq. 8, measured as differences),
the state is :math:`\|dh\|^2`, :math:`\|dy\|^2` and :math:`w = \|dy\|^2 - dy \cdot (y_2 - y_1)`. The theory is
``theory.two_point``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Real
from torch import Tensor, nn

from empirics import check
from empirics.measure.models.frozen_model import buffers_apart


@dataclass(frozen=True)
class TwoPointState:
    """The three variables of the two-point theory.

    Attributes:
        dh2: squared distance of the two representations, in squared units of the representation.
        dy2: squared distance of the two outputs, in squared units of the output.
        w: alignment dy2 - dy . (y2 - y1), in squared units of the output.
    """

    dh2: float
    dy2: float
    w: float


def two_point_state(
    model: nn.Module,
    layer: str | nn.Module,
    x1: Real[Tensor, "*input"] | Any,
    x2: Real[Tensor, "*input"] | Any,
    y1: Real[Tensor, "*output"] | Any,
    y2: Real[Tensor, "*output"] | Any,
) -> TwoPointState:
    """Measure ``(dh2, dy2, w)`` on any module that maps a batch of points to a batch of outputs.

    The two points pass through the model as one batch of two. The model is measured in its current mode, so that
    dropout and batch statistics are active in training mode. Its mode, gradients and buffers and torch's random state
    (on the CPU and on the model's device) are unchanged afterwards.

    Args:
        model: module ``[batch, *input] -> [batch, *output]``.
        layer: submodule of ``model`` whose output is the representation, or its dotted name.
        x1: the first point, ``[*input]``, without a batch dimension; any shape, or a number for scalar inputs.
        x2: the second point, of the same shape.
        y1: target at the first point, as many numbers as the output has.
        y2: target at the second point.

    Returns:
        The state, computed in float64 from differences of the model's own precision.

    Raises:
        ValueError: if the layer is unknown, not reached or reached more than once; if shapes do not fit; if a value is
            not finite; if the two points are the same.
        TypeError: if an argument is of the wrong kind.
    """
    check.instance("model", model, nn.Module, "an nn.Module")
    name, module = _find(model, layer)
    like = next((p for p in [*model.parameters(), *model.buffers()] if p.is_floating_point()), torch.empty(()))
    if like.is_meta:
        raise ValueError("model: is on the device 'meta', without numbers")
    first, second = _point("x1", x1, like), _point("x2", x2, like)
    check.shape("x2", second, first.shape == second.shape, f"that of x1, {list(first.shape)}")
    check.require(not torch.equal(first, second), "x2", "the same point as x1", "two different points")
    batch = torch.stack([first, second])
    batch = batch.unsqueeze(-1) if batch.ndim == 1 else batch  # plain numbers have one input dimension
    outputs: list[Any] = []
    handle = module.register_forward_hook(lambda _module, _inputs, output: outputs.append(_kept(output)))
    try:
        with torch.no_grad(), _random_state_kept(like.device), buffers_apart(model):
            output = model(batch)
    finally:
        handle.remove()
    if len(outputs) != 1:
        times = "never reached" if not outputs else f"reached {len(outputs)} times"
        raise ValueError(f"layer: {name!r} is {times} in one forward pass; needs a layer that is reached once")
    dh, dy = _difference(f"layer {name!r}", outputs[0]), _difference("model", output)
    target = _target("y2", y2, dy) - _target("y1", y1, dy)
    dy2 = float(dy @ dy)
    return TwoPointState(dh2=float(dh @ dh), dy2=dy2, w=dy2 - float(dy @ target))


def _find(model: nn.Module, layer: str | nn.Module) -> tuple[str, nn.Module]:
    """Return the dotted name and the module of ``layer``."""
    named = dict(model.named_modules())
    if isinstance(layer, nn.Module):
        for name, module in named.items():
            if module is layer:
                return name, module
        raise ValueError(f"layer: the {type(layer).__name__} given is not a submodule of model; {_known(named)}")
    if not isinstance(layer, str):
        raise TypeError(f"layer: got {type(layer).__name__}, needs a submodule or its dotted name")
    if not layer or layer not in named:
        raise ValueError(f"layer: got {layer!r}; {_known(named)}")
    return layer, named[layer]


def _known(named: dict[str, nn.Module]) -> str:
    names = [name for name in named if name]
    return f"model has {', '.join(names)}" if names else "model has no submodules"


def _point(name: str, value: Any, like: Tensor) -> Tensor:
    """Return ``value`` as a finite tensor, with the device and dtype of ``like``; integer tensors (tokens) are kept."""
    point = check.real_numbers(name, value).to(like.device)
    check.shape(name, point, point.numel() > 0, "at least one number")
    check.finite(name, point)
    is_token = not point.is_floating_point() and isinstance(value, Tensor | np.ndarray)  # plain numbers are points
    return point if is_token else point.to(like.dtype)


def _kept(output: Any) -> Any:
    """Return a copy of a tensor, since later layers may modify the original in place; other outputs are kept."""
    return output.clone() if isinstance(output, Tensor) else output


def _difference(name: str, pair: Any) -> Tensor:
    """Return the second minus the first entry of a batch of two, flattened, float64."""
    if not isinstance(pair, Tensor):
        raise TypeError(f"{name}: gives {type(pair).__name__}, needs to give one tensor")
    if pair.ndim == 0 or pair.shape[0] != 2:
        raise ValueError(f"{name}: gives shape {list(pair.shape)} for two points, needs them along the first dimension")
    if not torch.isfinite(pair).all():
        raise ValueError(f"{name}: gives values that are not finite")
    exact = pair.detach().double()
    return (exact[1] - exact[0]).flatten()


def _target(name: str, value: Any, dy: Tensor) -> Tensor:
    target = _point(name, value, dy).to(dy).flatten()
    size = dy.numel()
    check.require(target.numel() == size, name, f"{target.numel()} numbers", f"{size} (the output of model)")
    return target


@contextmanager
def _random_state_kept(device: torch.device) -> Iterator[None]:
    devices = [device] if device.type == "cuda" else []
    with torch.random.fork_rng(devices=devices):
        yield
