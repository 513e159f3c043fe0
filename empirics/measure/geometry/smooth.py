"""Checks that refuse maps whose slope jumps: their curvature is concentrated on kinks, where there is no derivative.

Warning of saturated units, whose slopes torch computes without their digits.

torch takes the slope of tanh from its value, 1 - tanh², and that of a sigmoid s as s (1 - s). Where the value rounds
to one, these have an error of about the precision divided by the distance from one: six digits are left at |z| = 11 for
tanh, and none beyond 19, where the slope becomes zero. The GELU's slope on the left is the sum of z times the normal
density and of the normal distribution function, which torch takes from 1 + erf: six digits are left at z = -6, and two
from -9 on; with ``approximate="tanh"`` none beyond -8. In shorter types, where units are lost from z = -4 on in nearly
every network, the GELU is not looked at. The second derivatives of the log-sigmoid and of the softplus, which torch
continues as a straight line from z = 20 on, have errors on the right, where their slopes have none. A measurement loses
these digits as well if too few units of a layer are left whose slopes are right.
"""

import math
import warnings
from collections.abc import Callable
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from closedform import checks
from empirics.measure.models.feature_map import FeatureMap

ONE_SIDED = ("sigmoid", "expit")  # right on the left
GELU_TAIL = -2.0  # to the left of it the slope is small because it saturates, to the right because it changes its sign
# relative error of slopes; where a type has fewer digits, a thousand times its precision
TOLERATED = 1e-6

Kinks = Literal["refuse", "ignore"]
# of the way from the points to where the map bends, until float64 has no number in between
HALVINGS = 50
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

    It does not see kinks written with comparisons, ``torch.where``, ``amax``, ``sort`` or Python's ``if`` in a map that
    also has a smooth part.
    """
    checks.one_of("kinks", kinks, ("refuse", "ignore"))
    if kinks == "ignore" or not feature_map.kinks:
        return
    parts = [] if feature_map.module is None else feature_map.module.named_modules()
    named = [
        f"{type(part).__name__} {name!r}"
        for name, part in parts
        if isinstance(part, _KINKED_MODULES)
    ]
    listed = ", ".join(named[:3] or feature_map.kinks[:3]) + (", ..." if len(named) > 3 else "")
    raise ValueError(f"feature_map: has kinks ({listed}); {_WHY}")


def check_not_piecewise_linear(
    feature_map: FeatureMap, kinks: Kinks, second: Tensor, bend: Callable[[Tensor], Tensor]
) -> None:
    """Refuse a map that is not affine although all its second derivatives are zero, there and where it bends.

    A smooth map may be straight to rounding at the points (torch's softplus beyond its threshold) and bend elsewhere.
    ``second`` ``[batch]`` is the largest second derivative at each point; ``bend`` gives some at points ``[n, d]``.
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
            is_left = (
                _bends(feature_map, start, middle)[0] > _bends(feature_map, middle, end)[0]
            )[:, None]
        start, end = torch.where(is_left, start, middle), torch.where(is_left, middle, end)
    raise ValueError(
        f"feature_map: is piecewise linear, by its second derivatives, and not affine; {_WHY}"
    )


def _bends(feature_map: FeatureMap, start: Tensor, end: Tensor) -> tuple[Tensor, Tensor]:
    """Return how far the map is from affine between pairs of points ``[n, d]``, as ``[n]``, and the rounding error."""
    ends, middle = (
        (feature_map.call(start), feature_map.call(end)),
        feature_map.call((start + end) / 2),
    )
    size = ends[0].abs().amax() + ends[1].abs().amax() + 2 * middle.abs().amax()
    rounding = 1e3 * torch.finfo(start.dtype).eps * size
    return (ends[0] + ends[1] - 2 * middle).flatten(1).abs().amax(1), rounding


class SaturationErrors(TorchFunctionMode):
    """Records, within this context, the relative error of the slopes of saturated units.

    ``directions`` units of a layer must have right slopes at each point, and with ``twice`` right second derivatives.
    ``errors`` ``[batch]`` are None where no unit can saturate; ``message`` is empty if the largest is tolerated.
    """

    def __init__(self, directions: int, twice: bool = False) -> None:
        super().__init__()
        self.directions, self.twice, self.error, self.message = directions, twice, 0.0, ""
        self.errors: Tensor | None = None

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run ``func`` and look at its output if it saturates."""
        output = func(*args, **(kwargs or {}))
        name = getattr(func, "__name__", "").removesuffix("_")
        if isinstance(output, Tensor) and output.ndim > 1 and output.is_floating_point():
            if name in ("tanh", *ONE_SIDED):
                self._see(name, 1 - (output if name in ONE_SIDED else output.abs()))
            elif name == "gelu" and output.dtype == torch.float64:
                self._see(name, _gelu_distance(args[0], (kwargs or {}).get("approximate", "none")))
            elif self.twice and name in ("logsigmoid", "log_sigmoid"):
                self._see(name, -torch.expm1(output))
            elif self.twice and name == "softplus":
                self._see(name, _softplus_distance(*args, **(kwargs or {})))
        return output

    def _see(self, name: str, distance: Tensor) -> None:
        """Look at slopes whose absolute error is the precision, given their distances from zero ``[batch, ...]``."""
        distance = distance.detach().flatten(1)
        number = min(self.directions, distance.shape[1])
        if not number:
            return
        precision = torch.finfo(distance.dtype).eps
        errors = (precision / distance.topk(number, dim=1).values[:, -1]).clamp(max=1.0)
        before = (
            self.errors
            if self.errors is not None and self.errors.shape == errors.shape
            else errors
        )
        self.errors = torch.maximum(before, errors)
        error = float(errors.max())
        if error > max(TOLERATED, 1e3 * precision, self.error):
            self.error = error
            self.message = (
                f"units of {name} are saturated; torch computes their slopes with errors of up to "
                f"{error:.0e}"
            )

    def warn(self) -> None:
        """Warn if the error is not tolerated."""
        if self.message:
            warnings.warn(f"feature_map: {self.message}", RuntimeWarning, stacklevel=3)


def _softplus_distance(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """Return the distance of the slope of softplus from one; zero beyond the threshold, where torch has a line."""
    z = beta * input.detach()
    return torch.where(z > threshold, 0.0, torch.sigmoid(-z))


def _gelu_distance(z: Tensor, approximate: str) -> Tensor:
    """Return the size of the slope of the GELU in units of its absolute error; one where it does not saturate."""
    tail = z.detach().clamp(max=GELU_TAIL)
    if approximate == "tanh":
        distance = 2 * torch.sigmoid(math.sqrt(8 / math.pi) * (tail + 0.044715 * tail**3))
    else:
        distance = 2 * tail.abs() * torch.exp(-(tail**2) / 2) / math.sqrt(2 * math.pi)
    return torch.where(z < GELU_TAIL, distance, 1.0)
