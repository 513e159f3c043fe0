"""What a dossier prints, by loops over torch's backward pass and class means: nothing of the package is used here."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from .foreign_models import Foreign

SMALLEST = 1e-10  # eigenvalue of the spread between classes, as a share of the largest


class Volumes(NamedTuple):
    """Singular values of Jacobians, summed up."""

    log_volume: np.ndarray  # [N], over the directions that are not singular
    rank: np.ndarray  # [N]


def doubled(data: Any) -> Any:
    """Return data with float64 in the place of other floating-point numbers."""
    if isinstance(data, Tensor):
        return data.double() if data.is_floating_point() else data
    if isinstance(data, dict):
        return {name: doubled(part) for name, part in data.items()}
    if isinstance(data, tuple):
        return tuple(doubled(part) for part in data)
    twin = copy.copy(data)
    for name, part in vars(data).items():
        setattr(twin, name, doubled(part))
    return twin


@contextmanager
def in_float64() -> Iterator[None]:
    """Let new tensors be float64, as a forward pass may make some of its own."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def features_and_leaves(
    foreign: Foreign, model: nn.Module, points: Any
) -> tuple[Tensor, list[Tensor]]:
    """Return what goes into the last linear map, ``[N, ..., features]``, and what a dossier differentiates it in.

    These are the floating-point tensors in the inputs, and the output of an embedding before them.
    """
    leaves = _floating(points)
    for leaf in leaves:
        leaf.requires_grad_()

    def begun(_: nn.Module, __: Any, output: Tensor) -> Tensor:
        leaves.insert(0, output.detach().requires_grad_())
        return leaves[0]

    taken: list[Tensor] = []
    hooks = [readout(model).register_forward_pre_hook(lambda _, inputs: taken.append(inputs[0]))]
    if hasattr(model, "embed"):
        hooks.append(model.embed.register_forward_hook(begun))
    foreign.read(model, points)
    for hook in hooks:
        hook.remove()
    return taken[0], leaves


def _floating(points: Any) -> list[Tensor]:
    if isinstance(points, Tensor):
        parts: list[Any] = [points]
    elif isinstance(points, tuple):
        parts = [*points]
    else:
        parts = [*(points if isinstance(points, dict) else vars(points)).values()]
    return [part for part in parts if part.is_floating_point() and not bool((part == 1).all())]


def readout(model: nn.Module) -> nn.Module:
    """Return the last linear map that a model has; a convolution over single pixels is one."""
    if hasattr(model, "head"):
        return model.head
    if hasattr(model, "actor"):
        return model.actor
    return [part for part in model.modules() if isinstance(part, nn.Linear)][-1]


def kernel(foreign: Foreign, model: nn.Module, points: Any) -> np.ndarray:
    """Return the tangent kernel ``[N, N]``: the gradient of every output, one backward pass each."""
    outputs = foreign.read(model, points)
    outputs = outputs.reshape(len(outputs), -1)
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    gram = np.zeros((len(outputs), len(outputs)))
    for column in range(outputs.shape[1]):
        rows = []
        for output in outputs[:, column]:
            slopes = torch.autograd.grad(output, trained, retain_graph=True, allow_unused=True)
            rows.append(torch.cat([part.flatten() for part in slopes if part is not None]))
        gradients = torch.stack(rows).numpy()
        gram += gradients @ gradients.T
    return gram


def jacobians(features: Tensor, leaves: list[Tensor], is_kept: bool = False) -> Tensor:
    """Return the derivatives ``[N, features, inputs]``; a point's features depend on that point alone."""
    rows = []
    flat = features.reshape(len(features), -1)
    for column in range(flat.shape[1]):
        slopes = torch.autograd.grad(
            flat[:, column].sum(),
            leaves,
            retain_graph=True,
            create_graph=is_kept,
            allow_unused=True,
        )
        known = [
            torch.zeros_like(leaf) if slope is None else slope
            for leaf, slope in zip(leaves, slopes, strict=True)
        ]
        rows.append(torch.cat([slope.flatten(1) for slope in known], 1))
    return torch.stack(rows, 1)


def volumes(jacobian: Tensor) -> Volumes:
    """Return logarithms of products of singular values, and how many there are."""
    singular = np.linalg.svd(jacobian.detach().numpy(), compute_uv=False)
    rounding = max(jacobian.shape[1:]) * np.finfo(float).eps
    is_none = singular <= rounding * singular[:, :1]
    logarithms = np.where(is_none, 0.0, np.log(np.where(is_none, 1.0, singular)))
    return Volumes(logarithms.sum(1), (~is_none).sum(1))


def curvatures(jacobian: Tensor, leaf: Tensor) -> np.ndarray:
    """Return scalar curvatures ``[N]`` by Gauss's equation, from the normal part of second derivatives.

    Args:
        jacobian: derivatives ``[N, features, inputs]`` with their graph.
        leaf: the inputs ``[N, inputs]``.
    """
    second = np.zeros((*jacobian.shape, leaf.shape[1]))
    for feature in range(jacobian.shape[1]):
        for direction in range(jacobian.shape[2]):
            total = jacobian[:, feature, direction].sum()
            (slopes,) = torch.autograd.grad(total, leaf, retain_graph=True)
            second[:, feature, direction] = slopes.numpy()
    scalars = []
    for tangent, bending in zip(jacobian.detach().numpy(), second, strict=True):
        inverse = np.linalg.inv(tangent.T @ tangent)
        projection = np.eye(len(tangent)) - tangent @ inverse @ tangent.T
        normal = np.einsum("ab,bij->aij", projection, bending)
        trace = np.einsum("aij,ij->a", normal, inverse)
        raised = np.einsum("aij,jk->aik", normal, inverse)
        scalars.append(trace @ trace - np.einsum("aij,aji->", raised, raised))
    return np.array(scalars)


def nc1(features: np.ndarray, labels: np.ndarray) -> float:
    """Return tr(S_W S_B^+) from means of classes, each with the share of its points as its weight."""
    within = np.zeros((features.shape[1], features.shape[1]))
    between = np.zeros_like(within)
    for label in np.unique(labels):
        of_class = features[labels == label]
        deviations = of_class - of_class.mean(0)
        within += deviations.T @ deviations / len(features)
        shift = of_class.mean(0) - features.mean(0)
        between += np.outer(shift, shift) * len(of_class) / len(features)
    return float(np.trace(within @ np.linalg.pinv(between, rcond=SMALLEST)))
