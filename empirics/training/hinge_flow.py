r"""Gradient flow of one-hidden-layer ReLU networks under the hinge loss, many realisations at once.

The network is :math:`f(x) = h^{-1}\sum_n \beta_n \sigma(\tilde\omega_n\cdot\tilde x)`, :math:`\sigma = \sqrt 2\max(0, .)`,
with :math:`\tilde x = (x/\sqrt d, 1)`, :math:`\tilde\omega = (\omega, b)`, and the predictor
:math:`F = \alpha(f - f_0)`. With the forces :math:`G_n = p^{-1}\sum_\mu y^\mu l'_\mu \Theta_{n\mu} \tilde x^\mu` the flow
reads, in units of :math:`\tau = h\sqrt{d/2}`,

.. math:: \dot{\tilde\omega}_n = \sqrt d\,\beta_n G_n, \qquad \dot\beta_n = \sqrt d\,\tilde\omega_n\cdot G_n .

Where the forces are constant this is a hyperbolic rotation of :math:`(\tilde\omega_n\cdot\hat G_n, \beta_n)`, which each
step makes exactly. So :math:`\beta_n^2 - \|\tilde\omega_n\|^2` does not drift, and the exponential growth of the weights
costs no steps: a step is limited by how far the forces turn and the predictor moves, and is undone where that is too far.

Convention: the loss is divided by alpha, as in Eq. (2) of Paccolat et al. (2021).
"""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor

GROWTH, SHRINKING = 1.1, 0.1  # of the step, where it could be longer and where it was too long
FIRST_STEP = 0.05  # tau
BLOCK = {"cpu": 1 << 19, "cuda": 1 << 28}  # entries of one block of preactivations: fits a cache, fills a GPU


class HingeFlow:
    """A batch of networks, each on its own training set, each with its own step.

    Args:
        inputs: ``[realisation, point, d]``.
        labels: ``[realisation, point]``, +1 or -1.
        hidden: weights and biases of the hidden layer, ``[realisation, neuron, d + 1]``, the bias last.
        output: ``[realisation, neuron]``.
        alpha: network scale.
        loss: "hinge" or "soft_hinge" (log(1 + exp(1 - m)) in place of max(0, 1 - m)).
        turning: largest accepted ``|g - g'|^2/(|g||g'|)`` of a step, g the forces times the output weights.
        moving: largest accepted change of the predictor on a training point.

    Attributes:
        time: ``[realisation]``, in units of tau.
        margins: ``y F`` on the training points, ``[realisation, point]``.
        steps: accepted steps, ``[realisation]``.
        attempts: accepted and refused ones.

    Raises:
        ValueError: if shapes or values are not as said.
    """

    def __init__(
        self,
        inputs: Tensor,
        labels: Tensor,
        hidden: Tensor,
        output: Tensor,
        *,
        alpha: float,
        loss: Literal["hinge", "soft_hinge"] = "hinge",
        turning: float = 1e-2,
        moving: float = 0.1,
    ) -> None:
        _require(inputs, labels, hidden, output)
        for name, value in (("alpha", alpha), ("turning", turning), ("moving", moving)):
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"{name}: got {value}, needs a positive number")
        if loss not in ("hinge", "soft_hinge"):
            raise ValueError(f"loss: got {loss!r}, needs 'hinge' or 'soft_hinge'")
        self.alpha, self.loss, self.turning, self.moving = alpha, loss, turning, moving
        self.dimension = inputs.shape[-1]
        self.inputs, self.labels = extended(inputs), labels.to(inputs.dtype)
        self.hidden, self.output = hidden.clone(), output.clone()
        self.initial = hidden.clone(), output.clone()
        realisations = len(inputs)
        self.time = torch.zeros(realisations, dtype=torch.float64, device=inputs.device)
        self.step_length = torch.full_like(self.time, FIRST_STEP)
        self.steps = torch.zeros(realisations, dtype=torch.int64, device=inputs.device)
        self.attempts = 0
        self._initial_output = torch.zeros_like(self.labels)
        self._initial_output = self._evaluate(self.hidden, self.output)[0] / alpha
        self.margins, self._forces = self._evaluate(self.hidden, self.output)

    @property
    def fitted(self) -> Tensor:
        """Share of the training points with ``y F > 1``, ``[realisation]``."""
        return (self.margins > 1).to(torch.float64).mean(dim=1)

    @property
    def weights(self) -> Tensor:
        """Weights of the hidden layer without the biases, ``[realisation, neuron, d]``."""
        return self.hidden[..., :-1]

    def predictor(self, inputs: Tensor) -> Tensor:
        """*F* at new points ``[realisation, point, d]``: ``[realisation, point]``."""
        points = extended(inputs)
        now = _network(points, self.hidden, self.output)
        return self.alpha * (now - _network(points, *self.initial))

    def step(self, active: Tensor | None = None) -> Tensor:
        """Attempt one step of every active realisation; returns which were accepted, ``[realisation]``.

        Args:
            active: which realisations still move, ``[realisation]`` booleans; all where not given.
        """
        moving = torch.ones_like(self.time, dtype=torch.bool) if active is None else active
        length = torch.where(moving, self.step_length, 0.0)
        hidden, output = self._moved(length)
        margins, forces = self._evaluate(hidden, output)
        turned = _turned(self._forces, forces, output) / self.turning
        moved = (margins - self.margins).abs().amax(dim=1).to(torch.float64) / self.moving
        worst = torch.maximum(turned, moved)
        # A training set of which all points are fitted exerts no force: there is nothing left to turn.
        worst = torch.nan_to_num(worst, nan=0.0, posinf=math.inf)
        accepted = moving & (worst < 1)
        self._take(accepted, hidden, output, margins, forces)
        self.time = self.time + torch.where(accepted, length, 0.0)
        self.steps = self.steps + accepted
        self.attempts += int(moving.sum())
        factor = torch.where(accepted, torch.where(worst < 0.5, GROWTH, 1.0), SHRINKING)
        self.step_length = torch.where(moving, self.step_length * factor, self.step_length)
        return accepted

    def _moved(self, length: Tensor) -> tuple[Tensor, Tensor]:
        """Weights after a hyperbolic rotation under the present forces."""
        size = self._forces.norm(dim=-1)
        direction = self._forces / size.clamp_min(torch.finfo(size.dtype).tiny)[..., None]
        angle = (math.sqrt(self.dimension) * length.to(size.dtype))[:, None] * size
        along = (self.hidden * direction).sum(dim=-1)
        half = torch.sinh(angle / 2)
        less_one, sinh = 2 * half.square(), torch.sinh(angle)  # cosh - 1 without cancellation
        hidden = self.hidden + (along * less_one + self.output * sinh)[..., None] * direction
        return hidden, self.output + self.output * less_one + along * sinh

    def _evaluate(self, hidden: Tensor, output: Tensor) -> tuple[Tensor, Tensor]:
        """Margins ``[realisation, point]`` and forces ``[realisation, neuron, d + 1]``, in blocks of points."""
        points = self.inputs.shape[1]
        margins = torch.empty_like(self.labels)
        forces = torch.zeros_like(hidden)
        block = _block(hidden)
        for start in range(0, points, block):
            part = slice(start, start + block)
            x, y = self.inputs[:, part], self.labels[:, part]
            before = x @ hidden.mT
            active = before > 0
            f = math.sqrt(2) / hidden.shape[1] * torch.einsum("rpn,rn->rp", before.clamp_min_(0), output)
            margins[:, part] = y * self.alpha * (f - self._initial_output[:, part] * y)
            pull = y * self._slope(margins[:, part]) / points
            forces += active.mT.to(x.dtype) @ (pull[..., None] * x)
        return margins, forces

    def _slope(self, margins: Tensor) -> Tensor:
        """Minus the derivative of the loss in the margin."""
        return (margins < 1).to(margins.dtype) if self.loss == "hinge" else torch.sigmoid(1 - margins)

    def _take(self, accepted: Tensor, hidden: Tensor, output: Tensor, margins: Tensor, forces: Tensor) -> None:
        if accepted.all():
            self.hidden, self.output, self.margins, self._forces = hidden, output, margins, forces
            return
        wide, narrow = accepted[:, None, None], accepted[:, None]
        self.hidden = torch.where(wide, hidden, self.hidden)
        self.output = torch.where(narrow, output, self.output)
        self.margins = torch.where(narrow, margins, self.margins)
        self._forces = torch.where(wide, forces, self._forces)


def extended(inputs: Tensor) -> Tensor:
    """``(x/sqrt(d), 1)``, ``[..., d + 1]``."""
    one = torch.ones_like(inputs[..., :1])
    return torch.cat([inputs / math.sqrt(inputs.shape[-1]), one], dim=-1)


def _network(points: Tensor, hidden: Tensor, output: Tensor) -> Tensor:
    blocks = points.split(_block(hidden), dim=1)
    parts = [torch.einsum("rpn,rn->rp", (part @ hidden.mT).clamp_min_(0), output) for part in blocks]
    return math.sqrt(2) / hidden.shape[1] * torch.cat(parts, dim=1)


def _block(hidden: Tensor) -> int:
    """Points whose preactivations are made at once."""
    return max(1, BLOCK.get(hidden.device.type, BLOCK["cpu"]) // (hidden.shape[0] * hidden.shape[1]))


def _turned(before: Tensor, after: Tensor, output: Tensor) -> Tensor:
    """``|g - g'|^2/(|g||g'|)`` of each realisation, g the forces times the output weights: what moves the predictor."""
    weight = output.to(torch.float64)[..., None]
    change = ((before - after) * weight).square().sum(dim=(1, 2))
    sizes = [(forces * weight).square().sum(dim=(1, 2)).sqrt() for forces in (before, after)]
    return torch.where(change == 0, 0.0, change / (sizes[0] * sizes[1]))


def _require(inputs: Tensor, labels: Tensor, hidden: Tensor, output: Tensor) -> None:
    if inputs.ndim != 3 or not inputs.numel():
        raise ValueError(f"inputs: got shape {tuple(inputs.shape)}, needs [realisation, point, d]")
    realisations, points, d = inputs.shape
    if labels.shape != (realisations, points):
        raise ValueError(f"labels: got shape {tuple(labels.shape)}, needs {(realisations, points)}")
    if hidden.ndim != 3 or hidden.shape[0] != realisations or hidden.shape[2] != d + 1 or not hidden.numel():
        raise ValueError(f"hidden: got shape {tuple(hidden.shape)}, needs [{realisations}, neuron, {d + 1}]")
    if output.shape != hidden.shape[:2]:
        raise ValueError(f"output: got shape {tuple(output.shape)}, needs {tuple(hidden.shape[:2])}")
    if not ((labels == 1) | (labels == -1)).all():
        raise ValueError("labels: needs +1 and -1 only")
    for name, values in (("inputs", inputs), ("hidden", hidden), ("output", output)):
        if not values.is_floating_point() or not torch.isfinite(values).all():
            raise ValueError(f"{name}: needs finite floating-point numbers")
