r"""Derivatives along directions, at every point by the fastest of torch's modes that is right there.

Forward mode is the fastest, but torch has it wrong for some operations (``cholesky_inverse`` in 2.13, ``logcumsumexp``
of spread numbers, and at second order ``layer_norm``), for others at some values only (``cumprod`` at a zero), and for
others not at all (``cdist``). Its derivative of all features along a direction is therefore compared with that in
reverse mode of one random sum of the features, :math:`w \cdot (J u)` with :math:`(w^\top J) \cdot u`, at every point:
two linear maps that differ agree in random directions with probability zero. Points where the modes differ take the
next mode. A difference that is rounding alone costs time and no digits, since reverse mode is right there. Reverse mode
itself is compared with forward mode in one random direction and, where torch has none or they differ, with differences
of the map: it counts slopes twice where two numbers are written to one place. For what both modes have wrong see
``slope_check``.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from empirics.measure.models.differentiation import grad, jvp, refusal
from empirics.measure.models.feature_map import FeatureMap

Map = Callable[[Tensor], Tensor]
# of a map, points [batch, d] and directions [batch, d]: the derivative [batch, features]
Mode = Callable[..., Tensor]
# of a map, points, weights [batch, features] and directions: the derivative [batch]
Slope = Callable[..., Tensor]
AGREEMENT = 0.5  # power of the precision: two modes that are right have at least half of the digits in common
# of differences, relative to the point, for maps that vary slowly or quickly
STEPS = (1e-5, 1e-3, 1e-7)
NEAR = 1e-2  # largest relative error of a finite difference; a wrong derivative is farther off
# power of the precision, down to which small features count as much as the largest one
BALANCED = 0.25


def forward_once(call: Map, x: Tensor, u: Tensor) -> Tensor:
    """Return J u in forward mode, for points and directions ``[batch, d]``; shape ``[batch, features]``."""
    with torch.no_grad():
        result: Tensor = jvp(call, (x,), (u,))[1]
    return result


def reverse_twice(call: Map, x: Tensor, u: Tensor) -> Tensor:
    """Return J u as the derivative in w of (wᵀ J) · u, for which the backward pass has to be differentiable."""
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        y = call(x)
        w = torch.zeros_like(y, requires_grad=True)
        (gradient,) = grad(y, x, w, create_graph=True)
        return grad((gradient * u).sum(), w)[0]


def row_by_row(call: Map, x: Tensor, u: Tensor) -> Tensor:
    """Return J u from one backward pass for each feature, without more memory than one of them takes."""
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        y = call(x)
    rows = (grad(y, x, _of_feature(y, k), retain_graph=True)[0] for k in range(y.shape[1]))
    return torch.stack([(row * u).sum(dim=1) for row in rows], dim=1)


def _of_feature(y: Tensor, k: int) -> Tensor:
    weights = torch.zeros_like(y)
    weights[:, k] = 1
    return weights


def reverse_slope(call: Map, x: Tensor, w: Tensor, u: Tensor) -> Tensor:
    """Return (wᵀ J) · u at every point in reverse mode, ``[batch]``, float64."""
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        (gradient,) = grad(call(x), x, w)
    return (gradient.double() * u).sum(dim=1)


def random_vectors(like: Tensor, seed: int) -> Tensor:
    """Draw a vector and return it for every point, so that what is found at a point is the same in any order."""
    generator = torch.Generator().manual_seed(seed)
    numbers = torch.randn(like.shape[1], generator=generator, dtype=torch.float64)
    return numbers.to(like).expand_as(like)


def balanced(numbers: Tensor, sizes: Tensor) -> Tensor:
    """Divide ``numbers`` by ``sizes``, both ``[batch, n]``, relative to the largest and down to a small part of it.

    Units of the inputs and features then do not matter, and features that are zero to rounding stay without weight.
    """
    largest = sizes.amax(dim=1, keepdim=True)
    floor = torch.finfo(sizes.dtype).eps ** BALANCED * largest
    result: Tensor = numbers * torch.where(largest > 0, largest / torch.maximum(sizes, floor), 1.0)
    return result


def agrees(derivative: Tensor, slope: Slope, call: Map, x: Tensor, *directions: Tensor) -> Tensor:
    """Return where a derivative ``[batch, features]`` along ``directions`` agrees with ``slope``, ``[batch]``."""
    w = balanced(random_vectors(derivative, seed=0), derivative.abs())
    terms = derivative.double() * w
    difference = (terms.sum(dim=1) - slope(call, x, w, *directions)).abs()
    tolerance = torch.finfo(x.dtype).eps ** AGREEMENT
    is_near: Tensor = difference <= tolerance * torch.linalg.vector_norm(terms, dim=1)
    return is_near


@dataclass(frozen=True)
class ByPoint:
    """A derivative along directions at some points, by a mode that is right at each of them.

    Attributes:
        modes: pairs of a mode and of the points that it serves, as what selects them from the batch.
        values: the derivative along the directions with which the modes were chosen, ``[batch, features]``.
    """

    modes: list[tuple[Mode, Tensor | slice]]
    values: Tensor

    def along(self, call: Map, x: Tensor, *directions: Tensor) -> Tensor:
        """Return the derivative ``[batch, features]`` at the same points along other directions ``[batch, d]``."""
        result = torch.empty_like(self.values)
        for mode, some in self.modes:
            result[some] = mode(call, x[some], *(u[some] for u in directions))
        return result


def by_point(
    modes: tuple[Mode, ...],
    slope: Slope,
    feature_map: FeatureMap,
    x: Tensor,
    directions: tuple[Tensor, ...],
    batch: int,
) -> ByPoint:
    """Choose a mode at every point of ``x`` ``[points, d]``: the first that torch has and that agrees with ``slope``.

    The last one is believed, being reverse mode by itself. ``batch`` points are looked at in one pass.

    Raises:
        ValueError: if torch has none of the modes at some point.
    """
    chosen = torch.full((len(x),), -1, device=x.device)
    values = x.new_zeros(len(x), feature_map.features)
    for part in torch.split(torch.arange(len(x), device=x.device), max(1, batch)):
        problem: Exception | None = None
        for number, mode in enumerate(modes):
            left = part[chosen[part] < 0]
            if not len(left):
                break
            call, along = feature_map.call, [u[left] for u in directions]
            try:
                with torch.no_grad():  # as in later use: torch has two formulas for SiLU and Mish
                    result = mode(call, x[left], *along).detach()
                is_right = torch.ones_like(left, dtype=torch.bool)
                if number < len(modes) - 1:
                    is_right = agrees(result, slope, call, x[left], *along)
            except torch.OutOfMemoryError:
                raise
            except (RuntimeError, ValueError) as error:
                problem = error
                continue
            chosen[left[is_right]] = number
            values[left[is_right]] = result[is_right]
        if problem is not None and bool((chosen[part] < 0).any()):
            raise refusal(
                problem, "derivative" if len(directions) == 1 else "second derivative"
            ) from problem
    numbers = sorted({*chosen.tolist()})
    if len(numbers) == 1:
        return ByPoint([(modes[numbers[0]], slice(None))], values)
    return ByPoint(
        [(modes[number], (chosen == number).nonzero().flatten()) for number in numbers], values
    )


def require_slope(
    feature_map: FeatureMap, x: Tensor, u: Tensor, derivative: Tensor, numbers: Tensor
) -> None:
    """Raise ValueError unless J u of reverse mode is a slope of the map, where forward mode contradicts it.

    torch has reverse mode wrong where numbers are written to one place twice (``as_strided_scatter``). The difference
    of the map to either side counts as well as that of both, since modes also differ at kinks. In shorter types than
    float64, whose differences are too inaccurate, nothing is compared, nor where the map raises an error beside the
    points. ``numbers`` ``[batch]`` name the points.
    """
    if x.dtype != torch.float64:
        return
    is_finite = torch.isfinite(derivative).all(dim=1)  # the others are refused as not finite
    x, u, derivative, numbers = (kept[is_finite] for kept in (x, u, derivative, numbers))
    w = balanced(random_vectors(derivative, seed=3), derivative.abs())
    off = numbers[is_off_slope(feature_map.call, x, u, w, (w * derivative).sum(dim=1))]
    if len(off):
        raise ValueError(
            f"feature_map: torch's derivatives in forward and in reverse mode differ at point {int(off[0])}, and "
            "that in reverse mode is not the slope of the map; needs operations that torch differentiates (none that "
            "writes to one place twice), and points off the kinks"
        )


def is_off_slope(call: Map, x: Tensor, u: Tensor, w: Tensor, slope: Tensor) -> Tensor:
    """Return a mask ``[batch]`` of the points where ``slope`` ``[batch]`` is no difference of w . call(x) along ``u``.

    Points ``x`` and directions ``u`` are ``[batch, d]``, weights ``w`` ``[batch, features]``. Where every step leaves
    the domain of the map (a factorisation), no point is off.
    """
    left = torch.arange(len(x), device=x.device)
    size = ((1 + x.abs().amax(dim=1)) / u.abs().amax(dim=1))[:, None]
    was_compared = False
    for step in STEPS:
        if not len(left):
            break
        start, weights, move = x[left], w[left], step * size[left] * u[left]
        try:
            with torch.no_grad():
                before, here, after = (
                    (weights * call(start + k * move)).sum(dim=1) for k in (-1, 0, 1)
                )
        except torch.OutOfMemoryError:
            raise
        except RuntimeError:
            continue
        was_compared = True
        width = step * size[left, 0]
        rounding = (
            1e3 * torch.finfo(x.dtype).eps * torch.maximum(before.abs(), after.abs()) / width
        )
        is_off = torch.ones_like(left, dtype=torch.bool)
        for difference in (
            (after - before) / (2 * width),
            (after - here) / width,
            (here - before) / width,
        ):
            # a point also passes where a difference leaves the domain of the map
            largest = torch.maximum(difference.abs(), slope[left].abs())
            is_off &= (difference - slope[left]).abs() > NEAR * largest + rounding
        left = left[is_off]
    result = torch.zeros(len(x), dtype=torch.bool, device=x.device)
    result[left] = was_compared
    return result


def require_agreement(
    feature_map: FeatureMap, x: Tensor, jacobian: Tensor, numbers: Tensor
) -> None:
    """Raise ValueError where a Jacobian of reverse mode is neither that of forward mode nor the slope of the map.

    Args:
        feature_map: the map.
        x: points ``[batch, d]``.
        jacobian: Jacobians at them by reverse mode, ``[batch, features, d]``, float64.
        numbers: of the points, ``[batch]``, for the message.
    """
    u = balanced(random_vectors(x, seed=1), torch.linalg.vector_norm(jacobian, dim=1).to(x.dtype))
    backward = torch.einsum("npd,nd->np", jacobian, u.double())
    try:
        forward = forward_once(feature_map.call, x, u)
    except torch.OutOfMemoryError:
        raise
    except (RuntimeError, ValueError):  # an operation without forward mode
        is_left = torch.ones_like(numbers, dtype=torch.bool)
    else:
        is_left = ~agrees(
            forward,
            lambda _call, _x, w, _u: (w.double() * backward).sum(dim=1),
            feature_map.call,
            x,
            u,
        )
    require_slope(
        feature_map, x[is_left], u[is_left], backward[is_left].to(x.dtype), numbers[is_left]
    )


def graphs_at_once(feature_map: FeatureMap, memory: int, passes: int = 2) -> int:
    """Return for how many points, at least one, the graphs of so many passes fit into ``memory`` bytes."""
    return max(1, memory // (passes * max(1, feature_map.graph)))


def pushforward(feature_map: FeatureMap, x: Tensor, u: Tensor, batch: int) -> ByPoint:
    """Return J u ``[points, features]`` at points ``x``, and how it was taken there; see :func:`by_point`."""
    pushed = by_point(
        (forward_once, reverse_twice, row_by_row), reverse_slope, feature_map, x, (u,), batch
    )
    every = torch.arange(len(x), device=x.device)
    for mode, some in pushed.modes:
        if mode is not forward_once:
            require_slope(feature_map, x[some], u[some], pushed.values[some], every[some])
    return pushed
