"""The interface between the training loop and a trainer: observe, update, and save and load the whole state."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from empirics.networks.shapes import Activations, Outputs, Parameters


@runtime_checkable
class Trainer(Protocol):
    """A batch of networks in training.

    ``observe`` must be called before every ``update``, since an update may use what the forward pass has stored.

    Attributes:
        parameters: weights and biases of all seeds.
    """

    parameters: Parameters

    def observe(self) -> tuple[list[Activations], Outputs]:
        """Return hidden layers 1 ... depth and the outputs at the current parameters, without noise."""
        ...

    def update(self) -> None:
        """Make one step of gradient descent on each seed's loss ``½ mean_points ‖output - target‖²``, in place."""
        ...

    def state(self) -> dict[str, Any]:
        """Return everything that the next step depends on, as tensors, numbers, lists and dicts."""
        ...

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue from a :meth:`state`."""
        ...
