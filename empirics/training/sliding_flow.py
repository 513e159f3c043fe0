r"""Hinge flow whose fitted points slide along the margin instead of chattering about it.

The hinge loss pulls a point whose margin is below 1 with its whole force, and above 1 not at all. Where both sides push
a point back to the margin, steps of any length flip it from one side to the other, and most of them are undone. The
flow itself stays on the margin there (Filippov 1988): such points have *multipliers* l' between 0 and 1 in place of the
slope of the loss, those at which their margins stay 1. A step of length t takes the multipliers of an implicit one,

.. math:: 0 \le l'_\mu \le 1, \qquad
          l' = \arg\min \tfrac12\, t\, l'^\top K l' + l'^\top (m - 1 + t\, r),

over the points near the margin, with the kernel K of their margins' rates and the rate r that all other points cause. A
point that the minimum leaves at 0 moves on above the margin, one at 1 has not reached it.
"""

import math
from typing import Any

import numpy as np
import torch
from scipy.optimize import Bounds, minimize
from torch import Tensor

from closedform.checks.arrays import Array
from empirics.training.hinge_flow import STATE, HingeFlow

PRECISE = {"ftol": 1e-15, "gtol": 1e-9, "maxcor": 30, "maxiter": 1000}


class SlidingFlow(HingeFlow):
    """A :class:`HingeFlow` with points that slide by forces ``multipliers`` ``[realisation, point]`` from 0 to 1."""

    def __init__(
        self,
        inputs: Tensor,
        labels: Tensor,
        hidden: Tensor,
        output: Tensor,
        *,
        alpha: float,
        **options: Any,
    ) -> None:
        self.multipliers = torch.ones_like(labels, dtype=inputs.dtype)
        super().__init__(inputs, labels, hidden, output, alpha=alpha, **options)

    @property
    def fitted(self) -> Tensor:
        """Fraction of the training points that have reached the margin, ``[realisation]``."""
        return (self.multipliers < 1).to(torch.float64).mean(dim=1)

    def state(self) -> dict[str, Any]:
        """Return what :meth:`restore` needs to continue from here on the same training sets, to the last bit."""
        return super().state() | {"multipliers": self.multipliers}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a :meth:`state` of the same networks on the same training sets."""
        super().restore({name: state[name] for name in (*STATE, "attempts")})
        self.multipliers = state["multipliers"].clone()

    def _acting(self, rows: Tensor, length: Tensor) -> Tensor:
        """Return the forces ``[row, neuron, d + 1]`` with the multipliers of a step of this length."""
        forces = self.forces[rows]
        for i, (row, step) in enumerate(zip(rows.tolist(), length.tolist(), strict=True)):
            margins, before = self.margins[row], self.multipliers[row].clone()
            at_margin = (margins - 1).abs() < self.moving
            self.multipliers[row] = (margins < 1).to(before.dtype)
            if bool(at_margin.any()):
                forces[i] = self._sliding(row, step, at_margin, before[at_margin])
            elif not torch.equal(before, self.multipliers[row]):
                forces[i] = self._forces(row)
        return forces

    def _forces(self, row: int) -> Tensor:
        """Return the forces ``[neuron, d + 1]`` of all points of a realisation with its multipliers."""
        only = torch.tensor([row], device=self.hidden.device)
        return self._evaluate(only, self.hidden[only], self.output[only])[1][0]

    def _sliding(self, row: int, step: float, near: Tensor, start: Tensor) -> Tensor:
        """Find the multipliers of the points near the margin; return all forces with them, ``[neuron, d + 1]``."""
        self.multipliers[row, near] = 0
        rest = self._forces(row)
        x, y, hidden, output = (
            self.inputs[row, near],
            self.labels[row, near],
            self.hidden[row],
            self.output[row],
        )
        active = (x @ hidden.T).clamp_min(0)
        is_active = active.sign()
        scale = self.alpha * math.sqrt(2 * self.dimension) / len(output)
        of_rest = active @ (hidden * rest).sum(dim=1) + (
            (is_active * output.square()) * (x @ rest.T)
        ).sum(dim=1)
        weighted = is_active * output
        kernel = (
            scale
            / len(near)
            * torch.outer(y, y)
            * (active @ active.T + (x @ x.T) * (weighted @ weighted.T))
        )
        lead = self.margins[row, near] - 1 + step * scale * y * of_rest
        problem = (part.double().cpu().numpy() for part in (step * kernel, lead, start))
        solution = torch.from_numpy(box_minimum(*problem)).to(start)
        self.multipliers[row, near] = solution
        return rest + (is_active * (y * solution / len(near))[:, None]).T @ x

    def _slope(self, margins: Tensor, rows: Tensor, part: slice) -> Tensor:
        """Return the multipliers, which take the place of the slope of the loss."""
        return self.multipliers[rows, part]


def box_minimum(matrix: Array, vector: Array, start: Array) -> Array:
    r"""Return the minimum of :math:`x^\top Q x/2 + q^\top x` over :math:`0 \le x \le 1`, ``[n]``, from a point near it.

    >>> box_minimum(np.eye(3), np.array([-2.0, -0.5, 1.0]), np.zeros(3)).round(6).tolist()
    [1.0, 0.5, 0.0]
    """

    def value(x: Array) -> tuple[float, Array]:
        image = matrix @ x
        return float(x @ image / 2 + vector @ x), image + vector

    minimum = minimize(
        value, start, jac=True, method="L-BFGS-B", bounds=Bounds(0, 1), options=PRECISE
    )
    return np.asarray(minimum.x)
