r"""The state of a Leaky ResNet (or of any residual module with named layers) at given inputs, layer by layer.

The momenta :math:`B_\ell = -\frac1\lambda \partial C/\partial A_\ell` come from back-propagation through the module,
with the paper's cost :math:`C = \frac1N \sum_i \|f^*(x_i) - f(x_i)\|^2`. The norm sums over outputs, so that torch's
mean squared error is C divided by the number of outputs. With this constant, a discretised network at a critical point
of the training loss satisfies :math:`W_\ell = \tilde L B_\ell \sigma(A_{\ell-1})^\top` exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from closedform import checks
from empirics import tensor_checks
from empirics.measure.leaky_resnet.path import path_state
from empirics.measure.leaky_resnet.state import LeakyResNetState
from empirics.measure.models.frozen_model import buffers_apart


def leaky_resnet_state(
    model: nn.Module,
    x: Float[Tensor, "point ..."],
    *,
    target: Float[Tensor, "point ..."] | None = None,
    decay: float | None = None,
    layers: Sequence[str] | None = None,
    depth: float | None = None,
    rho: Sequence[float] | Float[Tensor, " layer"] | None = None,
    bias: bool | None = None,
    linear: bool | None = None,
    gamma: float = 1e-3,
) -> LeakyResNetState:
    r"""Measure every layer of a Leaky ResNet.

    For the networks of :mod:`empirics.networks` (and any module with attributes ``layers``, ``depth``, ``rho``,
    ``bias`` of that meaning) ``model`` and ``x`` are enough; ``target`` and ``decay`` add the momenta and whatever
    depends on them. For other modules, ``layers`` names the submodules that map one representation to the next, in
    order.

    The model's mode, parameters, gradients, buffers and hooks are unchanged, and so is the random state of torch.

    Args:
        model: module ``[point, *input] -> [point, *output]``.
        x: inputs ``[point, *input]``, converted to the model's precision.
        target: target values :math:`f^*(x)`, of the shape of the output; default None.
        decay: coefficient λ > 0 of the regulariser
            :math:`\frac{\lambda}{2 \tilde L} \sum_\ell \rho_\ell \|W_\ell\|^2`; default None.
        layers: dotted names of submodules that are reached exactly once and preserve the shape of their input; None
            (default) takes the model's attribute ``layers``.
        depth: effective depth L̃ >= 0, dimensionless, 0 for a plain residual network (see
            :mod:`empirics.measure.leaky_resnet.path`); None (default) takes the model's attribute.
        rho: layer steps ``[layer]``, dimensionless; None (default) takes the model's attribute, else equal steps.
        bias: whether the weights have a bias, so that σ appends a one; None (default) takes the model's attribute, else
            True.
        linear: whether σ is the identity; None (default) takes the model's attribute, else False.
        gamma: γ₀ of the stable versions, in units of the squared operator norm of σ(A); default 1e-3.

    Returns:
        The state, float64. The quantities of the weights need a ``weight`` of shape ``[width, width + bias]`` in every
        layer, or one of shape ``[width, width]`` with a ``bias`` of shape ``[width]``.

    Raises:
        ValueError: if layers are unknown, not reached exactly once or change the shape; if a number is out of range.
        TypeError: if an argument is of the wrong kind.
        RuntimeError: within ``torch.inference_mode``.

    >>> model = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
    >>> leaky_resnet_state(model, torch.randn(5, 3), layers=["0", "1"], depth=0).path.shape
    (3, 3, 5)
    """
    x = _points(model, x)
    checks.real_number("gamma", gamma)
    names, modules = _layers(model, layers)
    depth = _known("depth", depth, model)
    bias = bool(getattr(model, "bias", True) if bias is None else bias)
    linear = bool(getattr(model, "linear", False) if linear is None else linear)
    steps = rho if rho is not None else getattr(model, "rho", None)
    steps = (
        torch.full((len(names),), 1 / len(names))
        if steps is None
        else tensor_checks.tensor("rho", steps)
    )
    if (target is None) != (decay is None):
        raise ValueError("decay: needed together with target, and only then")
    if decay is not None:
        checks.positive_number("decay", decay)
    nodes, output = _forward(model, x, names, modules)
    momenta = None
    if decay is not None:
        with torch.enable_grad():
            gradients = torch.autograd.grad(_cost(output, target), nodes)
        momenta = torch.stack([-_columns(g) / decay for g in gradients])
    path = torch.stack([_columns(a) for a in nodes])
    weights = _weights(modules, path.shape[1], bias)
    return path_state(
        path,
        steps.to(path),
        depth,
        weights=weights,
        momenta=momenta,
        bias=bias,
        linear=linear,
        gamma=gamma,
    )


def _points(model: nn.Module, x: Any) -> Tensor:
    """Return the points, in the precision and on the device of a model that has numbers and can be differentiated."""
    checks.instance("model", model, nn.Module, "an nn.Module")
    if torch.is_inference_mode_enabled():
        raise RuntimeError(
            "measured within torch.inference_mode(), where torch takes no derivatives; use no_grad()"
        )
    like = next(
        (p for p in [*model.parameters(), *model.buffers()] if p.is_floating_point()), None
    )
    if like is not None and like.is_meta:
        raise ValueError("model: is on the device 'meta', without numbers")
    if not isinstance(x, Tensor) or x.ndim == 0 or x.numel() == 0:
        raise TypeError("x: needs a tensor [point, *input] with at least one number")
    tensor_checks.finite("x", x)
    return x.to(like) if like is not None and x.is_floating_point() else x


def _layers(model: nn.Module, layers: Sequence[str] | None) -> tuple[list[str], list[nn.Module]]:
    if layers is None:
        modules = getattr(model, "layers", None)
        if not isinstance(modules, nn.ModuleList) or len(modules) == 0:
            raise ValueError(
                "layers: not given, and model has no ModuleList of that name; needs the layers' names"
            )
        return [f"layers.{i}" for i in range(len(modules))], list(modules)
    if isinstance(layers, str) or not all(isinstance(name, str) for name in layers):
        raise TypeError("layers: needs a sequence of dotted names")
    named = dict(model.named_modules())
    unknown = [name for name in layers if not name or name not in named]
    if unknown or not layers or len(set(layers)) < len(layers):
        raise ValueError(
            f"layers: got {list(layers)}, needs distinct names out of {', '.join(n for n in named if n)}"
        )
    return list(layers), [named[name] for name in layers]


def _known(name: str, value: float | None, model: nn.Module) -> float:
    value = getattr(model, name, None) if value is None else value
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError(f"{name}: got {value!r}, needs a number (model has none of that name)")
    return float(value)


def _forward(
    model: nn.Module, x: Tensor, names: Sequence[str], modules: Sequence[nn.Module]
) -> tuple[list[Tensor], Any]:
    """Return the representations before the first and after every layer, in the graph of the output, and the output."""
    first: list[Tensor] = []
    outputs: list[list[Tensor]] = [[] for _ in modules]
    copies: dict[int, Tensor] = {}

    def keep(into: list[Tensor], a: Any) -> None:
        into.append(a)
        if isinstance(a, Tensor):
            copies[id(a)] = a.detach().clone()

    handles = [
        modules[0].register_forward_pre_hook(lambda _module, inputs: keep(first, inputs[0]))
    ]
    for module, collected in zip(modules, outputs, strict=True):
        handles.append(
            module.register_forward_hook(
                lambda _module, _inputs, output, into=collected: keep(into, output)
            )
        )
    devices = [x.device] if x.device.type == "cuda" else []
    try:
        with torch.enable_grad(), buffers_apart(model), torch.random.fork_rng(devices=devices):
            points = x.detach()
            output = model(points.requires_grad_() if points.is_floating_point() else points)
    finally:
        for handle in handles:
            handle.remove()
    for name, collected in zip(names, outputs, strict=True):
        if len(collected) != 1:
            raise ValueError(
                f"layers: {name!r} is reached {len(collected)} times in one forward pass, needs to be once"
            )
    nodes = [first[0], *(collected[0] for collected in outputs)]
    for name, a in zip(["the input of " + names[0], *names], nodes, strict=True):
        if not isinstance(a, Tensor) or a.shape != nodes[0].shape or a.shape[0] != x.shape[0]:
            raise ValueError(
                f"layers: {name} gives another shape than {list(nodes[0].shape)}, needs [point, ...] kept"
            )
        if not bool(torch.isfinite(a).all()):
            raise ValueError(f"layers: {name} gives values that are not finite")
        if not torch.equal(a.detach(), copies[id(a)]):
            raise ValueError(
                f"layers: {name} is changed in place later on; needs layers whose output stays as it is"
            )
    return nodes, output


def _columns(a: Tensor) -> Tensor:
    """Reshape ``[point, ...]`` to ``[unit, point]``, float64."""
    return a.detach().flatten(1).double().T


def _cost(output: Tensor, target: Tensor | None) -> Tensor:
    if not isinstance(target, Tensor) or target.shape != output.shape:
        got = list(target.shape) if isinstance(target, Tensor) else type(target).__name__
        raise ValueError(f"target: got {got}, needs the shape of the output, {list(output.shape)}")
    return (output - target.to(output)).square().sum() / output.shape[0]


def _weights(modules: Sequence[nn.Module], width: int, bias: bool) -> Tensor | None:
    matrices = []
    for module in modules:
        weight, shift = getattr(module, "weight", None), getattr(module, "bias", None)
        if not isinstance(weight, Tensor) or weight.ndim != 2 or weight.shape[0] != width:
            return None
        matrix = weight.detach().double()
        if bias and weight.shape[1] == width and isinstance(shift, Tensor):
            matrix = torch.cat([matrix, shift.detach().double()[:, None]], 1)
        if matrix.shape[1] != width + bias:
            return None
        matrices.append(matrix)
    return torch.stack(matrices)
