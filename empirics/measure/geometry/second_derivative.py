"""Second derivatives of a feature map along two directions, by the fastest of torch's modes that is correct.

Forward mode over forward mode is the fastest, but torch does not support it for some operations (Mish) and gets it
wrong for others (LayerNorm and InstanceNorm in 2.13, whose saved statistics it does not differentiate). It is therefore
compared with reverse mode at the first point and replaced by it where the two differ. Custom functions that support
neither of ``torch.func``'s modes are differentiated by plain autograd, one pair of directions at a time. The chosen
mode is compared with finite differences of first derivatives, since a custom backward pass may be detached from a
variable on which it depends.
"""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.func import grad, vjp

from empirics.measure.models.differentiation import full_float32, jvp
from empirics.measure.models.feature_map import FeatureMap

Map = Callable[[Tensor], Tensor]
Along = Callable[[Map, Tensor, Tensor, Tensor], Tensor]
STEPS = (1e-3, 1e-5, 1e-7)  # finite-difference steps relative to the point, for maps that vary slowly or quickly
NEAR = 1e-2  # largest relative error of a finite difference; a wrong derivative is farther off


def forward_over_forward(call: Map, x: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """Return the second derivative of ``call`` at ``x`` along ``u``, ``v`` ``[batch, d]``, as ``[batch, features]``."""
    result: Tensor = jvp(lambda y: jvp(call, (y,), (u,))[1], (x,), (v,))[1]
    return result


@full_float32()
def reverse_over_reverse(call: Map, x: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """Return the same by reverse mode, as the derivative in w of w . D²call(u, v), without a third one in ``x``."""

    def bend(w: Tensor) -> Tensor:
        slope = grad(lambda y: (vjp(call, y)[1](w)[0] * u).sum())(x)
        bent: Tensor = (slope * v).sum()
        return bent

    result: Tensor = grad(bend)(torch.zeros_like(call(x)))
    return result


@full_float32()
def backward_thrice(call: Map, x: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """Return the same by plain autograd, without ``vmap`` and ``torch.func``."""
    with torch.enable_grad():
        x = x.detach().requires_grad_()
        y = call(x)
        w = torch.zeros_like(y, requires_grad=True)
        (slope,) = torch.autograd.grad(y, x, w, create_graph=True)
        (bent,) = torch.autograd.grad((slope * u).sum(), x, create_graph=True, materialize_grads=True)
        along = (bent * v).sum()
        return torch.autograd.grad(along, w, materialize_grads=True)[0] if along.requires_grad else 0 * y.detach()


def second_derivative(feature_map: FeatureMap) -> Along:
    """Choose the mode for ``feature_map``: forward if torch has it and it is right, else reverse, else plain."""
    x = feature_map.x[:1]
    generator = torch.Generator().manual_seed(0)
    u, v = (torch.randn(x.shape, generator=generator, dtype=torch.float64).to(x) for _ in range(2))
    by_mode: dict[Along, Tensor] = {}
    problem: Exception | str = "it is not a number"
    for mode in (forward_over_forward, reverse_over_reverse, backward_thrice):
        if mode is backward_thrice and by_mode:
            break
        try:
            with torch.no_grad():  # as in later use: torch has two formulas for SiLU and Mish
                second = mode(feature_map.call, x, u, v).detach()
        except (RuntimeError, NotImplementedError) as error:
            problem = error
            continue
        if not bool(second.isnan().any()):
            by_mode[mode] = second
    if not by_mode:
        raise ValueError(f"feature_map: torch has no second derivative of it at the first point ({problem})")
    chosen = next(iter(by_mode))
    if len(by_mode) == 2:
        forward, reverse = by_mode.values()
        agree = (forward - reverse).abs().max() <= torch.finfo(x.dtype).eps ** 0.4 * reverse.abs().max()
        chosen = forward_over_forward if bool(agree) else reverse_over_reverse
    if x.dtype == torch.float64 and not feature_map.kinks:  # else finite differences are inaccurate, or cross a kink
        _check_against_differences(feature_map.call, x, u, v, by_mode[chosen])
    return chosen


def bend_of(along: Along, call: Map) -> Map:
    """Return the second derivative of ``call`` along one random direction, ``[n, d] -> [n, features]``."""

    def bend(x: Tensor) -> Tensor:
        u = torch.randn(x.shape[1], generator=torch.Generator().manual_seed(0), dtype=torch.float64).to(x).expand_as(x)
        with torch.no_grad():
            return along(call, x, u, u)

    return bend


def _check_against_differences(call: Map, x: Tensor, u: Tensor, v: Tensor, second: Tensor) -> None:
    """Raise ValueError unless a difference of first derivatives, for some step, agrees with ``second`` at ``x``."""
    generator = torch.Generator().manual_seed(1)
    w = torch.randn(second.shape, generator=generator, dtype=torch.float64).to(x)

    def slope(position: Tensor) -> Tensor:
        with torch.enable_grad():
            position = position.detach().requires_grad_()
            (gradient,) = torch.autograd.grad((w * call(position)).sum(), position)
        return (gradient * u).sum()

    bend, scale = (w * second).sum(), slope(x).abs()
    size = (1 + x.abs().max()) / v.abs().max()
    for step in STEPS:
        difference = (slope(x + step * size * v) - slope(x - step * size * v)) / (2 * step * size)
        rounding = 1e3 * torch.finfo(x.dtype).eps * scale / (step * size)
        if not bool((difference - bend).abs() > NEAR * torch.maximum(difference.abs(), bend.abs()) + rounding):
            return  # the check also passes where a difference leaves the domain of the map
    raise ValueError(
        f"feature_map: torch's second derivative at the first point, {float(bend):.3g} in some direction, is not the "
        f"slope of its first derivative, about {float(difference):.3g} (a custom backward without one of its own?)"
    )
