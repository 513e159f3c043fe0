"""The names of layers, the same words in dossiers, watched runs and measures.

``"blocks.2"`` is the output of a call, flattened; ``"relu[1]"`` the second call of a module and ``"relu()"`` that of a
function. ``("encoder.ln", 0)`` is one position of a sequence ``[batch, positions, features]``, ``("encoder.ln",
"last")`` the last one, ``("encoder.ln", "mean")`` the mean over positions, and ``("layer4", "pooled")`` the mean of
each channel of ``[batch, channels, ...]``. Tables call such a layer ``encoder.ln@0``, which is understood as well.
``"penultimate"`` is the input of the last linear map, and ``"residual"`` stands for the states of the residual stream.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch import Tensor

from closedform import checks

PENULTIMATE, RESIDUAL = "penultimate", "residual"
LAST, MEAN, POOLED = "last", "mean", "pooled"
REDUCTIONS = (LAST, MEAN, POOLED)
NEEDS = "a name, or a pair of a name and a position, 'last', 'mean' or 'pooled'"


@dataclass(frozen=True)
class LayerName:
    """A call, and what is taken of its output."""

    call: str  # path of a module, with the number of the call in brackets if there are several, or "penultimate"
    reduction: int | str | None = None  # a position, "last", "mean", "pooled", or None for all numbers

    def __str__(self) -> str:
        return self.call if self.reduction is None else f"{self.call}@{self.reduction}"

    @property
    def path(self) -> str:
        """The call without its number."""
        return self.call.partition("[")[0]

    def of(self, output: Tensor) -> Tensor:
        """Return what is taken of the output ``[batch, ...]`` of the call; ValueError if it has no such positions."""
        if self.reduction is None:
            return output
        if output.ndim < 3:
            raise ValueError(f"layer {str(self)!r}: its output has shape {list(output.shape)}, needs several positions")
        if self.reduction == POOLED:
            return output.flatten(2).mean(2)
        positions = output.flatten(1, -2)
        if self.reduction == MEAN:
            return positions.mean(1)
        index = -1 if self.reduction == LAST else int(self.reduction)
        if not -positions.shape[1] <= index < positions.shape[1]:
            raise ValueError(f"layer {str(self)!r}: has {positions.shape[1]} positions")
        return positions[:, index]


def layer_name(argument: str, given: Any) -> LayerName:
    """Return the name of a layer given as ``"blocks.2"``, ``"blocks.2@mean"`` or ``("blocks.2", "mean")``."""
    if isinstance(given, LayerName):
        return given
    if isinstance(given, str):
        call, at, reduction = given.rpartition("@")
        pair: tuple[Any, Any] = (call, reduction) if at else (given, None)
    elif isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], str):
        pair = given
    else:
        shown = repr(given) if isinstance(given, tuple) else type(given).__name__
        raise TypeError(f"{argument}: got {shown}, needs {NEEDS}")
    call, reduction = pair
    if reduction is None or reduction in REDUCTIONS:
        return LayerName(call, reduction)
    try:
        return LayerName(call, checks.integer(argument, int(reduction) if isinstance(reduction, str) else reduction))
    except (TypeError, ValueError):
        raise ValueError(f"{argument}: got {given!r}, needs {NEEDS}") from None
