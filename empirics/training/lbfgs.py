r"""L-BFGS for a batch of independent problems: every row has its own curvature pairs and its own line search.

One joint L-BFGS over all networks would mix their curvatures; here a row converges as if it were alone, while all rows
share each evaluation. Backtracking by quadratic interpolation until the decrease is sufficient (Armijo); a pair whose
curvature is not clearly positive is left out, as at the kinks of a ReLU.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

Evaluate = Callable[[Tensor], tuple[Tensor, Tensor]]
SUFFICIENT = 1e-4  # fraction of the linear decrease asked for (Nocedal and Wright, section 3.1)
SHORTEST, LONGEST = 0.1, 0.5  # factors between which a rejected step shrinks
TRIALS = 20
FIRST = 1e-2  # length of a step without any curvature known
FAILURES = 3  # steps without progress, one after another, after which a row is left alone
ROUNDING = 8  # in eps of the value: near a minimum the value has no more digits, the gradient has
CURVATURE = 1e-12  # least cosine between step and change of gradient of a pair that is kept


class BatchedLBFGS:
    """Minimiser of ``rows`` functions at once.

    Args:
        evaluate: ``[row, parameter] -> ([row], [row, parameter])``, values and gradients.
        start: ``[row, parameter]``; not changed.
        history: number of curvature pairs kept.
    """

    def __init__(self, evaluate: Evaluate, start: Tensor, history: int = 20) -> None:
        self._evaluate, self._history = evaluate, history
        self.parameters = start.clone()
        self.value, self.gradient = (t.clone() for t in evaluate(self.parameters))
        self._pairs: list[tuple[Tensor, Tensor, Tensor]] = []  # s, y, 1/s·y (zero where left out)
        self._failures = torch.zeros_like(self.value)
        self._scale = self._first()

    @property
    def done(self) -> bool:
        """Whether no row makes progress any more."""
        return bool((self._failures >= FAILURES).all())

    def step(self) -> None:
        """One iteration. A row that cannot move forgets its curvature pairs; after three such steps it rests."""
        direction = -self._apply(self.gradient)
        slope = _dot(direction, self.gradient)
        uphill = ~(slope < 0)
        direction = torch.where(uphill[:, None], -self._first()[:, None] * self.gradient, direction)
        slope = torch.where(uphill, _dot(direction, self.gradient), slope)
        length = torch.ones_like(slope)
        best, value, gradient = self.parameters, self.value, self.gradient
        resting = self._failures >= FAILURES
        slack = ROUNDING * torch.finfo(self.value.dtype).eps * self.value.abs()
        moved = torch.zeros_like(uphill)
        for _ in range(TRIALS):
            trial = torch.where((moved | resting)[:, None], best, self.parameters + length[:, None] * direction)
            f, g = self._evaluate(trial)
            good = (
                ~(moved | resting) & (f <= self.value + SUFFICIENT * length * slope + slack) & torch.isfinite(g).all(1)
            )
            best = torch.where(good[:, None], trial, best)
            value, gradient = torch.where(good, f, value), torch.where(good[:, None], g, gradient)
            moved = moved | good
            if bool((moved | resting).all()):
                break
            shrink = -slope * length / (2 * (f - self.value - slope * length))
            shrink = torch.nan_to_num(shrink, nan=SHORTEST).clamp(SHORTEST, LONGEST)
            length = torch.where(moved, length, length * shrink)
        self._remember(best - self.parameters, gradient - self.gradient, moved)
        self._failures = torch.where(moved, 0, self._failures + 1)
        self.parameters, self.value, self.gradient = best, value, gradient

    def state(self) -> dict[str, Any]:
        """Everything the next step depends on."""
        return {"parameters": self.parameters, "value": self.value, "gradient": self.gradient, "scale": self._scale,
                "failures": self._failures, "pairs": [list(pair) for pair in self._pairs]}  # fmt: skip

    def load_state(self, state: dict[str, Any]) -> None:
        """Go on from a :meth:`state`."""
        self.parameters, self.value, self.gradient = state["parameters"], state["value"], state["gradient"]
        self._scale, self._failures = state["scale"], state["failures"]
        self._pairs = [(s, y, inverse) for s, y, inverse in state["pairs"]]

    def _first(self) -> Tensor:
        """Scale of a first step, without any curvature known: one of length FIRST."""
        scale: Tensor = FIRST / self.gradient.norm(dim=1).clamp_min(torch.finfo(self.gradient.dtype).tiny)
        return scale

    def _apply(self, vector: Tensor) -> Tensor:
        """The inverse Hessian's estimate times ``vector``: the two-loop recursion, row by row."""
        q = vector.clone()
        used = []
        for s, y, inverse in reversed(self._pairs):
            alpha = inverse * _dot(s, q)
            used.append(alpha)
            q -= alpha[:, None] * y
        q *= self._scale[:, None]
        for (s, y, inverse), alpha in zip(self._pairs, reversed(used), strict=True):
            q += (alpha - inverse * _dot(y, q))[:, None] * s
        return q

    def _remember(self, s: Tensor, y: Tensor, moved: Tensor) -> None:
        curvature = _dot(s, y)
        keep = moved & (curvature > CURVATURE * s.norm(dim=1) * y.norm(dim=1))
        inverse = torch.where(keep, 1 / torch.where(keep, curvature, 1), 0)
        self._scale = torch.where(keep, curvature / _dot(y, y).clamp_min(torch.finfo(y.dtype).tiny), self._scale)
        self._pairs.append((s, y, inverse))
        if len(self._pairs) > self._history:
            self._pairs.pop(0)
        if not bool(moved.all()):
            for _, _, old in self._pairs:
                old[~moved] = 0
            self._scale = torch.where(moved, self._scale, self._first())


def _dot(a: Tensor, b: Tensor) -> Tensor:
    return (a * b).sum(1)
