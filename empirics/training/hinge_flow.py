r"""Gradient flow of one-hidden-layer ReLU networks under the hinge loss, many realisations at once.

The network is :math:`f(x) = h^{-1}\sum_n \beta_n \sigma(\tilde\omega_n\cdot\tilde x)`,
:math:`\sigma = \sqrt 2\max(0, .)`, with :math:`\tilde x = (x/\sqrt d, 1)`, :math:`\tilde\omega = (\omega, b)`, and the
predictor is :math:`F = \alpha(f - f_0)`. With the forces
:math:`G_n = p^{-1}\sum_\mu y^\mu l'_\mu \Theta_{n\mu} \tilde x^\mu` the flow reads, in units of
:math:`\tau = h\sqrt{d/2}`,

.. math:: \dot{\tilde\omega}_n = \sqrt d\,\beta_n G_n, \qquad \dot\beta_n = \sqrt d\,\tilde\omega_n\cdot G_n .

For constant forces this is a hyperbolic rotation of :math:`(\tilde\omega_n\cdot\hat G_n, \beta_n)`, and every step
makes this rotation exactly. Therefore :math:`\beta_n^2 - \|\tilde\omega_n\|^2` does not drift, and the exponential
growth of the weights does not shorten the steps. A step is limited by how far the forces turn and the predictor moves;
a step in which they change too much is undone.

The forces jump where a training point crosses a neuron's hyperplane or becomes fitted, and a shorter step does not make
a jump smaller. A step in which the weights of no neuron grow by more than :data:`SMALL` and the predictor moves by less
than a tenth of what it may is therefore accepted however far the forces turn, and counted in ``jumps``. There are many
jumps where there are few points, or few that are not fitted yet.

Convention: the loss is divided by alpha, as in Eq. (2) of Paccolat et al. (2021).
"""

from __future__ import annotations

import math
from typing import Any, Literal

import torch
from torch import Tensor

from closedform import checks
from empirics import tensor_checks
from empirics.training.hidden_layer import LEAST, hidden_layer, values

# factors of the step length after a step that was easily short enough, and too long
GROWTH, SHRINKING = (1.1, 0.1)
SMALL = 0.01  # largest relative growth of a neuron's weights in a step accepted however far the forces turn
FIRST_STEP = 0.05  # in units of tau
STATE = ("hidden", "output", "margins", "forces", "time", "step_length", "steps", "jumps")


class HingeFlow:
    """A batch of networks, each with its own training set and its own step length.

    Args:
        inputs: training points ``[realisation, point, d]``.
        labels: ``[realisation, point]``, +1 or -1.
        hidden: weights and biases of the hidden layer, ``[realisation, neuron, d + 1]``, the bias last.
        output: weights of the output layer, ``[realisation, neuron]``.
        alpha: network scale, positive, dimensionless.
        loss: ``"hinge"`` (default) or ``"soft_hinge"`` (log(1 + exp(1 - m)) in place of max(0, 1 - m)).
        turning: largest accepted ``|g - g'|^2/(|g||g'|)`` of a step, with g and g' the forces times the output weights
            before and after it; dimensionless, default 0.01.
        moving: largest accepted change of the predictor on a training point in a step, default 0.1.

    Attributes:
        time: ``[realisation]``, in units of tau.
        margins: ``y F`` on the training points, ``[realisation, point]``.
        steps: number of accepted steps, ``[realisation]``.
        jumps: number of accepted steps that crossed a jump of the forces, ``[realisation]``.
        attempts: number of accepted and refused steps of all realisations.

    Raises:
        ValueError: if a shape or a value is not as described.
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
        require(inputs, labels, hidden, output)
        for name, value in (("alpha", alpha), ("turning", turning), ("moving", moving)):
            checks.positive_number(name, value)
        checks.one_of("loss", loss, ("hinge", "soft_hinge"))
        self.alpha, self.loss, self.turning, self.moving = alpha, loss, turning, moving
        self.dimension = inputs.shape[-1]
        self.inputs, self.labels = extended(inputs), labels.to(inputs.dtype)
        self.hidden, self.output = hidden.clone(), output.clone()
        self.initial = hidden.clone(), output.clone()
        self.initial_values = values(self.inputs, *self.initial)
        self.time = torch.zeros(len(inputs), dtype=torch.float64, device=inputs.device)
        self.step_length = torch.full_like(self.time, FIRST_STEP)
        self.steps = torch.zeros(len(inputs), dtype=torch.int64, device=inputs.device)
        self.jumps = torch.zeros_like(self.steps)
        self.attempts = 0
        all_rows = torch.arange(len(inputs), device=inputs.device)
        self.margins, self.forces = self._evaluate(all_rows, self.hidden, self.output)

    @property
    def fitted(self) -> Tensor:
        """Fraction of the training points with ``y F > 1``, ``[realisation]``."""
        return (self.margins > 1).to(torch.float64).mean(dim=1)

    @property
    def weights(self) -> Tensor:
        """Weights of the hidden layer without the biases, ``[realisation, neuron, d]``."""
        return self.hidden[..., :-1]

    @property
    def mean_loss(self) -> Tensor:
        """Mean loss on the training points times alpha, ``[realisation]``; of order one before they are fitted."""
        deficit = 1 - self.margins.to(torch.float64)
        return (
            deficit.clamp_min(0) if self.loss == "hinge" else torch.nn.functional.softplus(deficit)
        ).mean(dim=1)

    def predictor(self, inputs: Tensor) -> Tensor:
        """Return the predictor *F* ``[realisation, point]`` at new points ``[realisation, point, d]``."""
        points = extended(inputs)
        return self.alpha * (
            values(points, self.hidden, self.output) - values(points, *self.initial)
        )

    def step(self, active: Tensor | None = None) -> Tensor:
        """Attempt one step of every active realisation (None: all); return which were accepted, ``[realisation]``."""
        if active is None:
            active = torch.ones_like(self.time, dtype=torch.bool)
        rows = active.nonzero()[:, 0]
        length = self.step_length[rows]
        before = self._acting(rows, length)
        hidden, output = self._moved(rows, length, before)
        margins, forces = self._evaluate(rows, hidden, output)
        # A training set of which all points are fitted exerts no force, and the turn of no force is not a number.
        turn = torch.nan_to_num(
            turned(before, forces, output) / self.turning, nan=0.0, posinf=math.inf
        )
        moved_margins = (margins - self.margins[rows]).abs().amax(dim=1).to(
            torch.float64
        ) / self.moving
        worst = torch.nan_to_num(torch.maximum(turn, moved_margins), nan=math.inf, posinf=math.inf)
        is_jump = (turn >= 1) & (moved_margins < 0.1) & (self._growth(before, length) < SMALL)
        is_accepted = (worst < 1) | is_jump
        accepted_rows = rows[is_accepted]
        for name, new in (
            ("hidden", hidden),
            ("output", output),
            ("margins", margins),
            ("forces", forces),
        ):
            getattr(self, name)[accepted_rows] = new[is_accepted]
        self.time[accepted_rows] += length[is_accepted]
        self.steps[accepted_rows] += 1
        self.jumps[rows[is_jump]] += 1
        self.attempts += len(rows)
        factor = torch.where(is_accepted, torch.where(worst < 0.5, GROWTH, 1.0), SHRINKING)
        self.step_length[rows] = length * torch.where(is_jump, 1 / SHRINKING, factor)
        accepted = torch.zeros_like(active)
        accepted[accepted_rows] = True
        return accepted

    def state(self) -> dict[str, Any]:
        """Return what :meth:`restore` needs to continue from here on the same training sets, to the last bit."""
        return {name: getattr(self, name) for name in STATE} | {"attempts": self.attempts}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a :meth:`state` of the same networks and training sets; ValueError for another shape."""
        for name in STATE:
            if state[name].shape != getattr(self, name).shape:
                raise ValueError(
                    f"state: {name} has shape {tuple(state[name].shape)}, needs that of these networks"
                )
            setattr(self, name, state[name].clone())
        self.attempts = int(state["attempts"])

    def _acting(self, rows: Tensor, length: Tensor) -> Tensor:
        """Return the forces ``[row, neuron, d + 1]`` that act during a step of this length, ``[row]``."""
        return self.forces[rows]

    def _growth(self, forces: Tensor, length: Tensor) -> Tensor:
        """Return the largest relative change of a neuron's weights in a step, ``[row]``."""
        largest: Tensor = forces.norm(dim=-1).amax(dim=1).to(torch.float64)
        return math.sqrt(self.dimension) * length * largest

    def _moved(self, rows: Tensor, length: Tensor, forces: Tensor) -> tuple[Tensor, Tensor]:
        """Return the weights after a hyperbolic rotation under constant forces ``[row, neuron, d + 1]``."""
        hidden, output = self.hidden[rows], self.output[rows]
        size = forces.norm(dim=-1)
        direction = forces / size.clamp_min(torch.finfo(size.dtype).tiny)[..., None]
        angle = (math.sqrt(self.dimension) * length.to(size.dtype))[:, None] * size
        along = (hidden * direction).sum(dim=-1)
        half = torch.sinh(angle / 2)
        # cosh - 1 without cancellation
        cosh_minus_one, sinh = (2 * half.square(), torch.sinh(angle))
        moved = hidden + (along * cosh_minus_one + output * sinh)[..., None] * direction
        return moved, output + output * cosh_minus_one + along * sinh

    def _evaluate(self, rows: Tensor, hidden: Tensor, output: Tensor) -> tuple[Tensor, Tensor]:
        """Return margins ``[row, point]`` and forces ``[row, neuron, d + 1]``, computed in blocks of points."""
        inputs, labels, start = self.inputs[rows], self.labels[rows], self.initial_values[rows]
        layer = hidden_layer(inputs, hidden, output)
        if len(rows) > 1 and layer.block < LEAST:
            halves = zip(
                *(torch.tensor_split(tensor, 2) for tensor in (rows, hidden, output)), strict=True
            )
            (margins, forces), (others, their_forces) = (self._evaluate(*half) for half in halves)
            return torch.cat([margins, others]), torch.cat([forces, their_forces])
        margins, points = torch.empty_like(labels), labels.shape[1]
        for first in range(0, points, layer.block):
            part = slice(first, first + layer.block)
            x, y = inputs[:, part], labels[:, part]
            f, active = layer.outputs(x)
            margins[:, part] = y * self.alpha * (f - start[:, part])
            layer.pull(
                x * (y * self._slope(margins[:, part], rows, part) / points)[..., None], active
            )
        return margins, layer.forces

    def _slope(self, margins: Tensor, rows: Tensor, part: slice) -> Tensor:
        """Return minus the derivative of the loss with respect to the margin, of one part of the points."""
        return (
            (margins < 1).to(margins.dtype) if self.loss == "hinge" else torch.sigmoid(1 - margins)
        )


def extended(inputs: Tensor) -> Tensor:
    """Return the inputs scaled and with a constant appended, ``(x/sqrt(d), 1)``, ``[..., d + 1]``."""
    constant = torch.ones_like(inputs[..., :1])
    return torch.cat([inputs / math.sqrt(inputs.shape[-1]), constant], dim=-1)


def turned(before: Tensor, after: Tensor, output: Tensor) -> Tensor:
    """Return ``|g - g'|^2/(|g||g'|)``, ``[realisation]``, with g the forces times the output weights, before, after."""
    weight = output.to(torch.float64)[..., None]
    change = ((before - after) * weight).square().sum(dim=(1, 2))
    sizes = [(forces * weight).square().sum(dim=(1, 2)).sqrt() for forces in (before, after)]
    return torch.where(change == 0, 0.0, change / (sizes[0] * sizes[1]))


def require(inputs: Tensor, labels: Tensor, hidden: Tensor, output: Tensor) -> None:
    """Check that the tensors are a batch of networks with their training sets; ValueError otherwise."""
    tensor_checks.shape(
        "inputs", inputs, inputs.ndim == 3 and inputs.numel() > 0, "[realisation, point, d]"
    )
    realisations, points, d = inputs.shape
    tensor_checks.shape(
        "labels", labels, labels.shape == (realisations, points), f"[{realisations}, {points}]"
    )
    fits = (
        hidden.ndim == 3
        and (hidden.shape[0], hidden.shape[2]) == (realisations, d + 1)
        and hidden.numel() > 0
    )
    tensor_checks.shape("hidden", hidden, fits, f"[{realisations}, neuron, {d + 1}]")
    tensor_checks.shape(
        "output", output, output.shape == hidden.shape[:2], str(list(hidden.shape[:2]))
    )
    checks.require(bool((labels.abs() == 1).all()), "labels", "others", "+1 and -1 only")
    for name, tensor in (("inputs", inputs), ("hidden", hidden), ("output", output)):
        if not tensor.is_floating_point() or not torch.isfinite(tensor).all():
            raise ValueError(f"{name}: needs finite floating-point numbers")
        if tensor.dtype != inputs.dtype or tensor.device != inputs.device:
            raise ValueError(
                f"{name}: got {tensor.dtype} on {tensor.device}, needs {inputs.dtype} on {inputs.device}"
            )
