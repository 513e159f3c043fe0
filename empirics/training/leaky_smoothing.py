r"""L-BFGS for Leaky ResNets whose minima lie on kinks: the ReLU is smoothed, less and less.

At a minimum of a ReLU network hundreds of entries of the representations lie on a kink. The gradient jumps from one
side of a kink to the other by far more than the regulariser's part of it, so that it stays large however long one
trains, and line searches end at the next kink. With :math:`(a + \sqrt{a^2 + \epsilon^2})/2` instead of the ReLU it
goes to zero. A minimum at a small width :math:`\epsilon` is that of the ReLU network up to :math:`\epsilon`, and its
gradient is one of the ReLU network with a derivative between 0 and 1 wherever an entry is on a kink.

Widths are relative to the root mean square of each layer's representations when a stage begins. With curvature, L-BFGS
starts from the inverse of the Gauss-Newton matrix in all stages but the first, and computes it again after
:data:`REFRESH` steps. At the laptop scale networks with k* = 5 then come below a relative gradient of 0.01 in 4000
steps, as many as leave 0.1 to 0.4 without it.

With Newton's method the last steps at the last width are damped Newton steps, which remove what L-BFGS leaves along
stiff directions. They lower the gradient of large networks far more than the cost.
"""

from typing import Any

import torch
from torch import Tensor

from empirics.training.lbfgs import BatchedLBFGS
from empirics.training.leaky_hessian import DampedNewton, GaussNewtonInverse, Hessian
from empirics.training.leaky_objective import Objective

WIDTHS = (0.1, 0.03, 0.01, 0.003, 0.001)  # relative widths of the stages
CRITICAL = 0.01  # relative gradient at which a network of a stage is not moved any more
REFRESH = 50  # steps after which the Gauss-Newton matrix is computed again
SHARE = 2  # each stage but the last may take this part (a half) of the steps that are left
NEWTON = 10  # steps that are left for Newton's method after the last stage


class SmoothedLBFGS:
    """Stages of L-BFGS with smaller and smaller widths; with ``newton`` the last ones are damped Newton steps."""

    _minimiser: BatchedLBFGS | DampedNewton

    def __init__(
        self,
        objective: Objective,
        start: Tensor,
        steps: int,
        *,
        curvature: bool = False,
        newton: bool = False,
    ) -> None:
        self._objective, self.parameters, self._left = objective, start, steps
        self._curvature = curvature
        self._reserved = min(NEWTON, steps // 2) if newton else 0
        self._stage_steps = 0
        self._sketched_at: Tensor | None = None
        self._stage, self._until = -1, steps
        self._next_stage()

    @property
    def done(self) -> bool:
        """Whether the last stage has ended."""
        return self._stage == len(WIDTHS) + (self._reserved > 0)

    def step(self) -> None:
        """Make one iteration of all networks that are not critical yet."""
        self._objective.smoothing = self.widths
        if self._curvature and 0 < self._stage < len(WIDTHS) and self._stage_steps % REFRESH == 0:
            self._sketch(self.parameters)
        self._minimiser.step()
        self._left -= 1
        self._stage_steps += 1
        self._look()
        self._objective.smoothing = None
        if self._minimiser.done or self._left <= self._until:
            self._next_stage()

    def _next_stage(self) -> None:
        self._stage += 1
        if self.done:
            return
        if self._stage < len(WIDTHS):
            free = self._left - self._reserved
            is_last = self._stage == len(WIDTHS) - 1
            self._until = self._reserved + (0 if is_last else free - max(1, free // SHARE))
            nets = self._objective.nets_at(self.parameters)
            path = torch.stack(self._objective.propagate(nets).path[:-1], 1)
            self.widths = WIDTHS[self._stage] * path.square().mean((2, 3)).sqrt()
        else:
            self._until = 0
        self._objective.smoothing = self.widths
        self._minimiser = self._begin(self.parameters)
        self._stage_steps, self._sketched_at = 0, None
        self._look()
        self._objective.smoothing = None

    def _begin(self, start: Tensor) -> BatchedLBFGS | DampedNewton:
        objective = self._objective
        if self._stage < len(WIDTHS):
            return BatchedLBFGS(objective, start)
        diagonal = Hessian(objective, start).penalty
        return DampedNewton(objective, lambda flat: Hessian(objective, flat), diagonal, start)

    def _sketch(self, at: Tensor) -> None:
        """Let L-BFGS start from the Gauss-Newton matrix at these parameters."""
        if isinstance(self._minimiser, BatchedLBFGS):
            self._sketched_at = at
            self._minimiser.initial = GaussNewtonInverse(self._objective, at)

    def _look(self) -> None:
        """Update parameters and residuals, and let the networks rest that are critical."""
        self.parameters = self._minimiser.parameters
        nets = self._objective.nets_at(self.parameters)
        weights = nets.weights
        gradient = self._minimiser.gradient[:, : weights[0].numel()].reshape(weights.shape)
        self.residual = self._objective.relative(gradient, nets)
        self._minimiser.rest(self.residual <= CRITICAL)

    def state(self) -> dict[str, Any]:
        """Return everything that the next step depends on."""
        return {"stage": self._stage, "left": self._left, "until": self._until, "widths": self.widths,
                "residual": self.residual, "minimiser": self._minimiser.state(), "stage_steps": self._stage_steps,
                "sketched_at": self._sketched_at}  # fmt: skip

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue from a :meth:`state`."""
        self._stage, self._left, self._until = state["stage"], state["left"], state["until"]
        self.widths, self.residual = state["widths"], state["residual"]
        self._objective.smoothing = self.widths
        self._minimiser = self._begin(state["minimiser"]["parameters"])
        self._minimiser.load_state(state["minimiser"])
        self._stage_steps = state["stage_steps"]
        if state["sketched_at"] is not None:
            self._sketch(state["sketched_at"])
        self._objective.smoothing = None
        self.parameters = self._minimiser.parameters
