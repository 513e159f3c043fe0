"""Gradient descent or Adam on any of the architectures, with the gradient from autograd.

The losses of the seeds are summed before they are differentiated. No parameter is shared between seeds, so every seed
gets the gradient of its own loss. Adam updates every parameter on its own, so it does not mix the seeds either.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import torch
from torch import Tensor

from closedform import checks
from empirics import seeding
from empirics.networks.architecture import (
    Activations,
    Architecture,
    Dropout,
    Outputs,
    Parameters,
    Points,
)


class Autograd:
    """Full-batch training of a batch of networks; a :class:`empirics.training.loop.Trainer`.

    Args:
        architecture: any of the architectures.
        parameters: weights and biases of all seeds; they are changed in place from here on.
        x: inputs ``[point, input]``, the same for all seeds, or ``[seed, point, input]``.
        target: targets ``[point, output]``, or ``[seed, point, output]``.
        learning_rate: step size, positive, in units of the inverse curvature of the loss for ``"gd"``.
        optimiser: ``"gd"`` (default) or ``"adam"`` (torch's defaults: betas 0.9 and 0.999, eps 1e-8).
        seeds: seeds of the networks for the noise of dropout, one for each network; needed for the architecture
            :class:`empirics.networks.architecture.Dropout` only, default none.

    Raises:
        ValueError: if the optimiser is unknown, or dropout is not given one seed for each network.

    >>> from empirics.experiments import two_point
    >>> networks = two_point.trainer(two_point.Config(depth=3, width=10, seeds=2), by_hand=False)
    >>> type(networks).__name__, len(networks.observe())
    ('Autograd', 2)
    """

    def __init__(
        self,
        architecture: Architecture,
        parameters: Parameters,
        x: Points,
        target: Outputs,
        learning_rate: float,
        optimiser: str = "gd",
        seeds: Sequence[int] = (),
    ) -> None:
        weight = parameters[0][0]
        self.architecture, self.parameters = architecture, parameters
        self.present(x, target)
        self._flat = [tensor.requires_grad_() for tensor in chain.from_iterable(parameters)]
        self._optimiser = _optimiser(optimiser, self._flat, learning_rate)
        self._noise: list[torch.Generator] = []
        if isinstance(architecture, Dropout):
            if len(seeds) != weight.shape[0]:
                raise ValueError(
                    f"seeds: got {len(seeds)}, needs one for each of the {weight.shape[0]} networks"
                )
            self._noise = seeding.generators(seeds, "dropout", weight.device)
        self._output = weight

    def present(self, x: Points, target: Outputs) -> None:
        """Take other points from the next observation on, such as the next mini-batch; shapes as in the constructor."""
        weight = self.parameters[0][0]
        self._x = x.to(weight).expand(weight.shape[0], *x.shape[-2:])
        self._target = target.to(weight)

    def observe(self) -> tuple[list[Activations], Outputs]:
        """Run the forward pass, as :class:`empirics.training.loop.Trainer` says; always without dropout's noise."""
        with torch.set_grad_enabled(not self.architecture.trains_with_noise):
            hidden, self._output = self.architecture.forward(self.parameters, self._x)
        return [h.detach() for h in hidden], self._output.detach()

    def update(self) -> None:
        """See :class:`empirics.training.loop.Trainer`."""
        output = self._output
        if isinstance(self.architecture, Dropout):
            masks = self.architecture.masks(self._noise, self._x)
            output = self.architecture.forward_with_noise(self.parameters, self._x, masks)
        loss = (output - self._target).square().sum() / (2 * self._x.shape[-2])
        gradients = torch.autograd.grad(loss, self._flat)
        for tensor, gradient in zip(self._flat, gradients, strict=True):
            tensor.grad = gradient
        self._optimiser.step()

    def state(self) -> dict[str, Any]:
        """See :class:`empirics.training.loop.Trainer`."""
        return {
            "parameters": [tensor.detach() for tensor in self._flat],
            "optimiser": self._optimiser.state_dict(),
            "noise": [stream.get_state() for stream in self._noise],
        }

    def load_state(self, state: dict[str, Any]) -> None:
        """See :class:`empirics.training.loop.Trainer`."""
        with torch.no_grad():
            for tensor, stored in zip(self._flat, state["parameters"], strict=True):
                tensor.copy_(stored)
        self._optimiser.load_state_dict(state["optimiser"])
        for stream, stored in zip(self._noise, state["noise"], strict=True):
            stream.set_state(stored.cpu())


def _optimiser(name: str, tensors: list[Tensor], learning_rate: float) -> torch.optim.Optimizer:
    if checks.one_of("optimiser", name, ("gd", "adam")) == "gd":
        return torch.optim.SGD(tensors, lr=learning_rate, foreach=True)
    return torch.optim.Adam(tensors, lr=learning_rate, foreach=True)
