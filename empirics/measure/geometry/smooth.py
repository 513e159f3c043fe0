"""Checks that refuse maps whose slope jumps: their curvature is concentrated on kinks, where there is no derivative."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import torch
from torch import Tensor, nn

from closedform import checks
from empirics.measure.models.feature_map import FeatureMap

Kinks = Literal["refuse", "ignore"]
HALVINGS = 50  # of the way from the points to where the map bends, until float64 has no number in between
_KINKED_MODULES = (
    nn.ReLU, nn.ReLU6, nn.LeakyReLU, nn.PReLU, nn.RReLU, nn.SELU, nn.Hardtanh, nn.Hardswish, nn.Hardsigmoid,
    nn.Hardshrink, nn.Softshrink, nn.Threshold, nn.MaxPool1d, nn.MaxPool2d, nn.MaxPool3d, nn.AdaptiveMaxPool1d,
    nn.AdaptiveMaxPool2d, nn.AdaptiveMaxPool3d, nn.FractionalMaxPool2d, nn.FractionalMaxPool3d,
)  # fmt: skip
_WHY = (
    "the curvature of a map whose slope jumps sits on the kinks and is nowhere else; use a smooth activation "
    "(GELU, Softplus), or kinks='ignore' for the curvature between the kinks"
)


def check_smooth(feature_map: FeatureMap, kinks: Kinks) -> None:
    """Refuse a map whose forward pass contains an operation with a jump in its slope, unless ``kinks="ignore"``.

    It sees kinked operations of torch (ReLU, leaky, parametric, shrinking, hard and clamped activations where both
    branches occur, abs, ELU and CELU with a jump, max pooling), as modules and as functions. It does not see kinks
    written with comparisons, ``torch.where``, ``amax``, ``sort`` or Python's ``if`` in a map that also has a smooth
    part.
    """
    checks.one_of("kinks", kinks, ("refuse", "ignore"))
    if kinks == "ignore" or not feature_map.kinks:
        return
    parts = [] if feature_map.module is None else feature_map.module.named_modules()
    named = [f"{type(part).__name__} {name!r}" for name, part in parts if isinstance(part, _KINKED_MODULES)]
    listed = ", ".join(named[:3] or feature_map.kinks[:3]) + (", ..." if len(named) > 3 else "")
    raise ValueError(f"feature_map: has kinks ({listed}); {_WHY}")


def check_not_piecewise_linear(
    feature_map: FeatureMap, kinks: Kinks, second: Tensor, bend: Callable[[Tensor], Tensor]
) -> None:
    """Refuse a map that is not affine although all its second derivatives are zero, there and where it bends.

    A smooth map may be straight to rounding at the points (torch's softplus beyond its threshold) and bend elsewhere.
    ``second`` ``[batch]`` is the largest second derivative at each point, ``bend`` gives some at other points ``[n,
    d]``.
    """
    if kinks == "ignore" or bool((second != 0).any()):
        return
    x = feature_map.x[:1]
    scale = float(feature_map.x.abs().max()) + 1.0
    generator = torch.Generator().manual_seed(0)
    steps = scale * torch.randn(16, x.shape[1], generator=generator, dtype=torch.float64).to(x)
    with torch.no_grad():
        deviation, rounding = _bends(feature_map, x - steps, x + steps)
    if bool((deviation <= rounding).all()):
        return
    start, end = x - steps, x + steps
    for _ in range(HALVINGS):
        middle = (start + end) / 2
        if bool((bend(middle) != 0).any()):
            return
        with torch.no_grad():
            is_left = (_bends(feature_map, start, middle)[0] > _bends(feature_map, middle, end)[0])[:, None]
        start, end = torch.where(is_left, start, middle), torch.where(is_left, middle, end)
    raise ValueError(f"feature_map: is piecewise linear, by its second derivatives, and not affine; {_WHY}")


def _bends(feature_map: FeatureMap, start: Tensor, end: Tensor) -> tuple[Tensor, Tensor]:
    """Return how far the map is from affine between pairs of points ``[n, d]``, as ``[n]``, and the rounding error."""
    ends, middle = (feature_map.call(start), feature_map.call(end)), feature_map.call((start + end) / 2)
    size = ends[0].abs().amax() + ends[1].abs().amax() + 2 * middle.abs().amax()
    rounding = 1e3 * torch.finfo(start.dtype).eps * size
    return (ends[0] + ends[1] - 2 * middle).flatten(1).abs().amax(1), rounding
