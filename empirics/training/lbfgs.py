"""L-BFGS for a batch of independent problems: every row has its own curvature pairs and its own line search.

One joint L-BFGS over all networks would mix their curvatures. Here every row converges as if it were alone, while all
rows share the evaluations. The line search backtracks by quadratic interpolation until the decrease is sufficient
(Armijo's condition). A pair whose curvature is not clearly positive, as at the kinks of a ReLU, is left out.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

Evaluate = Callable[[Tensor], tuple[Tensor, Tensor]]


class BatchedMinimiser:
    """Minimiser of many functions, one for each row, which rests after ``patience`` steps without progress."""

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
        self.parameters, self.value, self.gradient = (
            state["parameters"],
            state["value"],
            state["gradient"],
        )
        self._failures = state["failures"]


def dot(a: Tensor, b: Tensor) -> Tensor:
    """Return the inner products of the rows, ``[row]``."""
    return (a * b).sum(1)


SUFFICIENT = 1e-4  # required fraction of the linear decrease (Nocedal and Wright, section 3.1)
SHORTEST, LONGEST = 0.1, 0.5  # range of the factor by which a rejected step shrinks
HISTORY = 20  # number of curvature pairs that are kept
TRIALS = 20  # largest number of step lengths tried in a line search
FIRST = 1e-2  # length of a step for which no curvature is known
FAILURES = 3  # consecutive steps without progress after which a row is no longer moved
ROUNDING = 8  # accepted increase of the value in eps, since the gradient is the more precise near a minimum
# least cosine between the step and the change of the gradient of a pair that is kept
CURVATURE = 1e-12


class BatchedLBFGS(BatchedMinimiser):
    """A minimiser by L-BFGS; ``initial``, if not None, multiplies vectors by an estimated inverse Hessian."""

    initial: Callable[[Tensor], Tensor] | None = None

    def __init__(self, evaluate: Evaluate, start: Tensor) -> None:
        super().__init__(evaluate, start, FAILURES)
        self._pairs: list[tuple[Tensor, Tensor, Tensor]] = []  # s, y, 1/s·y (zero where left out)
        self._scale = self._first()

    def step(self) -> None:
        """Make one iteration; a row loses its curvature pairs after a failed line search and rests after three."""
        direction = -self._apply(self.gradient)
        slope = dot(direction, self.gradient)
        is_uphill = ~(slope < 0)
        direction = torch.where(
            is_uphill[:, None], -self._first()[:, None] * self.gradient, direction
        )
        slope = torch.where(is_uphill, dot(direction, self.gradient), slope)
        length = torch.ones_like(slope)
        best, value, gradient = self.parameters, self.value, self.gradient
        is_resting = self.is_resting
        rounding = ROUNDING * torch.finfo(self.value.dtype).eps * self.value.abs()
        has_moved = torch.zeros_like(is_uphill)
        for _ in range(TRIALS):
            trial = torch.where(
                (has_moved | is_resting)[:, None],
                best,
                self.parameters + length[:, None] * direction,
            )
            f, g = self._evaluate(trial)
            is_sufficient = (
                ~(has_moved | is_resting)
                & (f <= self.value + SUFFICIENT * length * slope + rounding)
                & torch.isfinite(g).all(1)
            )
            best = torch.where(is_sufficient[:, None], trial, best)
            value, gradient = (
                torch.where(is_sufficient, f, value),
                torch.where(is_sufficient[:, None], g, gradient),
            )
            has_moved = has_moved | is_sufficient
            if bool((has_moved | is_resting).all()):
                break
            shrink = -slope * length / (2 * (f - self.value - slope * length))
            shrink = torch.nan_to_num(shrink, nan=SHORTEST).clamp(SHORTEST, LONGEST)
            length = torch.where(has_moved, length, length * shrink)
        self._remember(best - self.parameters, gradient - self.gradient, has_moved)
        self._failures = torch.where(has_moved, 0, self._failures + 1)
        self.parameters, self.value, self.gradient = best, value, gradient

    def state(self) -> dict[str, Any]:
        """Return everything that the next step depends on."""
        return super().state() | {
            "scale": self._scale,
            "pairs": [list(pair) for pair in self._pairs],
        }

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue from a :meth:`state`."""
        super().load_state(state)
        self._scale = state["scale"]
        self._pairs = [(s, y, inverse) for s, y, inverse in state["pairs"]]

    def _first(self) -> Tensor:
        """Return the factors of the gradients that give first steps of length :data:`FIRST`, ``[row]``."""
        scale: Tensor = FIRST / self.gradient.norm(dim=1).clamp_min(
            torch.finfo(self.gradient.dtype).tiny
        )
        return scale

    def _apply(self, vector: Tensor) -> Tensor:
        """Return the estimated inverse Hessians times ``vector`` ``[row, parameter]``, by the two-loop recursion."""
        q = vector.clone()
        alphas = []
        for s, y, inverse in reversed(self._pairs):
            alpha = inverse * dot(s, q)
            alphas.append(alpha)
            q -= alpha[:, None] * y
        q = q * self._scale[:, None] if self.initial is None else self.initial(q)
        for (s, y, inverse), alpha in zip(self._pairs, reversed(alphas), strict=True):
            q += (alpha - inverse * dot(y, q))[:, None] * s
        return q

    def _remember(self, s: Tensor, y: Tensor, has_moved: Tensor) -> None:
        """Store the pairs of a step ``s`` and a change ``y`` of the gradient; rows that did not move lose all pairs."""
        curvature = dot(s, y)
        is_kept = has_moved & (curvature > CURVATURE * s.norm(dim=1) * y.norm(dim=1))
        inverse = torch.where(is_kept, 1 / torch.where(is_kept, curvature, 1), 0)
        self._scale = torch.where(
            is_kept, curvature / dot(y, y).clamp_min(torch.finfo(y.dtype).tiny), self._scale
        )
        self._pairs.append((s, y, inverse))
        if len(self._pairs) > HISTORY:
            self._pairs.pop(0)
        if not bool(has_moved.all()):
            for _, _, old in self._pairs:
                old[~has_moved] = 0
            self._scale = torch.where(has_moved, self._scale, self._first())
