"""What minimisers of a batch of independent problems have in common: parameters, and rows that are no longer moved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

Evaluate = Callable[[Tensor], tuple[Tensor, Tensor]]


class BatchedMinimiser:
    """Minimiser of many functions at once, one for each row.

    Args:
        evaluate: maps parameters ``[row, parameter]`` to values ``[row]`` and gradients ``[row, parameter]``.
        start: initial parameters ``[row, parameter]``; not changed.
        patience: number of consecutive steps without progress after which a row is no longer moved.

    Attributes:
        parameters: current parameters, ``[row, parameter]``.
        value: values at them, ``[row]``.
        gradient: gradients at them, ``[row, parameter]``.
    """

    def __init__(self, evaluate: Evaluate, start: Tensor, patience: int) -> None:
        self._evaluate, self._patience = evaluate, patience
        self.parameters = start.clone()
        self.value, self.gradient = (t.clone() for t in evaluate(self.parameters))
        self._failures = torch.zeros_like(self.value)

    @property
    def is_resting(self) -> Tensor:
        """Which rows are no longer moved, a mask ``[row]``."""
        return self._failures >= self._patience

    @property
    def done(self) -> bool:
        """Whether no row makes progress any more."""
        return bool(self.is_resting.all())

    def rest(self, rows: Tensor) -> None:
        """Move the ``rows``, a mask ``[row]``, no more."""
        self._failures = torch.where(rows, self._patience, self._failures)

    def state(self) -> dict[str, Any]:
        """Return everything that the next step depends on."""
        return {"parameters": self.parameters, "value": self.value, "gradient": self.gradient,
                "failures": self._failures}  # fmt: skip

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue from a :meth:`state`."""
        self.parameters, self.value, self.gradient = state["parameters"], state["value"], state["gradient"]
        self._failures = state["failures"]


def dot(a: Tensor, b: Tensor) -> Tensor:
    """Return the inner products of the rows, ``[row]``."""
    return (a * b).sum(1)
