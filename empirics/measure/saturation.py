"""Warning of saturated units, whose slopes torch computes without their digits.

torch takes the slope of tanh from its value, 1 - tanh², and that of a sigmoid s as s (1 - s). Where the value rounds
to one, these have an error of about the precision divided by the distance from one: six digits are left at |z| = 11 for
tanh, and none beyond 19, where the slope becomes zero. A measurement loses them as well if too few units of a layer are
left whose slopes are right.
"""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

ONE_SIDED = ("sigmoid", "expit")  # right on the left
TOLERATED = 1e-6  # relative error of slopes; where a type has fewer digits, a thousand times its precision


class Saturation(TorchFunctionMode):
    """Records, within this context, the relative error of the slopes of saturated units.

    Args:
        directions: number of units of a layer, at each point, whose slopes must be right.
    """

    def __init__(self, directions: int) -> None:
        super().__init__()
        self.directions, self.error, self.message = directions, 0.0, ""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run ``func`` and look at its output if it saturates."""
        output = func(*args, **(kwargs or {}))
        name = getattr(func, "__name__", "").removesuffix("_")
        if name in ("tanh", *ONE_SIDED) and isinstance(output, Tensor) and output.ndim > 1:
            self._see(name, output)
        return output

    def _see(self, name: str, output: Tensor) -> None:
        one_sided = name in ONE_SIDED
        distance = 1 - (output if one_sided else output.abs()).flatten(1)
        number = min(self.directions, distance.shape[1])
        if not number or not distance.is_floating_point():
            return
        least = distance.topk(number, dim=1).values[:, -1]
        precision = torch.finfo(distance.dtype).eps
        error = min(float(precision / least.min()), 1.0)
        if error > max(TOLERATED, 1e3 * precision, self.error):
            self.error = error
            self.message = (
                f"units of {name} are saturated; torch computes their slopes with errors of up to {error:.0e}"
            )

    def warn(self) -> None:
        """Warn if the error is not tolerated."""
        if self.message:
            warnings.warn(f"feature_map: {self.message}", RuntimeWarning, stacklevel=3)
