r"""Gram matrix of the neural tangent kernel, :math:`K(x, y) = \sum_o \nabla_\theta f_o(x) \cdot \nabla_\theta f_o(y)`.

The kernel is exact for any module and needs no matrix of all gradients. The gradient of a linear layer at a point is an
outer product :math:`\delta a^T`, so that its contribution to K is :math:`(\delta \cdot \delta')(a \cdot a' + 1)` and
takes O(N²(n + m)) operations instead of O(N² n m). Convolutions, normalisations and attention are differentiated layer
by layer. The gradients of all other parameters are those of the whole network. Gradients are contracted block by block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import torch
from jaxtyping import Float64, Real
from torch import Tensor, nn
from torch.func import functional_call, jacrev

from closedform import checks
from empirics.measure.kernels.tangent_factors import (
    Factors,
    contract,
    factored_layers,
    factors_of,
    gram,
)
from empirics.measure.models.differentiation import (
    by_definition,
    new_tensors_in,
    unhurried,
    vmap,
    without_onednn,
)
from empirics.measure.models.feature_map import FeatureMap, prepare
from empirics.measure.models.memory import bytes_of, require
from empirics.measure.models.points import Precision
from empirics.measure.models.prepared_model import PreparedModel
from empirics.tensor_checks import tensor


def neural_tangent_gram(
    model: nn.Module | PreparedModel,
    x: Real[Tensor, "N ..."] | Any,
    y: Real[Tensor, "M ..."] | Any | None = None,
    *,
    memory: int | str = "4GiB",
    precision: Precision = "float64",
) -> Float64[Tensor, "N M"]:
    """Compute the exact tangent kernel of a model at its current weights, between all points of ``x`` and ``y``.

    The derivatives are with respect to all trainable parameters (those with ``requires_grad``).

    Args:
        model: module ``[batch, *input] -> [batch, *outputs]``, in evaluation mode where that matters; the kernel is
            summed, not averaged, over outputs.
        x: points ``[N, *input]``, tensor or array; integers are kept if the model uses them as indices (tokens).
        y: points ``[M, *input]``; None (default) stands for ``x`` itself.
        memory: limit of working memory, in bytes or as text (default ``"4GiB"``), beyond the model, the points and the
            result.
        precision: ``"float64"`` (default) copies the model in float64; ``"model"`` keeps its own precision.

    Returns:
        The Gram matrix ``[N, M]``, float64, on the model's device, in squared units of the outputs over squared units
        of the parameters.

    Raises:
        ValueError: if values or shapes are impossible, if there is no trainable parameter, if the model is in training
            mode where that matters or mixes the points of a batch, or if the memory does not suffice for two points.
        TypeError: if ``model`` is not a module or another argument is of the wrong kind.

    >>> linear = nn.Linear(2, 1, bias=False)
    >>> neural_tangent_gram(linear, torch.tensor([[1.0, 0.0], [0.0, 2.0]])).tolist()
    [[1.0, 0.0], [0.0, 4.0]]
    """
    size = bytes_of(memory)
    x, y = tensor("x", x), None if y is None else tensor("y", y)
    first, layers, others = _by_layers(model, x, precision)
    shape, module = first.shape, first.module
    assert module is not None  # prepare() keeps it for modules
    if y is not None and y.shape[1:] != shape:
        raise ValueError(
            f"y: its points have shape {list(y.shape[1:])}, needs {list(shape)}, as those of x have"
        )
    second = first if y is None else first.at(y, precision)
    if not others and not layers:
        return first.x.new_zeros(len(first.x), len(second.x), dtype=torch.float64)
    # per point: its graph, gradients twice (x and y) and temporaries of those of the whole network
    whole = first.features * sum(p.numel() for p in others.values())
    point = 2 * first.graph + 8 * (3 * whole + 2 * sum(layers.values()))

    def gradients(points: Tensor) -> Iterator[Factors]:
        if others:
            rows = _per_point(module, others, points.reshape(-1, *shape), first.made)
            yield Factors(None, [rows])
        yield from factors_of([*layers], first.call, points)

    if y is None and len(first.x) <= _at_once(size, first, layers, whole):
        result = gram(gradients(first.x), len(first.x), first.x.device)
    else:
        require(size, 2 * point, "two points of this model")
        block = max(1, size // (2 * point))
        result = first.x.new_zeros(len(first.x), len(second.x), dtype=torch.float64)
        _fill(result, gradients, first.x, None if y is None else second.x, block)
    # the sum may overflow
    is_finite = bool(result.sum().isfinite()) or bool(result.isfinite().all())
    checks.require(is_finite, "model", "gradients that are not finite", "a finite kernel")
    return result


def points_at_once(model: nn.Module, x: Any, memory: int | str, precision: Precision) -> int:
    """Return at how many points the kernel is computed in one pass, a layer at a time; more points take more passes."""
    first, layers, others = _by_layers(model, x[:2], precision)
    return _at_once(
        bytes_of(memory), first, layers, first.features * sum(p.numel() for p in others.values())
    )


def _by_layers(
    model: Any, x: Tensor, precision: Precision
) -> tuple[FeatureMap, Layers, Parameters]:
    """Return the prepared model, its layers with gradients of their own, and its other trained parameters."""
    names = _trainable(model.model if isinstance(model, PreparedModel) else model)
    ready = prepare(model, x, precision, tokens=True)
    module = ready.module
    assert module is not None  # prepare() keeps it for modules
    if names not in ready.kept:
        for name, parameter in module.named_parameters():
            parameter.requires_grad_(name in names)
        layers = factored_layers(module, ready)
        factored = set(map(id, chain.from_iterable(layer.parameters() for layer in layers)))
        others = {
            name: p
            for name, p in module.named_parameters()
            if p.requires_grad and id(p) not in factored
        }
        ready.kept.clear()
        ready.kept[names] = layers, others
    return ready, *ready.kept[names]


def _at_once(size: int, first: FeatureMap, layers: Layers, whole: int) -> int:
    return int(size // (2 * first.graph + 8 * (3 * whole + 2 * max(layers.values(), default=0))))


Layers = dict[nn.Module, int]
Parameters = dict[str, nn.Parameter]
Gradients = Callable[[Tensor], Iterator[Factors]]


def _trainable(model: Any) -> tuple[str, ...]:
    """Return the names of the parameters to differentiate, at least one, of a module that lets torch exchange them."""
    checks.instance("model", model, nn.Module, "an nn.Module")
    if isinstance(model, torch.jit.ScriptModule):
        raise TypeError(
            "model: got a scripted module, whose parameters torch cannot exchange; needs the original"
        )
    names = tuple(name for name, parameter in model.named_parameters() if parameter.requires_grad)
    if not names:
        raise ValueError("model: has no trainable parameter, needs at least one (requires_grad)")
    return names


def _fill(
    result: Tensor, gradients: Gradients, x: Tensor, others: Tensor | None, block: int
) -> None:
    """Write the kernel of ``x`` and ``others`` (None: of ``x`` with itself) into ``result``, block by block."""
    columns = x if others is None else others
    for i in range(0, len(x), block):
        rows = [
            replace(factors, deltas=[*factors.deltas]) for factors in gradients(x[i : i + block])
        ]
        for j in range(i if others is None else 0, len(columns), block):
            if others is None and i == j:
                result[i : i + block, j : j + block] = gram(rows, len(x[i : i + block]), x.device)
                continue
            part = contract(rows, gradients(columns[j : j + block]))
            result[i : i + block, j : j + block] = part
            if others is None:
                result[j : j + block, i : i + block] = part.T


def _per_point(module: nn.Module, parameters: Parameters, x: Tensor, made: torch.dtype) -> Tensor:
    """Return the gradients of all outputs in the parameters ``rest``, ``[points, outputs * numbers]``.

    ``made`` is the precision of what a forward pass makes for itself. A complex number is two real ones.
    """

    def outputs(values: dict[str, Tensor], point: Tensor) -> Tensor:
        own = {
            name: torch.view_as_complex(value) if parameters[name].is_complex() else value
            for name, value in values.items()
        }
        result: Tensor = functional_call(module, own, (point.unsqueeze(0).clone(),))
        return result.flatten()

    values = {
        name: torch.view_as_real(p.detach()) if p.is_complex() else p.detach()
        for name, p in parameters.items()
    }
    # detached, since parameters outside ``rest`` would keep the graph of every block alive
    with torch.no_grad(), unhurried(), by_definition(), new_tensors_in(made):
        try:
            jacobian = vmap(jacrev(outputs), in_dims=(None, 0))(values, x)
        except RuntimeError:  # an operation that cannot be batched (LSTM)
            with without_onednn():
                jacobians = [jacrev(outputs, chunk_size=1)(values, point) for point in x]
            jacobian = {}
            for name in values:
                jacobian[name] = torch.stack([of_point[name] for of_point in jacobians])
    return torch.cat([part.flatten(1) for part in jacobian.values()], dim=1).double()
