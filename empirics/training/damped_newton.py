"""Damped Newton steps for a batch of independent problems, by conjugate gradients on products of the Hessian.

Gradient methods leave noise along stiff directions, where a small distance from the minimum is a large gradient. One
Newton step removes it. The damping, a multiple of a given positive diagonal that is added to the Hessian, keeps the
step where the quadratic model holds (Levenberg and Marquardt): it falls where value and model agree, and grows where
they do not or where the damped Hessian is not positive.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from empirics.training.lbfgs import BatchedMinimiser, Evaluate, dot

Product = Callable[[Tensor], Tensor]
DAMPING = 1000.0  # initial multiple of the diagonal
FACTOR = 3.0  # by which the damping changes
GOOD, POOR = 0.9, 0.6  # shares of the decrease of the model above and below which the damping changes
RESIDUAL = 0.1  # of conjugate gradients, relative, in the norm of the inverse diagonal
ITERATIONS = 200  # largest number of iterations of conjugate gradients in a step
FAILURES = 10  # consecutive rejected steps after which a row is no longer moved
ROUNDING = 8  # accepted increase of the value in eps


class DampedNewton(BatchedMinimiser):
    """Minimiser of many functions at once; ``hessian`` maps parameters to the product of their Hessians with vectors.

    ``diagonal`` ``[row, parameter]``, positive, is the unit of the damping and the preconditioner; ``damping``
    ``[row]`` its current multiples.
    """

    def __init__(
        self, evaluate: Evaluate, hessian: Callable[[Tensor], Product], diagonal: Tensor, start: Tensor
    ) -> None:
        super().__init__(evaluate, start, FAILURES)
        self._hessian, self._diagonal = hessian, diagonal
        self.damping = torch.full_like(self.value, DAMPING)

    def step(self) -> None:
        """Make one step of every row that does not rest; a row whose value or gradient would grow stays where it is."""
        is_resting = self.is_resting
        product = self._hessian(self.parameters)
        move, is_positive = self._solve(product, is_resting)
        model = dot(self.gradient, move) + dot(move, product(move)) / 2
        trial = self.parameters + move
        value, gradient = self._evaluate(trial)
        slack = ROUNDING * torch.finfo(value.dtype).eps * self.value.abs()
        drop = value - self.value - slack
        is_sound = is_positive & (model < 0) & (self._size(gradient) < self._size(self.gradient))
        is_accepted = is_sound & (drop <= 0)
        is_poor = ~is_resting & ~(is_sound & (drop <= POOR * model))
        self.damping = torch.where(is_poor, self.damping * FACTOR, self.damping)
        self.damping = torch.where(is_sound & (drop <= GOOD * model), self.damping / FACTOR, self.damping)
        self._failures = torch.where(is_accepted, 0, self._failures + 1)
        self.parameters = torch.where(is_accepted[:, None], trial, self.parameters)
        self.value = torch.where(is_accepted, value, self.value)
        self.gradient = torch.where(is_accepted[:, None], gradient, self.gradient)

    def _size(self, gradient: Tensor) -> Tensor:
        """Return the squared norm of a gradient in the inverse of the diagonal, ``[row]``."""
        return dot(gradient, gradient / self._diagonal)

    def _solve(self, product: Product, is_resting: Tensor) -> tuple[Tensor, Tensor]:
        """Return the steps ``[row, parameter]`` and whether the damped Hessians were positive along all of theirs."""
        damping = self.damping[:, None] * self._diagonal
        inverse = 1 / (self._diagonal + damping)
        move, left = torch.zeros_like(self.gradient), -self.gradient
        direction = inverse * left
        size = first = dot(left, direction)
        is_positive, is_running = torch.ones_like(is_resting), ~is_resting & (first > 0)
        for _ in range(ITERATIONS):
            image = product(direction) + damping * direction
            curvature = dot(direction, image)
            is_positive = is_positive & ~(is_running & ~(curvature > 0))
            is_running = is_running & is_positive
            length = torch.where(is_running, size / torch.where(is_running, curvature, 1), 0)[:, None]
            move, left = move + length * direction, left - length * image
            scaled = inverse * left
            last, size = size, dot(left, scaled)
            is_running = is_running & (size > RESIDUAL**2 * first)
            if not bool(is_running.any()):
                break
            direction = scaled + (size / last.clamp_min(torch.finfo(last.dtype).tiny))[:, None] * direction
        return move, is_positive

    def state(self) -> dict[str, Any]:
        """Return everything that the next step depends on."""
        return super().state() | {"damping": self.damping}

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue from a :meth:`state`."""
        super().load_state(state)
        self.damping = state["damping"]
