r"""The state of a network at two points: the distances of their representations and outputs, and the alignment.

With :math:`dh = h(x_2) - h(x_1)` in the chosen layer and :math:`dy = f(x_2) - f(x_1)` at the output
(Eq. 8, measured as differences),
the state is :math:`\|dh\|^2`, :math:`\|dy\|^2` and :math:`w = \|dy\|^2 - dy \cdot (y_2 - y_1)`. The theory is
``theory.two_point``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Real
from torch import Tensor, nn

from closedform import checks
from empirics import tensor_checks
from empirics.measure.models.frozen_model import buffers_apart
from empirics.measure.models.layer_outputs import check_names, outputs_of


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
        layer: submodule of ``model`` whose output is the representation, or the name of a call: ``"3"``, ``"relu[1]"``
            for the second call of a module, ``"relu()"`` for that of a function.
        x1: the first point, ``[*input]``, without a batch dimension; any shape, or a number for scalar inputs.
        x2: the second point, of the same shape.
        y1: target at the first point, as many numbers as the output has.
        y2: target at the second point.

    Returns:
        The state, computed in float64 from differences of the model's own precision.

    Raises:
        TypeError, ValueError: for arguments of the wrong kind, or if the layer is unknown or not reached, or its name
            stands for several calls; if shapes do not fit; if a value is not finite; if the two points are the same.

    >>> model = nn.Sequential(nn.Identity(), nn.Identity())
    >>> state = two_point_state(model, "0", x1=[0.0, 1.0], x2=[0.0, 0.0], y1=[0.0, 1.0], y2=[0.0, 0.0])
    >>> state.dh2, state.dy2, state.w
    (1.0, 1.0, 0.0)
    """
    checks.instance("model", model, nn.Module, "an nn.Module")
    name = _name(model, layer)
    return two_point_states(model, [name], x1, x2, y1, y2)[name]


def two_point_states(
    model: nn.Module, layers: Sequence[str], x1: Any, x2: Any, y1: Any, y2: Any
) -> dict[str, TwoPointState]:
    """Measure the state with the representations of several layers, by their names; see :func:`two_point_state`."""
    like = next(
        (p for p in [*model.parameters(), *model.buffers()] if p.is_floating_point()),
        torch.empty(()),
    )
    if like.is_meta:
        raise ValueError("model: is on the device 'meta', without numbers")
    first, second = _point("x1", x1, like), _point("x2", x2, like)
    tensor_checks.shape(
        "x2", second, first.shape == second.shape, f"that of x1, {list(first.shape)}"
    )
    checks.require(
        not torch.equal(first, second), "x2", "the same point as x1", "two different points"
    )
    batch = torch.stack([first, second])
    # plain numbers have one input dimension
    batch = batch.unsqueeze(-1) if batch.ndim == 1 else batch
    devices = [like.device] if like.device.type == "cuda" else []
    with torch.no_grad(), torch.random.fork_rng(devices=devices), buffers_apart(model):
        output, representations = outputs_of(model, batch, layers)
    dh = {name: _difference(f"layer {name!r}", pair) for name, pair in representations.items()}
    dy = _difference("model", output)
    target = _target("y2", y2, dy) - _target("y1", y1, dy)
    dy2 = float(dy @ dy)
    w = dy2 - float(dy @ target)
    return {name: TwoPointState(dh2=float(dh[name] @ dh[name]), dy2=dy2, w=w) for name in layers}


def _name(model: nn.Module, layer: str | nn.Module) -> str:
    if isinstance(layer, nn.Module):
        named = next(
            (name for name, module in model.named_modules() if name and module is layer), ""
        )
        checks.require(
            bool(named),
            "layer",
            f"a {type(layer).__name__} that is not in it",
            "a submodule of model",
        )
        return named
    return check_names("layer", model, [layer])[0]


def _point(name: str, value: Any, like: Tensor) -> Tensor:
    """Return ``value`` as a finite tensor, with the device and dtype of ``like``; integer tensors (tokens) are kept."""
    point = tensor_checks.real_numbers(name, value).to(like.device)
    tensor_checks.shape(name, point, point.numel() > 0, "at least one number")
    tensor_checks.finite(name, point)
    # plain numbers are points
    is_token = not point.is_floating_point() and isinstance(value, Tensor | np.ndarray)
    return point if is_token else point.to(like.dtype)


def _difference(name: str, pair: Any) -> Tensor:
    """Return the second minus the first entry of a batch of two, flattened, float64."""
    if not isinstance(pair, Tensor):
        raise TypeError(f"{name}: gives {type(pair).__name__}, needs to give one tensor")
    if pair.ndim == 0 or pair.shape[0] != 2:
        raise ValueError(
            f"{name}: gives shape {list(pair.shape)} for two points, needs them along the first dimension"
        )
    if not torch.isfinite(pair).all():
        raise ValueError(f"{name}: gives values that are not finite")
    exact = pair.detach().double()
    return (exact[1] - exact[0]).flatten()


def _target(name: str, value: Any, dy: Tensor) -> Tensor:
    target = _point(name, value, dy).to(dy).flatten()
    size = dy.numel()
    checks.require(
        target.numel() == size, name, f"{target.numel()} numbers", f"{size} (the output of model)"
    )
    return target
