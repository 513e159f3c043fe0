"""What the training loop needs of a trainer: look at the networks, take a step, give and take back its whole state."""

from __future__ import annotations

from typing import Any, Protocol

from empirics.networks.shapes import Activations, Outputs, Parameters


class Trainer(Protocol):
    """A batch of networks on its way.

    ``observe`` must come before every ``update``: an update may use what the forward pass left behind.
    """

    parameters: Parameters

    def observe(self) -> tuple[list[Activations], Outputs]:
        """Hidden layers 1 ... depth and the outputs, at the current parameters, without noise."""
        ...

    def update(self) -> None:
        """One step down the gradient of each seed's loss ``½ mean_points ‖output - target‖²``, in place."""
        ...

    def state(self) -> dict[str, Any]:
        """Everything that the next step depends on, as tensors, numbers, lists and dicts."""
        ...

    def load_state(self, state: dict[str, Any]) -> None:
        """Go on from a :meth:`state`."""
        ...
