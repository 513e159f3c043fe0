"""What the theory expects of the layers of a model in a named parametrisation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from theory.engine import in_parametrisation

if TYPE_CHECKING:
    import torch

Shapes = Mapping[str, tuple[int, int, int]]
"""Dense layer -> rows of the batch, inputs and outputs."""
ROLES = {(False, True): "input", (True, True): "hidden", (True, False): "output"}
"""Whether inputs and outputs grow with the width -> the role of a layer in the theory."""


def expected_exponents(
    name: str, optimizer: torch.optim.Optimizer, narrowest: Shapes, widest: Shapes
) -> dict[str, float]:
    """Return the exponents of the own updates of all dense layers that grow with the width.

    Args:
        name: one of ``theory.engine.own_updates.PARAMETRISATIONS``.
        optimizer: one of the optimisers that trained the models.
        narrowest: shapes of the layers at the narrowest width.
        widest: the same at the widest.

    Raises:
        ValueError: for another name, or an optimiser for which the theory has no exponents in it.
    """
    exponents = in_parametrisation(name, _kind(optimizer))
    roles = {
        layer: ROLES.get((widest[layer][1] > inputs, widest[layer][2] > outputs))
        for layer, (_, inputs, outputs) in narrowest.items()
    }
    return {layer: exponents[role] for layer, role in roles.items() if role is not None}


def _kind(optimizer: torch.optim.Optimizer) -> str:
    """Return the name that the theory has for the kind of an optimiser."""
    import torch

    for kind, name in (
        (torch.optim.SGD, "sgd"),
        (torch.optim.Adam, "adam"),
        (torch.optim.AdamW, "adam"),
    ):
        if isinstance(optimizer, kind):
            return name
    raise ValueError(
        f"parametrisation: got {type(optimizer).__name__} as the optimiser, needs SGD or Adam, for which the theory "
        "has exponents"
    )
