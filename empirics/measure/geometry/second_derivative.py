"""Second derivatives of a map along two directions, at every point by the fastest of torch's modes that is right.

Forward mode over forward mode is the fastest, but torch does not support it for some operations (Mish) and gets it
wrong for others, at all values or at some. Custom functions that support neither of ``torch.func``'s modes are
differentiated by plain autograd, one pair of directions at a time. The chosen mode is compared with finite differences
of first derivatives at every point, since a custom backward pass may be detached from a variable on which it depends.
"""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.func import grad as gradient_of
from torch.func import vjp

from empirics.measure.geometry.forward_mode import (
    NEAR,
    STEPS,
    ByPoint,
    Map,
    balanced,
    by_point,
    graphs_at_once,
    random_vectors,
    reverse_slope,
)
from empirics.measure.models.differentiation import full_float32, grad, jvp
from empirics.measure.models.feature_map import FeatureMap

Along = Callable[[Map, Tensor, Tensor, Tensor], Tensor]
REVERSE_COST = 4  # approximate factor of memory in reverse mode, which stores intermediate results


def forward_over_forward(call: Map, x: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """Return the second derivative of ``call`` at ``x`` along ``u``, ``v`` ``[batch, d]``, as ``[batch, features]``."""
    result: Tensor = jvp(lambda y: jvp(call, (y,), (u,))[1], (x,), (v,))[1]
    return result


@full_float32()
def reverse_over_reverse(call: Map, x: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """Return the same by reverse mode, as the derivative in w of w . D²call(u, v), without a third one in ``x``."""

    def bend(w: Tensor) -> Tensor:
        slope = gradient_of(lambda y: (vjp(call, y)[1](w)[0] * u).sum())(x)
        bent: Tensor = (slope * v).sum()
        return bent

    result: Tensor = gradient_of(bend)(torch.zeros_like(call(x)))
    return result


@full_float32()
def backward_thrice(call: Map, x: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """Return the same by plain autograd, without ``vmap`` and ``torch.func``."""
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        y = call(x)
        w = torch.zeros_like(y, requires_grad=True)
        (slope,) = torch.autograd.grad(y, x, w, create_graph=True)
        (bent,) = torch.autograd.grad(
            (slope * u).sum(), x, create_graph=True, materialize_grads=True
        )
        along = (bent * v).sum()
        return (
            torch.autograd.grad(along, w, materialize_grads=True)[0]
            if along.requires_grad
            else 0 * y.detach()
        )


def reverse_bend(call: Map, x: Tensor, w: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """Return w . D²call(u, v) at every point by plain autograd, ``[batch]``, float64."""
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        (gradient,) = grad(call(x), x, w, create_graph=True)
        along = (gradient * u).sum()
        bent = (
            grad(along, x, materialize_grads=True)[0]
            if along.requires_grad
            else torch.zeros_like(x)
        )
    return (bent.double() * v).sum(dim=1)


def second_derivative(
    feature_map: FeatureMap, x: Tensor, lengths: Tensor, start: int, memory: int
) -> list[tuple[Along, Tensor | slice]]:
    """Choose the mode at every point: forward if torch has it and it is right, else reverse, else plain.

    Args:
        feature_map: the map.
        x: points ``[points, d]``.
        lengths: lengths of the columns of the Jacobians ``[points, d]``, so that all inputs count as much.
        start: number of the first point, for messages.
        memory: limit of working memory, in bytes.

    Returns:
        Pairs of a mode and of the points that it serves, as what selects them from ``x``.

    Raises:
        ValueError: if torch has no second derivative in reverse mode at some point, or one that is not the slope of the
            first.
    """
    call = feature_map.call
    u, v = (balanced(random_vectors(x, seed), lengths.to(x.dtype)) for seed in (1, 2))
    found = _choose(feature_map, x, u, v, memory)
    # else finite differences are inaccurate, or cross a kink
    if x.dtype == torch.float64 and not feature_map.kinks:
        for some in torch.split(
            torch.arange(len(x), device=x.device), graphs_at_once(feature_map, memory)
        ):
            _check_against_differences(
                call, x[some], u[some], v[some], found.values[some], start + some
            )
    return found.modes


def _choose(feature_map: FeatureMap, x: Tensor, u: Tensor, v: Tensor, memory: int) -> ByPoint:
    modes = forward_over_forward, reverse_over_reverse, backward_thrice
    batch = graphs_at_once(feature_map, memory, REVERSE_COST)
    return by_point(modes, reverse_bend, feature_map, x, (u, v), batch)


def bend_of(feature_map: FeatureMap, memory: int) -> Map:
    """Return the second derivative of the map along one random direction, ``[n, d] -> [n, features]``."""

    def bend(x: Tensor) -> Tensor:
        u = random_vectors(x, seed=0)
        return _choose(feature_map, x, u, u, memory).values

    return bend


def _check_against_differences(
    call: Map, x: Tensor, u: Tensor, v: Tensor, second: Tensor, numbers: Tensor
) -> None:
    """Raise ValueError unless a difference of first derivatives, for some step, agrees with ``second`` at ``x``.

    The points ``x`` and directions are ``[batch, d]``, ``second`` is ``[batch, features]``; ``numbers`` ``[batch]``
    name the points.
    """
    w = balanced(random_vectors(second, seed=3), second.abs())
    size = ((1 + x.abs().amax(dim=1)) / v.abs().amax(dim=1))[:, None]
    for step in STEPS:
        moved = step * size * v
        before, after = (reverse_slope(call, x + sign * moved, w, u) for sign in (-1, 1))
        difference = (after - before) / (2 * step * size[:, 0])
        bend = (w * second).sum(dim=1)
        rounding = (
            1e3
            * torch.finfo(x.dtype).eps
            * torch.maximum(before.abs(), after.abs())
            / (step * size[:, 0])
        )
        # a point also passes where a difference leaves the domain of the map
        is_off = (difference - bend).abs() > NEAR * torch.maximum(
            difference.abs(), bend.abs()
        ) + rounding
        if not bool(is_off.any()):
            return
        x, u, v, w, size, second, numbers = (
            kept[is_off] for kept in (x, u, v, w, size, second, numbers)
        )
    raise ValueError(
        f"feature_map: torch's second derivative at point {int(numbers[0])}, {float(bend[is_off][0]):.3g} in some "
        f"direction, is not the slope of its first derivative, about {float(difference[is_off][0]):.3g} (a custom "
        "backward without one of its own?)"
    )
